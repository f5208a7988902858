import { durationMs, SECOND } from '../../../core/time.ts';
import * as claude from '../../../upstream/scenarios/claude.ts';
import { PRINT_TRAP_LINES, TRAP_LINES } from '../../../upstream/scenarios/words.ts';
import type { LiveCase } from '../live-case.ts';
import { BRIEF_HOLD, first, FULL, IMPATIENT, REMEMBER, REMEMBERED, SILENCE } from './common.ts';
import { THREE_DAYS, TO_THE_SECOND, TWO_HOURS } from './common.ts';

const SHORT = durationMs(4 * SECOND);

export const claudeCases: readonly LiveCase[] = [
  {
    name: 'success',
    scenario: claude.says(undefined, claude.openWindows()),
    expected: { type: 'done' },
  },
  {
    name: 'closed window that exits',
    scenario: claude.closedWindow({ window: 'five_hour', resetsIn: TWO_HOURS }),
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: 'seat', calls: 1 },
      reset: { in: TWO_HOURS, within: TO_THE_SECOND },
    },
  },
  {
    name: 'closed window that sleeps',
    scenario: claude.closedWindow({ window: 'five_hour', resetsIn: TWO_HOURS }),
    env: { CLAUDE_CODE_RETRY_WATCHDOG: '1' },
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: 'seat', calls: 1 },
      reset: { in: TWO_HOURS, within: TO_THE_SECOND },
    },
  },
  {
    name: 'weekly window',
    scenario: claude.closedWindow({ window: 'seven_day', resetsIn: THREE_DAYS }),
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: 'seat', calls: 1 },
      reset: { in: THREE_DAYS, within: TO_THE_SECOND },
    },
  },
  {
    name: 'model window',
    scenario: claude.closedModelWindow({ resetsIn: THREE_DAYS }),
    model: 'opus',
    expected: {
      ...{ type: 'rests', kind: 'rate-limit', scope: 'model:opus', calls: 1 },
      reset: { in: THREE_DAYS, within: TO_THE_SECOND },
    },
  },
  {
    name: 'throttle that recovers',
    scenario: claude.throttledThenSays(),
    login: 'api-key',
    expected: { type: 'recovers' },
  },
  {
    name: 'overload that recovers',
    scenario: claude.overloadedThenSays(),
    expected: { type: 'recovers' },
  },
  {
    name: 'overload for ever',
    scenario: claude.overloadedForEver(),
    flags: BRIEF_HOLD,
    expected: { type: 'passed-on' },
  },
  {
    name: 'bad login',
    scenario: claude.badLogin(),
    login: 'api-key',
    expected: { type: 'rests', kind: 'auth-failure', scope: 'seat', reset: undefined, calls: 4 },
  },
  {
    name: 'no balance',
    scenario: claude.noBalance(),
    login: 'api-key',
    expected: { type: 'rests', kind: 'out-of-credits', scope: 'seat', reset: undefined, calls: 1 },
  },
  {
    name: 'refused connection',
    scenario: claude.refusesConnections(),
    flags: IMPATIENT,
    expected: { type: 'rests', kind: 'connection-failure', scope: 'seat', reset: undefined, calls: 0 },
  },
  { name: 'cut stream', scenario: claude.cutThenSays(), expected: { type: 'survives' } },
  {
    name: 'trap text',
    scenario: claude.runs(PRINT_TRAP_LINES, TRAP_LINES[1]),
    flags: FULL,
    expected: { type: 'done', text: TRAP_LINES[1], saw: TRAP_LINES },
  },
  {
    name: 'window that opens again',
    scenario: first(
      claude.runs(REMEMBER),
      claude.closedWindow({ window: 'five_hour', resetsIn: SHORT }).steps[0],
      claude.says().steps[0],
    ),
    flags: FULL,
    expected: { type: 'goes-on', remembers: REMEMBERED },
  },
  {
    name: 'resume after a kill',
    scenario: first(claude.runs(REMEMBER), SILENCE, claude.says().steps[0]),
    flags: FULL,
    expected: { type: 'resumes', remembers: REMEMBERED },
  },
];
