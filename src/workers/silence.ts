import type { DurationMs } from '../core/time.ts';
import { durationMs, SECOND } from '../core/time.ts';
import type { Clock } from '../system/clock.ts';
import { awakeTime } from '../system/suspend.ts';

/** Whoever wakes so much later than asked for was not running. */
const WOKEN_LATE = durationMs(SECOND);

/** How long a child has said nothing. */
export interface Silence {
  readonly heardNow: () => void;
  /** Calls `then` once it has been silent for `idleMs`, unless it is over before. */
  readonly whenAsLongAs: (idleMs: DurationMs, then: () => void) => Promise<void>;
}

/** A child is stopped by Ctrl-Z as we are, so only the time counts in which it could have said something. */
export function silenceOf(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  over: AbortSignal,
  awake: () => DurationMs = awakeTime(clock),
): Silence {
  let heardAt = awake();
  const heardNow = (): void => {
    heardAt = awake();
  };
  const whenAsLongAs = async (idleMs: DurationMs, then: () => void): Promise<void> => {
    for (;;) {
      const since = awake();
      const left = heardAt + idleMs - since;
      if (over.aborted) return;
      if (left <= 0) {
        then();
        return;
      }
      await clock.sleep(durationMs(left), over);
      // Stopped from elsewhere, or asleep with the whole machine: what was printed meanwhile could not be read, so the silence begins anew.
      if (awake() - since - left > WOKEN_LATE) heardNow();
    }
  };
  return { heardNow, whenAsLongAs };
}
