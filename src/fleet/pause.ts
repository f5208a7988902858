import type { DurationMs } from '../core/time.ts';
import { durationMs, MINUTE } from '../core/time.ts';

const FIRST_PAUSE = MINUTE;
const LONGEST_PAUSE = durationMs(30 * MINUTE);

/**
 * How long a session does not ask a worker again that has been refused in it so many times before, whatever reset was
 * named: not at all the first time, then a pause that doubles. Two seats that name a second each would else be asked in turn
 * for ever.
 */
export function pauseAfter(refusals: number): DurationMs | undefined {
  return refusals === 0 ? undefined : durationMs(Math.min(FIRST_PAUSE * 2 ** (refusals - 1), LONGEST_PAUSE));
}
