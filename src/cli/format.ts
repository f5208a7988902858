import type { DurationMs, EpochMs, WallTime } from '../core/time.ts';
import { between, DAY, formatDuration } from '../core/time.ts';

/** Where a time is read: by the IANA name of the zone, or by a clock that hangs there. */
type Zone = string | ((instant: EpochMs) => WallTime);

/** `21:44`, or `Dec 2, 19:53` on another day: the reader's own zone. */
export function formatInstant(instant: EpochMs, now: EpochMs, zone: Zone): string {
  return instantFormatter(now, zone)(instant);
}

/** The same for many instants that are read at one moment. */
export function instantFormatter(now: EpochMs, zone: Zone): (instant: EpochMs) => string {
  const today = wallTime(now, zone);
  return (instant) => {
    const then = wallTime(instant, zone);
    return onItsDay(then, today, Math.abs(instant - now), `${two(then.hour)}:${two(then.minute)}`);
  };
}

/** The same, to the second. */
export function formatMoment(instant: EpochMs, now: EpochMs, zone: Zone): string {
  const then = wallTime(instant, zone);
  const time = `${two(then.hour)}:${two(then.minute)}:${two(then.second)}`;
  return onItsDay(then, wallTime(now, zone), Math.abs(instant - now), time);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `apart`: in milliseconds. */
function onItsDay({ day, month, year }: WallTime, today: WallTime, apart: number, time: string): string {
  if (day === today.day && month === today.month && year === today.year) return time;
  const inYear = apart < 180 * DAY ? '' : `, ${String(year)}`;
  return `${MONTHS[month - 1] ?? ''} ${String(day)}${inYear}, ${time}`;
}

function two(number: number): string {
  return number < 10 ? `0${String(number)}` : String(number);
}

function wallTime(instant: EpochMs, zone: Zone): WallTime {
  if (typeof zone === 'function') return zone(instant);
  const parts = readerIn(zone).formatToParts(instant);
  const read = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((part) => part.type === type)?.value);
  return {
    ...{ year: read('year'), month: read('month'), day: read('day') },
    ...{ hour: read('hour'), minute: read('minute'), second: read('second') },
  };
}

const readers = new Map<string, Intl.DateTimeFormat>();

/** Kept, as making one takes a hundred times as long as using it. */
function readerIn(zone: string): Intl.DateTimeFormat {
  const number = 'numeric';
  const reader =
    readers.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      ...{ year: number, month: number, day: number, hour: number, minute: number, second: number },
      ...{ hourCycle: 'h23', timeZone: zone },
    });
  readers.set(zone, reader);
  return reader;
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

/** How long something took, the same wherever it is told: `0.3s`, and from ten seconds on as any other length. */
export function formatSeconds(duration: DurationMs): string {
  return duration < 10_000 ? `${(duration / 1_000).toFixed(1)}s` : formatDuration(duration);
}
