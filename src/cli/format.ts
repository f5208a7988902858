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

/**
 * Text that others wrote, made safe for a terminal: whatever moves the cursor, sets a title or hides text is shown as
 * what it is not obeyed. Line breaks and tabs stay.
 */
export function harmless(text: string): string {
  return text
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '\u{fffd}');
}

/** Text for the middle of a line: `harmless`, and without breaks, so that nothing in it can pass for a line of ours. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/[\n\t\u2028\u2029]+/g, ' ');
}

/** A value with `harmlessLine` done to every text in it. */
export function harmlessFields<T>(value: T): T {
  if (typeof value === 'string') return harmlessLine(value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => harmlessFields(one)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [key, harmlessFields(inner)]),
  ) as T;
}

/** JSON that may be shown on a terminal as it is: what JSON leaves unescaped and a terminal may obey is escaped too. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
