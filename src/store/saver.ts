import type { SessionRecord } from '../core/session.ts';
import type { DurationMs } from '../core/time.ts';
import { durationMs } from '../core/time.ts';
import type { Clock } from '../system/clock.ts';

/**
 * How far saves are apart that nobody waits for: an agent at work tells something many times a second, and each save takes
 * the lock and waits for the disk twice.
 */
const APART = durationMs(100);

/** Saves the newest record of one session, one at a time. */
export class Saver {
  readonly #clock: Pick<Clock, 'monotonic' | 'sleep'>;
  readonly #write: (record: SessionRecord) => Promise<boolean>;
  #next: SessionRecord | undefined;
  #running: Promise<void> | undefined;
  #saved: SessionRecord | undefined;
  #lastAt: DurationMs | undefined;
  #isWaitedFor = false;
  #pause: AbortController | undefined;

  /** `write` resolves with whether the record is saved. */
  constructor(clock: Pick<Clock, 'monotonic' | 'sleep'>, write: (record: SessionRecord) => Promise<boolean>) {
    this.#clock = clock;
    this.#write = write;
  }

  take(record: SessionRecord): void {
    this.#next = record;
    this.#running ??= this.#run();
  }

  /** Resolves when what was taken is saved, or cannot be: with whether it is. Somebody waits, so it is not put off. */
  async idle(): Promise<boolean> {
    if (this.#running !== undefined) {
      this.#isWaitedFor = true;
      this.#pause?.abort();
      await this.#running;
    }
    return this.#saved !== undefined;
  }

  async #run(): Promise<void> {
    // What is taken in this same turn is saved as one.
    await Promise.resolve();
    while (this.#next !== undefined) {
      await this.#waitForTurn();
      const record = this.#next;
      this.#next = undefined;
      if (this.#saved !== undefined && areSame(record, this.#saved)) continue;
      this.#saved = (await this.#write(record)) ? record : undefined;
      this.#lastAt = this.#clock.monotonic();
    }
    this.#running = undefined;
    this.#isWaitedFor = false;
  }

  async #waitForTurn(): Promise<void> {
    if (this.#lastAt === undefined) return;
    const left = this.#lastAt + APART - this.#clock.monotonic();
    if (left <= 0 || this.#isWaitedFor) return;
    this.#pause = new AbortController();
    await this.#clock.sleep(durationMs(left), this.#pause.signal);
    this.#pause = undefined;
  }
}

/** All but when it was touched: what is not changed is the same object in both. */
function areSame(one: SessionRecord, other: SessionRecord): boolean {
  const keys = Object.keys({ ...one, ...other }) as (keyof SessionRecord)[];
  return keys.every((key) => key === 'updatedAt' || one[key] === other[key]);
}
