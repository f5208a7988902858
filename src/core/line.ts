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
}

/** How a child ended: by itself with a code, or by a signal. */
export interface Exit {
  readonly code: number | undefined;
  readonly signal: string | undefined;
}
