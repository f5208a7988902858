import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/upstream/scenario.ts';
import * as claude from '../../src/upstream/scenarios/claude.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import * as gemini from '../../src/upstream/scenarios/gemini.ts';
import { PLAIN_ANSWER, PRINT_TRAP_LINES, TRAP_LINES } from '../../src/upstream/scenarios/words.ts';
import { eventsOf, expectClean, expectHealthy, FULL, SHUT_IN, TASK } from '../rig/live-expectations.ts';
import { aFleet } from '../rig/live-fleet.ts';
import type { CliName, WorkerOptions } from '../rig/live-workers.ts';

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

  it.each<{ cli: CliName; scenario: Scenario; options: WorkerOptions }>([
    {
      cli: 'claude',
      scenario: claude.runs(PRINT_TRAP_LINES, TRAP_LINES[1]),
      options: SHUT_IN,
    },
    { cli: 'codex', scenario: codex.runs(PRINT_TRAP_LINES, TRAP_LINES[1]), options: {} },
    { cli: 'gemini', scenario: gemini.runs(PRINT_TRAP_LINES, TRAP_LINES[1]), options: {} },
  ])('is believed, whatever its tools print and it says: $cli', async ({ cli, scenario, options }) => {
    const fleet = await aFleet({ [cli]: scenario }, { [cli]: options });
    const run = await fleet.run(TASK, FULL);
    await expectHealthy(fleet, run);
    expect(eventsOf(run, 'session.ended')).toMatchObject([{ outcome: 'done', text: TRAP_LINES[1] }]);
    const [, second] = fleet.upstream.calls(cli);
    for (const line of TRAP_LINES) expect(second?.toolOutputs.join('\n')).toContain(line);
  });

  const apiKey: WorkerOptions = { login: 'api-key' };
  it.each<{ cli: CliName; trouble: string; scenario: Scenario; options?: WorkerOptions; calls: number }>([
    { cli: 'claude', trouble: 'a throttle', scenario: claude.throttledThenSays(), options: apiKey, calls: 3 },
    { cli: 'claude', trouble: 'an overload', scenario: claude.overloadedThenSays(), calls: 3 },
    { cli: 'claude', trouble: 'a cut stream', scenario: claude.cutThenSays(), calls: 2 },
    { cli: 'codex', trouble: 'a throttle', scenario: codex.throttledThenSays(), calls: 2 },
    { cli: 'codex', trouble: 'an overload', scenario: codex.overloadedThenSays(), calls: 2 },
    { cli: 'codex', trouble: 'a cut stream', scenario: codex.cutThenSays(), calls: 2 },
    { cli: 'gemini', trouble: 'a throttle', scenario: gemini.throttledThenSays(), calls: 2 },
    { cli: 'gemini', trouble: 'an overload', scenario: gemini.overloadedThenSays(), calls: 2 },
  ])('is left to overcome $trouble: $cli', async ({ cli, scenario, options = {}, calls }) => {
    const fleet = await aFleet({ [cli]: scenario }, { [cli]: options });
    const run = await fleet.run(TASK);
    await expectHealthy(fleet, run);
    expect(fleet.upstream.calls(cli)).toHaveLength(calls);
  });

  it('is asked again when its CLI gives up at the first throttle, and nobody rests', async () => {
    // Claude Code 2.1.197 does so on a subscription; newer ones retry.
    const fleet = await aFleet({ claude: claude.throttledThenSays() });
    const run = await fleet.run(TASK);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(eventsOf(run, 'hold.ended')).toHaveLength(2);
    expect(eventsOf(run, 'session.ended')).toMatchObject([
      { outcome: 'done', worker: 'claude', switchCount: 0 },
    ]);
    expect(await fleet.cooldowns()).toEqual([]);
    expectClean(fleet);
  });
});
