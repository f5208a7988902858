import type { Clock } from '../../src/system/clock.ts';
import type { DurationMs, EpochMs } from '../../src/core/time.ts';
import { durationMs, epochMs } from '../../src/core/time.ts';
import { systemClock } from '../../src/system/clock.ts';
import { NOW } from './a-cooldown.ts';

interface Sleeper {
  readonly of: object;
  at: number;
  readonly wake: () => void;
}

/**
 * A clock for many at once. One of them is at work at any moment; when it sleeps, time goes on to the first who wakes
 * (of several the one who lay down first), and that one is at work. So a night takes no time and is the same each time.
 */
export class NightClock {
  readonly #sleepers: Sleeper[] = [];
  #passed = 0;
  #atWork = 0;

  now(): EpochMs {
    return epochMs(NOW + this.#passed);
  }

  /** The clock as those see it who live and die together. */
  of(process: object): Clock {
    return {
      now: () => this.now(),
      monotonic: () => durationMs(this.#passed),
      sleep: (duration, signal) =>
        signal?.aborted === true ? Promise.resolve() : this.#sleep(process, duration, signal),
    };
  }

  /** For real files and locks: instants of the night, waits of the machine. */
  get ofFiles(): Clock {
    return { ...systemClock, now: () => this.now() };
  }

  /** Somebody more is there, from their turn on until `work` is over. */
  async play<Value>(process: object, work: () => Promise<Value>): Promise<Value> {
    this.#atWork += 1;
    await this.#sleep(process, durationMs(0));
    const value = await work();
    this.#leave();
    return value;
  }

  /** Nobody of these wakes again: a kill -9. */
  kill(process: object): void {
    const left = this.#sleepers.filter((sleeper) => sleeper.of !== process);
    this.#sleepers.splice(0, Infinity, ...left);
  }

  #sleep(of: object, duration: DurationMs, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const hurry = (): void => {
        sleeper.at = Math.min(sleeper.at, this.#passed);
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', hurry);
        resolve();
      };
      const sleeper = { of, at: Math.ceil(this.#passed + Math.max(0, duration)), wake };
      signal?.addEventListener('abort', hurry, { once: true });
      this.#sleepers.push(sleeper);
      this.#leave();
    });
  }

  #leave(): void {
    this.#atWork -= 1;
    // Whoever has just lain down is first let go of the turn in which it did.
    queueMicrotask(() => {
      if (this.#atWork > 0) return;
      const first = this.#sleepers.reduce<Sleeper | undefined>(
        (soonest, next) => (next.at < (soonest?.at ?? Infinity) ? next : soonest),
        undefined,
      );
      if (first === undefined) return;
      this.#sleepers.splice(this.#sleepers.indexOf(first), 1);
      this.#passed = Math.max(this.#passed, first.at);
      this.#atWork += 1;
      first.wake();
    });
  }
}
