import { DAY, durationMs, HOUR, MINUTE, SECOND } from '../../../core/time.ts';
import type { Played, Step } from '../../../upstream/scenario.ts';

export const TWO_HOURS = durationMs(2 * HOUR);
export const THREE_DAYS = durationMs(3 * DAY);

/** How exactly a reset is named: in seconds, or, by Codex in words, in minutes. */
export const TO_THE_SECOND = durationMs(2 * SECOND);
export const TO_THE_MINUTE = MINUTE;

/** Short budgets, so that nobody sits through minutes to see that they end. */
export const IMPATIENT = ['--patience', '2s'];
export const BRIEF_HOLD = ['--hold', '3s'];
export const FULL = ['--permissions', 'full'];

/** What a tool prints in the middle of the work: it has to be known still when the work goes on. */
export const REMEMBERED = 'the-crew-was-here';
export const REMEMBER = `echo ${REMEMBERED}`;

/** The provider says nothing for longer than anybody is given here. */
export const SILENCE: Step = { status: 500, body: {}, delay: durationMs(2 * MINUTE) };

/** One scenario after another: the steps of the first, but its last, then those of the second. */
export function first(work: Played, ...then: readonly [Step, ...Step[]]): Played {
  return { wire: work.wire, steps: [work.steps[0], ...then] };
}
