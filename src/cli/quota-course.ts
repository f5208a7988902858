import { FULL_PERCENT } from '../core/quota.ts';
import type { SeatId } from '../core/ids.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { after, durationMs, MINUTE } from '../core/time.ts';
import type { Sample } from './quota-samples.ts';

/** Something that happened to a window again and again. */
export interface Occasions {
  readonly count: number;
  /** The newest ones, oldest first. */
  readonly newest: readonly EpochMs[];
}

/** The time that is looked at, in so many steps. */
export interface Span {
  readonly since: EpochMs;
  readonly until: EpochMs;
  readonly steps: number;
}

/** Vendors name the same reset some seconds apart. */
const SAME_RESET = durationMs(5 * MINUTE);
/** A window that names no reset and is suddenly emptier by so many percent has begun anew. */
const DROP = 5;
const MOST_KEPT = 200;

/** The course of one window over a span of time, put together sample by sample in bounded memory. */
export class Course {
  readonly seat: SeatId;
  readonly window: string;
  readonly #span: Span;
  /** The highest of every step; `undefined`: nobody knows. */
  readonly #levels: (number | undefined)[];
  readonly #filled = new Kept();
  readonly #resets = new Kept();
  #last: Sample | undefined;
  #isFull = false;
  samples = 0;
  sessions = 0;
  costUsd: number | undefined;
  highest: number | undefined;

  constructor({ seat, window }: Pick<Sample, 'seat' | 'window'>, span: Span) {
    this.seat = seat;
    this.window = window;
    this.#span = span;
    this.#levels = Array.from({ length: span.steps });
  }

  /** Samples come oldest first. */
  add(sample: Sample): void {
    this.samples += 1;
    this.sessions += sample.sessions;
    if (sample.costUsd !== undefined) this.costUsd = (this.costUsd ?? 0) + sample.costUsd;
    const before = this.#last;
    if (before !== undefined) {
      const resetAt = resetBetween(before, sample);
      this.#carry(before, resetAt ?? sample.at);
      if (resetAt !== undefined) this.#wasReset(resetAt);
    }
    const { usedPercent } = sample;
    if (usedPercent !== undefined) {
      this.highest = Math.max(this.highest ?? 0, usedPercent);
      if (usedPercent >= FULL_PERCENT && !this.#isFull) {
        this.#isFull = true;
        this.#filled.add(sample.at);
      }
    }
    this.#last = sample;
    this.#mark(sample.at, sample.at, usedPercent);
  }

  /** No more samples come. */
  end(): void {
    const last = this.#last;
    if (last === undefined) return;
    const { until } = this.#span;
    const isOver = last.resetAt !== undefined && last.resetAt <= until;
    this.#carry(last, isOver ? last.resetAt : until);
    if (isOver) this.#wasReset(last.resetAt);
  }

  /** How full it is at the end of the span; `undefined`: nobody knows. */
  get level(): number | undefined {
    const last = this.#last;
    return last?.resetAt !== undefined && last.resetAt <= this.#span.until ? undefined : last?.usedPercent;
  }

  get levels(): readonly (number | undefined)[] {
    return this.#levels;
  }

  get filled(): Occasions {
    return this.#filled.all;
  }

  get resets(): Occasions {
    return this.#resets.all;
  }

  #wasReset(at: EpochMs): void {
    this.#isFull = false;
    this.#resets.add(at);
  }

  /** What was seen holds until the window begins anew; of one without a reset nobody knows how long. */
  #carry({ at, usedPercent, resetAt }: Sample, to: EpochMs): void {
    if (resetAt !== undefined) this.#mark(at, resetAt < to ? resetAt : to, usedPercent);
  }

  #mark(from: EpochMs, to: EpochMs, level: number | undefined): void {
    if (level === undefined || to < this.#span.since) return;
    const last = this.#stepOf(to);
    for (let step = this.#stepOf(from); step <= last; step += 1)
      this.#levels[step] = Math.max(this.#levels[step] ?? 0, level);
  }

  #stepOf(at: EpochMs): number {
    const { since, until, steps } = this.#span;
    const step = Math.floor(((at - since) / (until - since)) * steps);
    return Math.min(steps - 1, Math.max(0, step));
  }
}

/** When the window began anew between two samples of it; `undefined`: it did not. */
function resetBetween(before: Sample, next: Sample): EpochMs | undefined {
  if (before.resetAt !== undefined && next.resetAt !== undefined) {
    if (next.resetAt <= after(before.resetAt, SAME_RESET)) return undefined;
    return before.resetAt < next.at ? before.resetAt : next.at;
  }
  if (before.resetAt !== undefined) return before.resetAt <= next.at ? before.resetAt : undefined;
  const drop = (before.usedPercent ?? 0) - (next.usedPercent ?? before.usedPercent ?? 0);
  return drop > DROP ? next.at : undefined;
}

class Kept {
  #count = 0;
  #newest: EpochMs[] = [];

  add(at: EpochMs): void {
    this.#count += 1;
    this.#newest = [...this.#newest.slice(1 - MOST_KEPT), at];
  }

  get all(): Occasions {
    return { count: this.#count, newest: this.#newest };
  }
}

/** How long one step of a span is. */
export function stepOf({ since, until, steps }: Span): DurationMs {
  return durationMs((until - since) / steps);
}
