import type { DurationMs, EpochMs } from '../core/time.ts';

/** The only source of time. Everything else is handed one, so tests set the hour and no rule waits for real. */
export interface Clock {
  /** The wall clock: it may jump. For instants that are compared with what vendors name. */
  now(): EpochMs;
  /** Never goes back: for every budget, wait and measured length. */
  monotonic(): DurationMs;
  /** Resolves after `duration` on the monotonic clock, or at once when `signal` is aborted: look at the signal. */
  sleep(duration: DurationMs, signal?: AbortSignal): Promise<void>;
}

/** Node keeps a timer's delay in 32 bits and fires at once beyond them, so longer sleeps are cut into pieces. */
const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now() as EpochMs,
  // Not `performance.now()`, whose half a dozen modules Node loads when it is first asked for.
  monotonic: () => (Number(process.hrtime.bigint()) / 1e6) as DurationMs,
  async sleep(duration, signal) {
    let left: number = duration;
    while (left > 0 && signal?.aborted !== true) {
      await timer(Math.min(left, LONGEST_TIMER), signal);
      left -= LONGEST_TIMER;
    }
  },
};

function timer(delay: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(handle);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const handle = setTimeout(finish, delay);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
