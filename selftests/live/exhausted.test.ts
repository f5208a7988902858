import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { durationMs, SECOND } from '../../src/core/time.ts';
import type { Scenario } from '../../src/upstream/scenario.ts';
import * as claude from '../../src/upstream/scenarios/claude.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import * as gemini from '../../src/upstream/scenarios/gemini.ts';
import { PLAIN_ANSWER } from '../../src/upstream/scenarios/words.ts';
import {
  eventsOf,
  expectClean,
  FULL,
  hours,
  instant,
  resetNamed,
  restMissesBy,
  SHUT_IN,
  SLEEPS,
  TASK,
} from '../rig/live-expectations.ts';
import { aFleet } from '../rig/live-fleet.ts';
import { processesInGroup } from '../rig/live-processes.ts';
import type { CliName, WorkerOptions } from '../rig/live-workers.ts';

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
      expect(processesInGroup(Number(eventsOf(run, 'attempt.started')[0]?.['pid']))).toEqual([]);

      expect(await restMissesBy(fleet, cli, resetNamed(fleet, cli, resetsIn))).toBeLessThanOrEqual(2_000);
      expect(eventsOf(run, 'session.ended')).toMatchObject([
        { outcome: 'done', worker: 'spare', text: PLAIN_ANSWER, switchCount: 1 },
      ]);
      expect(JSON.stringify(fleet.upstream.calls('spare')[0]?.body)).toContain(TASK);
      expect(fleet.upstream.calls(cli)).toHaveLength(1);
      expectClean(fleet);
    },
  );

  it('takes along what its tools left running, also in a session of its own', async () => {
    // It looks itself, once both are what they are to be: from here it would be a race with their end.
    const command =
      'sleep 300 & near=$!; nohup setsid sleep 301 > nohup.out 2>&1 & away=$!; ' +
      'until grep -qx sleep /proc/$near/comm && grep -qx sleep /proc/$away/comm; do :; done; ' +
      'ps -o args= -p $near,$away > seen.txt; echo started';
    const closed = claude.closedWindow({ window: 'five_hour', resetsIn: hours(2) });
    const scenario: Scenario = { wire: 'messages', steps: [claude.runs(command).steps[0], ...closed.steps] };
    const both: WorkerOptions = { env: { ...SLEEPS.env, ...SHUT_IN.env } };
    const fleet = await aFleet({ claude: scenario, spare: codex.says() }, { claude: both });
    const run = await fleet.run(TASK, FULL);
    expect(run).toMatchObject({ exitCode: 0 });
    const seen = readFileSync(join(fleet.worktree, 'seen.txt'), 'utf8').trim().split('\n');
    expect(seen).toEqual(['sleep 300', 'sleep 301']);
    expectClean(fleet);
  });
});

describe('work that was begun', () => {
  it('is not asked for again: the next worker is told what was done', async () => {
    const command = 'echo begun > begun.txt';
    const closed = claude.closedWindow({ window: 'seven_day', resetsIn: hours(50) });
    const scenario: Scenario = { wire: 'messages', steps: [claude.runs(command).steps[0], ...closed.steps] };
    const fleet = await aFleet({ claude: scenario, spare: codex.says() }, { claude: SHUT_IN });
    const run = await fleet.run(TASK, FULL);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(eventsOf(run, 'handoff')).toMatchObject([{ from: 'claude', to: 'spare', how: 'brief' }]);
    const told = JSON.stringify(fleet.upstream.calls('spare')[0]?.body);
    expect(told).toContain(TASK);
    expect(told).toContain(command);
    expect(await restMissesBy(fleet, 'claude', resetNamed(fleet, 'claude', hours(50)))).toBeLessThanOrEqual(
      2_000,
    );
    expectClean(fleet);
  });
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
