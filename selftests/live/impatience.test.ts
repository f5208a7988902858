import { describe, expect, it } from 'vitest';
import type { Scenario } from '../../src/upstream/scenario.ts';
import * as claude from '../../src/upstream/scenarios/claude.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import * as gemini from '../../src/upstream/scenarios/gemini.ts';
import { eventsOf, expectClean, TASK } from '../rig/live-expectations.ts';
import { aFleet } from '../rig/live-fleet.ts';
import type { CliName, WorkerOptions } from '../rig/live-workers.ts';

describe('what would be sat through for minutes', () => {
  it.each<{ cli: CliName; scenario: Scenario; options: WorkerOptions }>([
    { cli: 'claude', scenario: claude.badLogin(), options: { login: 'api-key' } },
    { cli: 'codex', scenario: codex.badLogin(), options: {} },
    { cli: 'gemini', scenario: gemini.badLogin(), options: {} },
  ])(
    'a login that is refused is tried once more, and each time given up at the second refusal: $cli',
    async ({ cli, scenario, options }) => {
      const fleet = await aFleet({ [cli]: scenario, spare: codex.says() }, { [cli]: options });
      const run = await fleet.run(TASK);
      expect(run).toMatchObject({ exitCode: 0 });
      expect(fleet.upstream.calls(cli).length).toBeLessThanOrEqual(4);
      expect(await fleet.cooldowns()).toMatchObject([{ worker: cli, kind: 'auth-failure' }]);
      expect(eventsOf(run, 'session.ended')).toMatchObject([{ outcome: 'done', worker: 'spare' }]);
      expectClean(fleet);
    },
  );

  it.each<{ cli: CliName; scenario: Scenario }>([
    { cli: 'claude', scenario: claude.refusesConnections() },
    { cli: 'codex', scenario: codex.refusesConnections() },
    { cli: 'gemini', scenario: gemini.refusesConnections() },
  ])('a refused connection is given up after the patience: $cli', async ({ cli, scenario }) => {
    const fleet = await aFleet({ [cli]: scenario, spare: codex.says() });
    const run = await fleet.run(TASK, { args: ['--patience', '2s'] });
    expect(run).toMatchObject({ exitCode: 0 });
    // Left alone, Claude Code and Gemini CLI take minutes and Codex takes for ever.
    expect(eventsOf(run, 'attempt.ended')[0]?.['durationMs']).toBeLessThan(30_000);
    expect(await fleet.cooldowns()).toMatchObject([{ worker: cli, kind: 'connection-failure' }]);
    expect(eventsOf(run, 'session.ended')).toMatchObject([{ outcome: 'done', worker: 'spare' }]);
    expectClean(fleet);
  });
});

describe('a stream that breaks off', () => {
  it('is passed on to the next worker when the CLI does not ask again', async () => {
    // Claude Code and Codex ask again; Gemini CLI 0.61.0 ends with "terminated" and 1.
    const fleet = await aFleet({ gemini: gemini.cutThenSays(), spare: codex.says() });
    const run = await fleet.run(TASK);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(fleet.upstream.calls('gemini')).toHaveLength(1);
    expect(eventsOf(run, 'session.ended')).toMatchObject([{ outcome: 'done', worker: 'spare' }]);
    expectClean(fleet);
  });
});
