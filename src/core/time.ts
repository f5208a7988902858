import type { Brand } from './brand.ts';
import type { Result } from './result.ts';
import { err, ok } from './result.ts';

/** An instant, in milliseconds since the Unix epoch. What all of our own code uses. */
export type EpochMs = Brand<number, 'EpochMs'>;
/** An instant, in seconds since the Unix epoch. What vendors print (`resetsAt`, `resets_at`). */
export type EpochSeconds = Brand<number, 'EpochSeconds'>;
/** A length of time in milliseconds; never negative when it is something to wait for. */
export type DurationMs = Brand<number, 'DurationMs'>;

export const SECOND = 1_000 as DurationMs;
export const MINUTE = 60_000 as DurationMs;
export const HOUR = 3_600_000 as DurationMs;
export const DAY = 86_400_000 as DurationMs;

export function epochMs(value: number): EpochMs {
  return value as EpochMs;
}

export function durationMs(value: number): DurationMs {
  return value as DurationMs;
}

export function fromSeconds(seconds: EpochSeconds): EpochMs {
  return (seconds * 1_000) as EpochMs;
}

export function after(instant: EpochMs, duration: DurationMs): EpochMs {
  return (instant + duration) as EpochMs;
}

/** From `start` to `end`; zero when `end` is not after `start`, so a clock set back never makes a negative wait. */
export function between(start: EpochMs, end: EpochMs): DurationMs {
  return Math.max(0, end - start) as DurationMs;
}

/** The years of four digits: ISO 8601 writes others in a way that `fromIso`, as most readers, does not take. */
const [FIRST, LAST] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** ISO 8601 in UTC, as in every event and state file; what is beyond the years of four digits is written as their end. */
export function toIso(instant: EpochMs): string {
  return new Date(Math.min(Math.max(instant, FIRST), LAST)).toISOString();
}

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

/** Reads an ISO 8601 instant that names its offset; anything else is `undefined`. */
export function fromIso(text: string): EpochMs | undefined {
  if (!ISO.test(text)) return undefined;
  const value = Date.parse(text);
  return Number.isNaN(value) ? undefined : (value as EpochMs);
}

/** What a clock and a calendar on some wall show. The first month is 1. */
export type WallTime = Readonly<Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>>;

/** Longer than anybody waits, and short enough that now and so long from now are both instants. */
const LONGEST = 36_500 * DAY;

const UNITS = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY } as const;

/**
 * Reads what a person types for a length of time: `90s`, `30m`, `5h`, `2d`, `1h30m`, or milliseconds as a bare
 * number. Fails with the sentence to show.
 */
export function parseDuration(text: string): Result<DurationMs, string> {
  const trimmed = text.trim();
  if (/^\d+$/.test(trimmed)) return bounded(Number(trimmed), text);
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(trimmed)) return err(notADuration(text));
  let total = 0;
  for (const [, amount, unit] of trimmed.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) {
    total += Number(amount) * UNITS[unit as keyof typeof UNITS];
  }
  return bounded(total, text);
}

function bounded(value: number, text: string): Result<DurationMs, string> {
  return value <= LONGEST
    ? ok(Math.round(value) as DurationMs)
    : err(`expected a duration of at most 100 years, but found '${text}'`);
}

function notADuration(text: string): string {
  return `expected a duration such as 90s, 30m, 5h or 2d, or milliseconds as a bare number, but found '${text}'`;
}

/** For people, two units at most: `2d 3h`, `1h 30m`, `45s`. Rounds up, so a countdown never says 0 s too early. */
export function formatDuration(duration: DurationMs): string {
  const seconds = Math.ceil(Math.max(0, duration) / SECOND);
  if (seconds < 60) return `${String(seconds)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return twoUnits(minutes, 'm', seconds % 60, 's');
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return twoUnits(hours, 'h', minutes % 60, 'm');
  return twoUnits(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function twoUnits(amount: number, unit: string, rest: number, smaller: string): string {
  const first = `${String(amount)}${unit}`;
  return rest === 0 ? first : `${first} ${String(rest)}${smaller}`;
}
