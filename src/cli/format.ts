import type { DurationMs, EpochMs } from '../core/time.ts';
import { between, DAY, formatDuration } from '../core/time.ts';

/** `21:44`, or `Dec 2, 19:53` on another day: the reader's own zone. */
export function formatInstant(instant: EpochMs, now: EpochMs, zone: string): string {
  return onItsDay(instant, now, zone, {});
}

/** The same, to the second. */
export function formatMoment(instant: EpochMs, now: EpochMs, zone: string): string {
  return onItsDay(instant, now, zone, { second: '2-digit' });
}

function onItsDay(instant: EpochMs, now: EpochMs, zone: string, seconds: Intl.DateTimeFormatOptions): string {
  const day = (at: EpochMs): string => format(at, zone, { year: 'numeric', month: 'short', day: 'numeric' });
  const time = format(instant, zone, {
    ...{ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
    ...seconds,
  });
  if (day(instant) === day(now)) return time;
  const isNear = Math.abs(instant - now) < 180 * DAY;
  return `${format(instant, zone, { month: 'short', day: 'numeric', ...(isNear ? {} : { year: 'numeric' }) })}, ${time}`;
}

/** `until 21:44 (in 2h)`, or `until cleared`. */
export function formatUntil(until: EpochMs | undefined, now: EpochMs, zone: string): string {
  if (until === undefined) return 'until cleared';
  return `until ${formatInstant(until, now, zone)} (in ${formatDuration(between(now, until))})`;
}

/** `at 21:44 (in 2h)`. */
export function formatBack(at: EpochMs, now: EpochMs, zone: string): string {
  return `at ${formatInstant(at, now, zone)} (in ${formatDuration(between(now, at))})`;
}

function format(instant: EpochMs, zone: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone }).format(instant);
}

export function formatSeconds(duration: DurationMs): string {
  return duration < 10_000 ? `${(duration / 1_000).toFixed(1)}s` : formatDuration(duration);
}
