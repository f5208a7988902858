import type { DurationMs, EpochMs, WallTime } from '../core/time.ts';
import { between, DAY, formatDuration } from '../core/time.ts';

/** Where a time is read: by the IANA name of the zone, or by a clock that hangs there. */
type Zone = string | ((instant: EpochMs) => WallTime);

/** `21:44`, or `Dec 2, 19:53` on another day: the reader's own zone. */
export function formatInstant(instant: EpochMs, now: EpochMs, zone: Zone): string {
  return onItsDay(instant, now, zone, ['hour', 'minute']);
}

/** The same, to the second. */
export function formatMoment(instant: EpochMs, now: EpochMs, zone: Zone): string {
  return onItsDay(instant, now, zone, ['hour', 'minute', 'second']);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function onItsDay(instant: EpochMs, now: EpochMs, zone: Zone, parts: readonly (keyof WallTime)[]): string {
  const [then, today] = [wallTime(instant, zone), wallTime(now, zone)];
  const time = parts.map((part) => String(then[part]).padStart(2, '0')).join(':');
  if (then.day === today.day && then.month === today.month && then.year === today.year) return time;
  const year = Math.abs(instant - now) < 180 * DAY ? '' : `, ${String(then.year)}`;
  return `${MONTHS[then.month - 1] ?? ''} ${String(then.day)}${year}, ${time}`;
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

export function formatSeconds(duration: DurationMs): string {
  return duration < 10_000 ? `${(duration / 1_000).toFixed(1)}s` : formatDuration(duration);
}
