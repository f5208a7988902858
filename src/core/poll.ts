import type { SeatId } from './ids.ts';
import type { EpochMs } from './time.ts';
import { after, durationMs, HOUR, MINUTE } from './time.ts';

/** What is remembered of asking a seat for its windows. It is the asking's own, and no business of cooldowns or health. */
export interface Poll {
  readonly seat: SeatId;
  readonly at: EpochMs;
  /** How many in a row got no answer. */
  readonly failures: number;
  /** When whoever was asked wants to be asked again, where it said so. */
  readonly notBefore: EpochMs | undefined;
  /** Why the last one got no answer. */
  readonly why: string | undefined;
}

const FIRST_PAUSE = MINUTE;
const LONGEST_PAUSE = durationMs(6 * HOUR);
/** A `Retry-After` is taken at its word up to here. */
const LONGEST_ASKED = durationMs(24 * HOUR);

/** What is remembered after an answer, or after none: why, and when whoever was asked wants to be asked again. */
export function polled(
  before: Poll | undefined,
  seat: SeatId,
  failure: { readonly why: string; readonly retryAt?: EpochMs | undefined } | undefined,
  now: EpochMs,
): Poll {
  if (failure === undefined) return { seat, at: now, failures: 0, notBefore: undefined, why: undefined };
  const { why, retryAt } = failure;
  const last = after(now, LONGEST_ASKED);
  const notBefore = retryAt !== undefined && retryAt > last ? last : retryAt;
  return { seat, at: now, failures: (before?.failures ?? 0) + 1, notBefore, why };
}

/**
 * Until when a seat is not to be asked; `undefined`: it may be. By itself it is asked less and less often while there is
 * no answer; a person who asks by hand is held back only by what the other side named. What is dated after now is not
 * believed.
 */
export function pausedUntil(poll: Poll | undefined, now: EpochMs, isByHand: boolean): EpochMs | undefined {
  if (poll === undefined || poll.failures === 0 || poll.at > after(now, MINUTE)) return undefined;
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(poll.failures - 1, 20), LONGEST_PAUSE);
  const own = isByHand ? now : after(poll.at, durationMs(pause));
  const until = poll.notBefore !== undefined && poll.notBefore > own ? poll.notBefore : own;
  return until > now ? until : undefined;
}
