import type { DurationMs, EpochMs } from './time.ts';

/** One line that a child printed, without its line break. */
export interface Line {
  readonly channel: 'stdout' | 'stderr';
  readonly text: string;
  /** When it was read; resets named by a time of day or a duration count from here. */
  readonly at: EpochMs;
  /** The same moment on the monotonic clock, from whatever beginning: how long things take is counted on it. */
  readonly monotonic: DurationMs;
  /** The line was longer than the reader keeps, and only its beginning is here. */
  readonly cut?: boolean;
  /** The same as `text` before it is decoded, where it was just read: to look at a long line without reading all of it. */
  readonly bytes?: LineBytes;
}

/** A line as it came. In UTF-8 what is ASCII stands for itself and is never a part of another letter. */
export interface LineBytes {
  readonly length: number;
  /** The byte there; `undefined` outside of the line. */
  readonly at: (index: number) => number | undefined;
  /** Where `ascii` begins for the first time from `from` on; -1: nowhere. */
  readonly indexOf: (ascii: string, from?: number) => number;
  /** A piece, decoded. */
  readonly slice: (from: number, to?: number) => string;
}

/** How a child ended: by itself with a code, or by a signal. */
export interface Exit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}
