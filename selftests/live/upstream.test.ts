import { expect, it } from 'vitest';
import { durationMs, HOUR, SECOND } from '../../src/core/time.ts';
import type { Scenario } from '../../src/upstream/scenario.ts';
import * as claude from '../../src/upstream/scenarios/claude.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import * as gemini from '../../src/upstream/scenarios/gemini.ts';
import { PLAIN_ANSWER } from '../../src/upstream/scenarios/words.ts';
import { aFleet } from '../rig/live-fleet.ts';
import { shapeOf, shapeOfFixture } from '../rig/live-shape.ts';
import type { CliName, WorkerOptions } from '../rig/live-workers.ts';

/** Each real CLI alone, without secondwind: when a fixture grows old or a scenario is wrong, it shows here first. */

const ARGS: Readonly<Record<CliName, readonly string[]>> = {
  claude: ['-p', 'say hi', '--output-format', 'stream-json', '--verbose'],
  codex: ['exec', '--json', '--skip-git-repo-check', 'say hi'],
  gemini: ['-m', 'gemini-2.5-pro', '-p', 'say hi', '-o', 'stream-json', '--skip-trust'],
};

interface Case {
  readonly fixture: `${CliName}/${string}`;
  readonly scenario: Scenario;
  readonly options?: WorkerOptions;
  /** The line after which the CLI would sleep for hours. */
  readonly sleepsAfter?: RegExp;
}

const apiKey: WorkerOptions = { login: 'api-key' };
const twoHours = durationMs(2 * HOUR);

const CASES: readonly Case[] = [
  { fixture: 'claude/ok-oauth', scenario: claude.says(PLAIN_ANSWER, claude.openWindows()) },
  {
    fixture: 'claude/seat-exhausted-sleeps',
    scenario: claude.closedWindow({ window: 'five_hour', resetsIn: twoHours }),
    options: { env: { CLAUDE_CODE_RETRY_WATCHDOG: '1' } },
    sleepsAfter: /"api_retry"/,
  },
  {
    fixture: 'claude/seat-exhausted-exits',
    scenario: claude.closedWindow({ window: 'five_hour', resetsIn: twoHours }),
  },
  { fixture: 'claude/transient-429-recovers', scenario: claude.throttledThenSays(), options: apiKey },
  { fixture: 'claude/overloaded-recovers', scenario: claude.overloadedThenSays(), options: apiKey },
  { fixture: 'claude/credits-too-low', scenario: claude.noBalance(), options: apiKey },
  { fixture: 'codex/ok', scenario: codex.says() },
  { fixture: 'codex/usage-limit-plus-today', scenario: codex.closedWindow({ resetsIn: twoHours }) },
  { fixture: 'codex/usage-limit-no-time', scenario: codex.usageLimit({ windows: codex.fullFiveHours() }) },
  { fixture: 'codex/rate-limit-429-recovers', scenario: codex.throttledThenSays() },
  { fixture: 'codex/insufficient-quota', scenario: codex.noBalance() },
  { fixture: 'codex/stream-cut', scenario: codex.cutThenSays() },
  { fixture: 'gemini/ok', scenario: gemini.says() },
  {
    fixture: 'gemini/plan-quota-exhausted',
    scenario: gemini.closedWindow({ resetsIn: durationMs(11_120 * SECOND) }),
    sleepsAfter: /Retrying after/,
  },
  { fixture: 'gemini/daily-quota', scenario: gemini.closedDay() },
  { fixture: 'gemini/auth-invalid-key', scenario: gemini.badLogin() },
];

it.each(CASES)(
  'makes the real CLI print what $fixture holds',
  async ({ fixture, scenario, options, sleepsAfter }) => {
    const fleet = await aFleet({ alone: scenario }, options && { alone: options });
    const run = await fleet.bare('alone', ARGS[fleet.workers.alone.adapter], sleepsAfter);
    expect(shapeOf(run.stdout.split('\n'), run.stderr.split('\n'))).toEqual(shapeOfFixture(fixture));
    expect(fleet.upstream.strays).toEqual([]);
  },
);
