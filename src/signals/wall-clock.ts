import { TZDate } from '@date-fns/tz';
import { tzOffset } from '@date-fns/tz/tzOffset';
import { addDays } from 'date-fns/addDays';
import { addYears } from 'date-fns/addYears';
import type { EpochMs } from '../core/time.ts';
import { DAY, epochMs, MINUTE } from '../core/time.ts';

export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
}

export interface TimeOfDay {
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

export const MIDNIGHT: TimeOfDay = { hours: 0, minutes: 0, seconds: 0 };

/** Clocks differ and codex drops the seconds: a moment this far back is still the one that was meant. */
export const GRACE = 2 * MINUTE;

/**
 * The instant at which the clocks of `zone` show this. A time that a DST change skips or repeats has two candidate
 * instants, one for each offset; the later one is taken, so that nobody wakes before the limit has opened.
 * `undefined` for a day or time that no calendar has.
 */
export function instantOf(day: CalendarDay, time: TimeOfDay, zone: string): EpochMs | undefined {
  const shown = Date.UTC(day.year, day.month - 1, day.day, time.hours, time.minutes, time.seconds);
  if (!isOnCalendar(day, time) || Number.isNaN(shown)) return undefined;
  const candidates = [shown - DAY, shown + DAY].map(
    (nearby) => shown - tzOffset(zone, new Date(nearby)) * MINUTE,
  );
  const real = candidates.filter((instant) => instant + tzOffset(zone, new Date(instant)) * MINUTE === shown);
  const latest = Math.max(...(real.length > 0 ? real : candidates));
  return Number.isFinite(latest) ? epochMs(latest) : undefined;
}

function isOnCalendar({ year, month, day }: CalendarDay, { hours, minutes, seconds }: TimeOfDay): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    date.getUTCFullYear() === year &&
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hours >= 0 &&
    hours <= 23 &&
    minutes >= 0 &&
    minutes <= 59 &&
    seconds >= 0 &&
    seconds <= 59
  );
}

/** The calendar day that `zone` has at `at`, moved by whole days. */
export function dayIn(zone: string, at: EpochMs, move = 0): CalendarDay {
  const date = addDays(new TZDate(at, zone), move);
  return { year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() };
}

/** 0 for Sunday, as in the calendar of `zone`. */
export function weekdayOf(day: CalendarDay): number {
  return new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay();
}

/** The first instant not before `at` (with grace) at which `zone` shows this time, on a day that `suits`. */
export function nextTimeOfDay(
  time: TimeOfDay,
  zone: string,
  at: EpochMs,
  suits: (day: CalendarDay) => boolean = () => true,
): EpochMs | undefined {
  // From yesterday, since 11:59 pm read a minute after midnight is yesterday's; to nine days on for a weekday name.
  for (let move = -1; move <= 9; move += 1) {
    const day = dayIn(zone, at, move);
    const instant = suits(day) ? instantOf(day, time, zone) : undefined;
    if (instant !== undefined && instant >= at - GRACE) return instant;
  }
  return undefined;
}

/**
 * A month and day without a year: this year's, or next year's when this year's is past. No vendor names a limit most of
 * a year ahead, so a date of the last two months is over, not due next year, and says nothing.
 */
export function nextDate(
  month: number,
  day: number,
  time: TimeOfDay,
  zone: string,
  at: EpochMs,
): EpochMs | undefined {
  const year = dayIn(zone, at).year;
  for (const candidate of [year - 1, year, year + 1]) {
    const instant = instantOf({ year: candidate, month, day }, time, zone);
    if (instant === undefined || instant < at - GRACE) continue;
    return instant <= addDays(addYears(new Date(at), 1), -60).getTime() ? instant : undefined;
  }
  return undefined;
}
