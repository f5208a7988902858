import { describe, expect, it } from 'vitest';
import { durationMs, HOUR, SECOND } from '../../src/core/time.ts';
import { isGroupAlive } from '../../src/system/group.ts';
import type { Scenario } from '../../src/upstream/scenario.ts';
import * as claude from '../../src/upstream/scenarios/claude.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import * as gemini from '../../src/upstream/scenarios/gemini.ts';
import { PLAIN_ANSWER, PRINT_TRAP_LINES, TRAP_LINES } from '../../src/upstream/scenarios/words.ts';
import type { LiveEvent, LiveFleet, LiveRun } from '../rig/live-fleet.ts';
import { aFleet } from '../rig/live-fleet.ts';
import type { CliName, WorkerOptions } from '../rig/live-workers.ts';

const TASK = 'Say hello to the crew.';
const SLEEPS: WorkerOptions = { env: { CLAUDE_CODE_RETRY_WATCHDOG: '1' } };
const hours = (count: number) => durationMs(count * HOUR);

function eventsOf(run: LiveRun, type: string): readonly LiveEvent[] {
  return run.events.filter((event) => event.type === type);
}

function instant(value: unknown): number {
  return Date.parse(String(value));
}

/** The reset that a lane's provider named in its first answer, which counts in whole seconds from then. */
function resetNamed<Name extends string>(fleet: LiveFleet<Name>, name: Name, resetsIn: number): number {
  const [first] = fleet.upstream.calls(name);
  if (first === undefined) throw new Error(`${name} was never asked`);
  return Math.floor(first.at / SECOND) * SECOND + resetsIn;
}

/** How far off the rest of a worker ends from `reset`, in milliseconds. */
async function restMissesBy<Name extends string>(
  fleet: LiveFleet<Name>,
  worker: Name,
  reset: number,
): Promise<number> {
  const found = (await fleet.cooldowns()).filter((cooldown) => cooldown.worker === worker);
  expect(found).toMatchObject([{ kind: 'rate-limit' }]);
  return Math.abs(instant(found[0]?.until) - reset);
}

/** Nobody was ended, nobody rests, and nothing was taken for a refusal. */
async function expectHealthy(fleet: LiveFleet<string>, run: LiveRun): Promise<void> {
  expect(run).toMatchObject({ exitCode: 0 });
  expect(eventsOf(run, 'signal')).toEqual([]);
  expect(eventsOf(run, 'attempt.ended')).toMatchObject([{ outcome: 'done', exitCode: 0 }]);
  expect(eventsOf(run, 'attempt.ended')[0]).not.toHaveProperty('killedBecause');
  expect(await fleet.cooldowns()).toEqual([]);
  expectClean(fleet);
}

/** Nothing that the run started is left, and nobody tried to leave this machine. */
function expectClean(fleet: LiveFleet<string>): void {
  expect(fleet.alive()).toEqual([]);
  expect(fleet.upstream.strays).toEqual([]);
}

