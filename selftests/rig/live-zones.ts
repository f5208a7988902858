const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * An instant later on the same day in `zone`, where the day has that much left; just before midnight there is none
 * worth speaking of, and it lies on the next. Whole seconds, as vendors name them.
 */
export function laterToday(now: number, zone: string): number {
  const left = 24 * HOUR - sinceMidnight(now, zone);
  return wholeSeconds(now + (left < 10 * MINUTE ? 2 * HOUR : Math.min(2 * HOUR, left / 2)));
}

/** An instant on another day, wherever one lives. */
export function inThreeDays(now: number): number {
  return wholeSeconds(now + 3 * 24 * HOUR);
}

export function isSameDay(one: number, other: number, zone: string): boolean {
  const day = new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short' });
  return day.format(one) === day.format(other);
}

export function isSameMinute(one: number, other: number): boolean {
  return Math.floor(one / MINUTE) === Math.floor(other / MINUTE);
}

/** By the clock on the wall: on the two days a year on which the clock is set, an hour off, which does no harm here. */
function sinceMidnight(now: number, zone: string): number {
  const wall = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const part = (type: string): number =>
    Number(wall.formatToParts(now).find((found) => found.type === type)?.value);
  return part('hour') * HOUR + part('minute') * MINUTE;
}

function wholeSeconds(instant: number): number {
  return Math.floor(instant / 1_000) * 1_000;
}
