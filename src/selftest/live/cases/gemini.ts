import { durationMs, SECOND } from '../../../core/time.ts';
import * as gemini from '../../../upstream/scenarios/gemini.ts';
import { PRINT_TRAP_LINES, TRAP_LINES } from '../../../upstream/scenarios/words.ts';
import type { LiveCase } from '../live-case.ts';
import { BRIEF_HOLD, first, FULL, IMPATIENT, REMEMBER, REMEMBERED, SILENCE } from './common.ts';
import { THREE_DAYS, TO_THE_SECOND, TWO_HOURS } from './common.ts';

const MODEL = 'model:gemini-2.5-pro';
const SHORT = durationMs(4 * SECOND);

/** It starts itself a second time, with more memory; where that is not the point it need not, and takes half as long. */
const ONE_START = { GEMINI_CLI_NO_RELAUNCH: 'true' };

/** All of Gemini's quotas are a model's. It tries again over everything that it may, and sleeps as long as it is told. */
export const geminiCases: readonly LiveCase[] = [
  { name: 'success', scenario: gemini.says(), expected: { type: 'done' } },
  {
    name: 'closed day that exits',
    scenario: gemini.closedDay(),
    env: ONE_START,
    expected: { type: 'rests', kind: 'rate-limit', scope: MODEL, reset: 'named', calls: 1 },
  },
  {
    name: 'closed window that sleeps',
    scenario: gemini.closedWindow({ resetsIn: TWO_HOURS }),
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: MODEL, calls: 1 },
      reset: { in: TWO_HOURS, within: TO_THE_SECOND },
    },
  },
  {
    name: 'weekly window',
    scenario: gemini.closedWindow({ resetsIn: THREE_DAYS }),
    env: ONE_START,
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: MODEL, calls: 1 },
      reset: { in: THREE_DAYS, within: TO_THE_SECOND },
    },
  },
  {
    name: 'throttle that recovers',
    scenario: gemini.throttledThenSays(),
    env: ONE_START,
    expected: { type: 'recovers' },
  },
  {
    name: 'overload that recovers',
    scenario: gemini.overloadedThenSays(),
    env: ONE_START,
    expected: { type: 'recovers' },
  },
  {
    name: 'overload for ever',
    scenario: gemini.overloadedForEver(),
    flags: BRIEF_HOLD,
    env: ONE_START,
    expected: { type: 'passed-on' },
  },
  {
    name: 'bad login',
    scenario: gemini.badLogin(),
    env: ONE_START,
    expected: { type: 'rests', kind: 'auth-failure', scope: 'seat', reset: undefined, calls: 2 },
  },
  {
    name: 'no balance',
    scenario: gemini.noBalance(),
    env: ONE_START,
    expected: { type: 'rests', kind: 'out-of-credits', scope: 'seat', reset: undefined, calls: 1 },
  },
  {
    name: 'refused connection',
    scenario: gemini.refusesConnections(),
    flags: IMPATIENT,
    env: ONE_START,
    expected: { type: 'rests', kind: 'connection-failure', scope: 'seat', reset: undefined, calls: 0 },
  },
  // It does not ask again when a stream breaks off (0.61.0): the next worker does it.
  { name: 'cut stream', scenario: gemini.cutThenSays(), env: ONE_START, expected: { type: 'survives' } },
  {
    name: 'trap text',
    scenario: gemini.runs(PRINT_TRAP_LINES, TRAP_LINES[1]),
    flags: FULL,
    env: ONE_START,
    expected: { type: 'done', text: TRAP_LINES[1], saw: TRAP_LINES },
  },
  {
    name: 'window that opens again',
    scenario: first(
      gemini.runs(REMEMBER),
      gemini.closedWindow({ resetsIn: SHORT }).steps[0],
      gemini.says().steps[0],
    ),
    flags: [...FULL, '--patience', '0'],
    env: ONE_START,
    expected: { type: 'goes-on', remembers: REMEMBERED },
  },
  {
    name: 'resume after a kill',
    scenario: first(gemini.runs(REMEMBER), SILENCE, gemini.says().steps[0]),
    flags: FULL,
    expected: { type: 'resumes', remembers: REMEMBERED },
  },
];
