import type { SeatId } from './ids.ts';
import type { DurationMs, EpochMs } from './time.ts';
import { after, durationMs, HOUR, MINUTE } from './time.ts';

/** What is remembered of asking a seat for its windows. It is the asking's own, and no business of cooldowns or health. */
export interface Poll {
  readonly seat: SeatId;
  readonly at: EpochMs;
  /** How many in a row got no answer. */
  readonly failures: number;
  /** It is not asked again before; `undefined`: whenever somebody wants to. */
  readonly notBefore: EpochMs | undefined;
  /** Why the last one got no answer. */
  readonly why: string | undefined;
}

const FIRST_PAUSE = MINUTE;
const LONGEST_PAUSE = durationMs(6 * HOUR);

/** What is remembered after an answer, or after none: `why`, and how long the provider asked to be left alone. */
export function polled(
  before: Poll | undefined,
  seat: SeatId,
  failure: { readonly why: string; readonly retryAfterMs: DurationMs | undefined } | undefined,
  now: EpochMs,
): Poll {
  if (failure === undefined) return { seat, at: now, failures: 0, notBefore: undefined, why: undefined };
  const failures = (before?.failures ?? 0) + 1;
  const pause = durationMs(Math.min(FIRST_PAUSE * 2 ** Math.min(failures - 1, 20), LONGEST_PAUSE));
  const asked = failure.retryAfterMs ?? durationMs(0);
  const wait = durationMs(Math.max(pause, Math.min(asked, 4 * LONGEST_PAUSE)));
  return { seat, at: now, failures, notBefore: after(now, wait), why: failure.why };
}

/** Until when a seat is not to be asked; `undefined`: it may be. What is dated after now is not believed. */
export function pausedUntil(poll: Poll | undefined, now: EpochMs): EpochMs | undefined {
  if (poll?.notBefore === undefined || poll.notBefore <= now || poll.at > after(now, MINUTE))
    return undefined;
  return poll.notBefore;
}