describe('a healthy worker', () => {
  it.each<{ cli: CliName; scenario: Scenario }>([
    { cli: 'claude', scenario: claude.says(PLAIN_ANSWER, claude.openWindows()) },
    { cli: 'codex', scenario: codex.says() },
    { cli: 'gemini', scenario: gemini.says() },
  ])('does the task: $cli', async ({ cli, scenario }) => {
    const fleet = await aFleet({ [cli]: scenario });
    const run = await fleet.run(TASK);
    await expectHealthy(fleet, run);
    expect(eventsOf(run, 'session.ended')).toMatchObject([
      { outcome: 'done', worker: cli, text: PLAIN_ANSWER, switchCount: 0 },
    ]);
    expect(JSON.stringify(fleet.upstream.calls(cli)[0]?.body)).toContain(TASK);
  });

  const full = { args: ['--permissions', 'full'] };
  it.each<{ cli: CliName; scenario: Scenario; options: WorkerOptions }>([
    // Claude Code gives root every permission only where it is told that it is shut in.
    {
      cli: 'claude',
      scenario: claude.runs(PRINT_TRAP_LINES, TRAP_LINES[1]),
      options: { env: { IS_SANDBOX: '1' } },
    },
    { cli: 'codex', scenario: codex.runs(PRINT_TRAP_LINES, TRAP_LINES[1]), options: {} },
    { cli: 'gemini', scenario: gemini.runs(PRINT_TRAP_LINES, TRAP_LINES[1]), options: {} },
  ])('is believed, whatever its tools print and it says: $cli', async ({ cli, scenario, options }) => {
    const fleet = await aFleet({ [cli]: scenario }, { [cli]: options });
    const run = await fleet.run(TASK, full);
    await expectHealthy(fleet, run);
    expect(eventsOf(run, 'session.ended')).toMatchObject([{ outcome: 'done', text: TRAP_LINES[1] }]);
    const [, second] = fleet.upstream.calls(cli);
    for (const line of TRAP_LINES) expect(second?.toolOutputs.join('\n')).toContain(line);
  });

  it.each<{ cli: CliName; scenario: Scenario; options: WorkerOptions; calls: number }>([
    { cli: 'claude', scenario: claude.throttledThenSays(), options: { login: 'api-key' }, calls: 3 },
    { cli: 'codex', scenario: codex.throttledThenSays(), options: {}, calls: 2 },
    { cli: 'gemini', scenario: gemini.throttledThenSays(), options: {}, calls: 2 },
  ])('is left to overcome a throttle: $cli', async ({ cli, scenario, options, calls }) => {
    const fleet = await aFleet({ [cli]: scenario }, { [cli]: options });
    const run = await fleet.run(TASK);
    await expectHealthy(fleet, run);
    expect(eventsOf(run, 'attempt.retrying').length).toBeGreaterThan(0);
    expect(fleet.upstream.calls(cli)).toHaveLength(calls);
  });
});

describe('a worker that sleeps on a closed window', () => {
  it.each<{ cli: CliName; scenario: Scenario; options: WorkerOptions; resetsIn: number }>([
    {
      cli: 'claude',
      scenario: claude.closedWindow({ window: 'five_hour', resetsIn: hours(2) }),
      options: SLEEPS,
      resetsIn: hours(2),
    },
    {
      cli: 'gemini',
      scenario: gemini.closedWindow({ resetsIn: durationMs(11_120 * SECOND) }),
      options: {},
      resetsIn: 11_120 * SECOND,
    },
  ])(
    'is ended at once, rests until the reset, and codex does the task: $cli',
    async ({ cli, scenario, options, resetsIn }) => {
      const fleet = await aFleet({ [cli]: scenario, spare: codex.says() }, { [cli]: options });
      const leftBehind: unknown[] = [];
      const run = await fleet.run(TASK, {
        onEvent(event) {
          if (event.type === 'attempt.ended' && event['worker'] === cli) leftBehind.push(...fleet.alive(cli));
        },
      });

      expect(run).toMatchObject({ exitCode: 0 });
      const [ended] = eventsOf(run, 'attempt.ended');
      expect(ended).toMatchObject({ worker: cli, outcome: 'exhausted' });
      expect(ended?.['killedBecause']).toEqual(expect.any(String));
      // The refusal went out before the line was printed, so this is the stricter measure.
      expect(instant(ended?.['at']) - (fleet.upstream.calls(cli)[0]?.at ?? 0)).toBeLessThan(2_000);
      expect(leftBehind).toEqual([]);
      expect(isGroupAlive(Number(eventsOf(run, 'attempt.started')[0]?.['pid']))).toBe(false);

      expect(await restMissesBy(fleet, cli, resetNamed(fleet, cli, resetsIn))).toBeLessThanOrEqual(2_000);
      expect(eventsOf(run, 'session.ended')).toMatchObject([
        { outcome: 'done', worker: 'spare', text: PLAIN_ANSWER, switchCount: 1 },
      ]);
      expect(JSON.stringify(fleet.upstream.calls('spare')[0]?.body)).toContain(TASK);
      expect(fleet.upstream.calls(cli)).toHaveLength(1);
      expectClean(fleet);
    },
  );
});

