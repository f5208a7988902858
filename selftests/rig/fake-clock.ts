import type { Clock } from '../../src/system/clock.ts';
import type { DurationMs, EpochMs } from '../../src/core/time.ts';
import { durationMs, epochMs } from '../../src/core/time.ts';
import { NOW } from './a-cooldown.ts';

/** A clock that stands still until somebody sleeps or sets it: a night takes no time, and nothing depends on today. */
export class FakeClock implements Clock {
  /** Every sleep asked for, in order. */
  readonly slept: number[] = [];
  #wall: number;
  #monotonic = 0;
  #onSleep: (slept: number) => void = () => undefined;

  constructor(now: number = NOW) {
    this.#wall = now;
  }

  now(): EpochMs {
    return epochMs(this.#wall);
  }

  monotonic(): DurationMs {
    return durationMs(this.#monotonic);
  }

  sleep(duration: DurationMs, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    this.slept.push(duration);
    this.pass(duration);
    this.#onSleep(this.slept.length);
    return Promise.resolve();
  }

  /** Lets time go by. */
  pass(duration: number): void {
    this.#wall += duration;
    this.#monotonic += duration;
  }

  /** Sets the wall clock alone, as a person, a time server or a laptop that wakes up does. */
  setWall(now: number): void {
    this.#wall = now;
  }

  /** Called after every sleep, with how many there were: what happens elsewhere meanwhile. */
  whenSleeping(then: (slept: number) => void): void {
    this.#onSleep = then;
  }
}
