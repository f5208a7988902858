import { durationMs, SECOND } from '../../../core/time.ts';
import { epochSecondsIn } from '../../../upstream/scenario.ts';
import * as codex from '../../../upstream/scenarios/codex.ts';
import { PRINT_TRAP_LINES, TRAP_LINES } from '../../../upstream/scenarios/words.ts';
import type { LiveCase } from '../live-case.ts';
import { BRIEF_HOLD, first, FULL, IMPATIENT, REMEMBER, REMEMBERED, SILENCE } from './common.ts';
import { THREE_DAYS, TO_THE_MINUTE, TO_THE_SECOND, TWO_HOURS } from './common.ts';

const SHORT = epochSecondsIn(durationMs(4 * SECOND));

/** Codex never sleeps on a closed window: it exits, and names its reset to the minute or only in a file of its own. */
export const codexCases: readonly LiveCase[] = [
  { name: 'success', scenario: codex.says(), expected: { type: 'done' } },
  {
    name: 'closed window that exits',
    scenario: codex.closedWindow({ resetsIn: TWO_HOURS }),
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: 'seat', calls: 1 },
      reset: { in: TWO_HOURS, within: TO_THE_MINUTE },
    },
  },
  {
    name: 'closed window, reset in a file',
    scenario: codex.usageLimit({ windows: codex.fullFiveHours() }),
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: 'seat', calls: 1 },
      reset: { in: TWO_HOURS, within: TO_THE_SECOND },
    },
  },
  {
    name: 'weekly window',
    scenario: codex.usageLimit({ resetsAt: epochSecondsIn(THREE_DAYS) }),
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: 'seat', calls: 1 },
      reset: { in: THREE_DAYS, within: TO_THE_MINUTE },
    },
  },
  {
    name: 'model window',
    scenario: codex.closedModelWindow({ resetsIn: TWO_HOURS }),
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: 'model:gpt-5.3-codex-spark', calls: 1 },
      reset: { in: TWO_HOURS, within: TO_THE_MINUTE },
    },
  },
  {
    name: 'throttle that recovers',
    scenario: codex.throttledThenSays(),
    expected: { type: 'recovers' },
  },
  {
    name: 'overload that recovers',
    scenario: codex.overloadedThenSays(),
    expected: { type: 'recovers' },
  },
  {
    name: 'overload for ever',
    scenario: codex.overloadedForEver(),
    flags: BRIEF_HOLD,
    expected: { type: 'passed-on' },
  },
  {
    name: 'bad login',
    scenario: codex.badLogin(),
    expected: { type: 'rests', kind: 'auth-failure', scope: 'seat', reset: undefined, calls: 4 },
  },
  {
    name: 'no balance',
    scenario: codex.noBalance(),
    expected: { type: 'rests', kind: 'out-of-credits', scope: 'seat', reset: undefined, calls: 1 },
  },
  {
    name: 'refused connection',
    scenario: codex.refusesConnections(),
    flags: IMPATIENT,
    expected: { type: 'rests', kind: 'connection-failure', scope: 'seat', reset: undefined, calls: 0 },
  },
  { name: 'cut stream', scenario: codex.cutThenSays(), expected: { type: 'survives' } },
  {
    name: 'trap text',
    scenario: codex.runs(PRINT_TRAP_LINES, TRAP_LINES[1]),
    flags: FULL,
    expected: { type: 'done', text: TRAP_LINES[1], saw: TRAP_LINES },
  },
  {
    name: 'window that opens again',
    scenario: first(
      codex.runs(REMEMBER),
      codex.usageLimit({ windows: codex.fullFiveHours(SHORT) }).steps[0],
      codex.says().steps[0],
    ),
    flags: FULL,
    expected: { type: 'goes-on', remembers: REMEMBERED },
  },
  {
    name: 'resume after a kill',
    scenario: first(codex.runs(REMEMBER), SILENCE, codex.says().steps[0]),
    flags: FULL,
    expected: { type: 'resumes', remembers: REMEMBERED },
  },
];