describe('a fleet that is exhausted', () => {
  it('ends with 75 and the earliest reset, and is not asked again by the next run', async () => {
    const fleet = await aFleet(
      {
        first: claude.closedWindow({ window: 'five_hour', resetsIn: hours(3) }),
        second: codex.closedWindow({ resetsIn: hours(1) }),
        third: gemini.closedWindow({ resetsIn: hours(2) }),
      },
      { first: SLEEPS },
    );
    const names = ['first', 'second', 'third'] as const;
    const run = await fleet.run(TASK);
    expect(run).toMatchObject({ exitCode: 75 });
    const [end] = eventsOf(run, 'session.ended');
    expect(end).toMatchObject({ outcome: 'exhausted', switchCount: 2 });
    // Codex names its reset to the minute.
    expect(Math.abs(instant(end?.['retryAt']) - resetNamed(fleet, 'second', hours(1)))).toBeLessThanOrEqual(
      60_000,
    );
    for (const name of names) expect(run.stderr).toContain(name);
    expect((await fleet.cooldowns()).map(({ worker }) => worker)).toEqual(['second', 'third', 'first']);

    const asked = fleet.upstream.requests.length;
    const again = await fleet.run(TASK);
    expect(again).toMatchObject({ exitCode: 75 });
    expect(eventsOf(again, 'attempt.started')).toEqual([]);
    expect(eventsOf(again, 'worker.skipped').map((event) => event['worker'])).toEqual([...names]);
    expect(eventsOf(again, 'session.ended')).toMatchObject([
      { outcome: 'exhausted', retryAt: end?.['retryAt'] },
    ]);
    expect(names.map((name) => fleet.starts(name))).toEqual([1, 1, 1]);
    expect(fleet.upstream.requests).toHaveLength(asked);
    expectClean(fleet);
  });
});

describe('what would be sat through for minutes', () => {
  it.each<{ cli: CliName; scenario: Scenario; options: WorkerOptions }>([
    { cli: 'claude', scenario: claude.badLogin(), options: { login: 'api-key' } },
    { cli: 'codex', scenario: codex.badLogin(), options: {} },
    { cli: 'gemini', scenario: gemini.badLogin(), options: {} },
  ])('a login that is refused is not tried a third time: $cli', async ({ cli, scenario, options }) => {
    const fleet = await aFleet({ [cli]: scenario, spare: codex.says() }, { [cli]: options });
    const run = await fleet.run(TASK);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(fleet.upstream.calls(cli).length).toBeLessThanOrEqual(2);
    expect(await fleet.cooldowns()).toMatchObject([{ worker: cli, kind: 'auth-failure' }]);
    expect(eventsOf(run, 'session.ended')).toMatchObject([{ outcome: 'done', worker: 'spare' }]);
    expectClean(fleet);
  });

  it.each<{ cli: CliName; scenario: Scenario }>([
    { cli: 'claude', scenario: claude.refusesConnections() },
    { cli: 'codex', scenario: codex.refusesConnections() },
    { cli: 'gemini', scenario: gemini.refusesConnections() },
  ])('a refused connection is given up after the patience: $cli', async ({ cli, scenario }) => {
    const fleet = await aFleet({ [cli]: scenario, spare: codex.says() });
    const run = await fleet.run(TASK, { args: ['--patience', '2s'] });
    expect(run).toMatchObject({ exitCode: 0 });
    // Left alone, Claude Code and Gemini CLI take minutes and Codex takes for ever.
    expect(eventsOf(run, 'attempt.ended')[0]?.['durationMs']).toBeLessThan(20_000);
    expect(await fleet.cooldowns()).toMatchObject([{ worker: cli, kind: 'connection-failure' }]);
    expect(eventsOf(run, 'session.ended')).toMatchObject([{ outcome: 'done', worker: 'spare' }]);
    expectClean(fleet);
  });
});
