import type { DurationMs } from '../core/time.ts';
import { durationMs, MINUTE } from '../core/time.ts';

const FIRST_PAUSE = MINUTE;
const LONGEST_PAUSE = durationMs(30 * MINUTE);

/** Three weeks of five-hour windows, or two days of pauses: whoever meets nothing else in them does not get the task done. */
const MOST_REFUSALS = 100;

/**
 * How long a session does not ask a worker again that has been refused in it so many times before, whatever reset was
 * named: not at all the first time, then a pause that doubles, in the end for good. Two seats that name a second each would
 * else be asked in turn for ever, and so would four of which each takes a quarter of the longest pause to be refused.
 */
export function pauseAfter(refusals: number): DurationMs | 'for good' | undefined {
  if (refusals === 0) return undefined;
  return refusals < MOST_REFUSALS
    ? durationMs(Math.min(FIRST_PAUSE * 2 ** (refusals - 1), LONGEST_PAUSE))
    : 'for good';
}
