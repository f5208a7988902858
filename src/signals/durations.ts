import type { DurationMs } from '../core/time.ts';
import { DAY, durationMs, HOUR, MINUTE, SECOND } from '../core/time.ts';

/** Every spelling of a unit seen in the corpus; Go prints `539.477544ms` and `1h2m3s`, codex up to 0.40 whole words. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  millisecond: 1,
  s: SECOND,
  sec: SECOND,
  second: SECOND,
  m: MINUTE,
  min: MINUTE,
  minute: MINUTE,
  h: HOUR,
  hr: HOUR,
  hour: HOUR,
  d: DAY,
  day: DAY,
  w: 7 * DAY,
  wk: 7 * DAY,
  week: 7 * DAY,
  // Localised app texts: Arabic seconds, minutes and hours.
  ثانية: SECOND,
  ثواني: SECOND,
  دقيقة: MINUTE,
  ساعة: HOUR,
};

/** One amount with its unit; parts may touch, or be parted by spaces, commas and `and`. */
const PART =
  /\s*(?:,\s*)?(?:and\s+)?(\d+(?:\.\d+)?|an?(?=\s))\s*(milliseconds?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|wks?|ms|µs|us|ns|[smhdw]|ثانية|ثواني|دقيقة|ساعة)(?![a-zA-Z])/iy;

/** Longer than any quota window by far; beyond it a number is a vendor's slip (milliseconds multiplied by 1,000). */
const ABSURD = 400 * DAY;

/**
 * Reads a length of time: `3h5m20s`, `4 days 20 hours 9 minutes`, `6 days and 18 hours`, `34.07s`, `539.477544ms`,
 * `6m0s`. Anything else, and anything beyond 400 days, is `undefined`. Rounded up to a whole millisecond.
 */
export function readDuration(text: string): DurationMs | undefined {
  const trimmed = text.trim();
  const found = durationAtStart(trimmed);
  return found?.length === trimmed.length ? found.duration : undefined;
}

/** The length of time that a text begins with, and how many characters it takes. */
export function durationAtStart(
  text: string,
): { readonly duration: DurationMs; readonly length: number } | undefined {
  const part = new RegExp(PART);
  const start = /^\s*(?:~|about |approximately )?/i.exec(text)?.[0].length ?? 0;
  let total = 0;
  let end = start;
  for (part.lastIndex = start; ; end = part.lastIndex) {
    const match = part.exec(text);
    if (match === null) break;
    const [, amount = '', unit = ''] = match;
    total += (/^an?$/i.test(amount) ? 1 : Number(amount)) * lengthOf(unit);
  }
  const rounded = Math.ceil(total);
  return end > start && rounded <= ABSURD ? { duration: durationMs(rounded), length: end } : undefined;
}

function lengthOf(unit: string): number {
  const name = unit.toLowerCase();
  return UNITS[name] ?? UNITS[name.replace(/s$/, '')] ?? 0;
}
