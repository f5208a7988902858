import type { EpochMs, EpochSeconds } from '../core/time.ts';
import { after, epochMs, fromSeconds } from '../core/time.ts';
import { durationAtStart } from './durations.ts';
import { dayIn, GRACE, instantOf, MIDNIGHT, nextDate, nextTimeOfDay, weekdayOf } from './wall-clock.ts';
import type { TimeOfDay } from './wall-clock.ts';
import { zoneOr } from './zone.ts';

/** What a text is read against: when it was printed, and the zone of the process that printed it. */
export interface Printed {
  readonly at: EpochMs;
  readonly zone: string;
}

/** One way in which vendors write a moment, matched at the start of what follows the lead-in. */
interface Form {
  readonly pattern: RegExp;
  readonly read: (groups: Groups, printed: Printed) => EpochMs | undefined;
}

/** Months by their first three letters: English, then Spanish and Portuguese as the localised apps print them. */
const MONTHS: Readonly<Record<string, number>> = {
  ...{ jan: 1, feb: 2, mar: 3, apr: 4, may: 5, jun: 6, jul: 7, aug: 8, sep: 9, oct: 10, nov: 11, dec: 12 },
  ...{ ene: 1, fev: 2, abr: 4, mai: 5, ago: 8, set: 9, out: 10, dez: 12, dic: 12 },
};
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const MONTH =
  '(?<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|ene|fev|abr|mai|ago|set|out|dez|dic)[a-zç]*)\\.?';
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const TIME =
  '(?<hours>\\d{1,2})(?:[:.h](?<minutes>\\d{2}))?(?::(?<seconds>\\d{2})(?:\\.\\d+)?)?(?:\\s*(?<half>[ap])\\.?\\s?m\\b\\.?)?';
const ZONE =
  '(?:\\s*\\((?<zone>[A-Za-z_+\\-\\u2212/0-9: ]+)\\)|\\s+(?<bareZone>(?:GMT|UTC)(?:[+\\-\\u2212]\\d{1,2}(?::?\\d{2})?)?|[A-Z]{2,4}T|[A-Z][a-z]+/[A-Z][A-Za-z_]+)(?![A-Za-z]))?';
const TO_TIME = '(?:,?\\s+(?:at\\s+|às\\s+|a las\\s+)?|,\\s*)';

const form = (pattern: string, read: Form['read']): Form => ({
  pattern: new RegExp(`^${pattern}`, 'i'),
  read,
});

/** Tried in this order; the first that reads wins, so longer forms stand before their own beginnings. */
const FORMS: readonly Form[] = [
  // claude -p 1.0.24 to 2.0.1: seconds. 13 digits are milliseconds: no limit ends in the year 40,000.
  form('(?<epoch>\\d{13}|\\d{10})(?!\\d)', ({ epoch = '' }) =>
    epoch.length === 13 ? epochMs(Number(epoch)) : fromSeconds(Number(epoch) as EpochSeconds),
  ),
  form(
    `(?<iso>\\d{4}-\\d{2}-\\d{2})(?:[T ]|\\s+at\\s+)(?<clock>\\d{1,2}:\\d{2}(?::\\d{2})?)(?:\\.\\d+)?(?:\\s?(?<offset>Z\\b|[+-]\\d{2}:?\\d{2}))?${ZONE}`,
    readIso,
  ),
  form('(?<iso>\\d{4}-\\d{2}-\\d{2})(?![\\dT])', readIso),
  form(
    '(?:[A-Za-z]{3,9},\\s+)?(?<http>\\d{1,2} [A-Za-z]{3} \\d{4} \\d{2}:\\d{2}:\\d{2} GMT)',
    ({ http = '' }) => instantOrNone(Date.parse(http)),
  ),
  // codex since 2025-10-30: `Feb 23rd, 2026 9:01 PM`; its app: `Apr 25, 2026, 12:54 AM`; copilot: `April 20, 2026 at 2:00 AM`
  form(`${MONTH}\\s+${DAY},?\\s+(?<year>\\d{4})(?:${TO_TIME}${TIME})?${ZONE}`, readDate),
  // claude 2.1.x: `Oct 9, 5pm (UTC)`, `Apr 23 at 4pm (America/Recife)`; a day alone is its midnight
  form(`${MONTH}\\s+${DAY}(?!\\d)(?:${TO_TIME}${TIME})?${ZONE}`, readDate),
  // codex app in Spanish and Portuguese: `26 may 2026, 2:40 p.m.`, `10 de jul. de 2026, 11:52`
  form(
    `${DAY}\\s+(?:de\\s+)?${MONTH}(?:\\s+(?:de\\s+)?(?<year>\\d{4}))?(?:${TO_TIME}${TIME})?${ZONE}`,
    readDate,
  ),
  // codex /status: `16:21 on 19 May`
  form(`${TIME}${ZONE}\\s+on\\s+${DAY}\\s+${MONTH}(?:\\s+(?<year>\\d{4}))?`, readDate),
  form(`${TIME}${ZONE}\\s+on\\s+${MONTH}\\s+${DAY}(?:,?\\s+(?<year>\\d{4}))?`, readDate),
  // cursor 2025: American order, no time, no zone
  form(`(?<month>\\d{1,2})/(?<day>\\d{1,2})/(?<year>\\d{4})(?:${TO_TIME}${TIME})?${ZONE}`, readDate),
  // codex app in Korean, Chinese and Japanese: `2026년 5월 26일 오후 2:40`, `2026年5月26日 14:40`
  form(
    `(?:(?<year>\\d{4})[년年]\\s*)?(?<month>\\d{1,2})[월月]\\s*(?<day>\\d{1,2})[일日]\\s*(?<eastHalf>오전|오후|上午|下午|午前|午後)?\\s*(?<hours>\\d{1,2}):(?<minutes>\\d{2})`,
    readDate,
  ),
  // claude's weekly window: `Mon 12:00am`
  form(
    `(?<weekday>sun|mon|tue|wed|thu|fri|sat)(?:day|s|sday|nesday|rs|rsday|urday)?\\b\\.?(?:${TO_TIME}${TIME})?${ZONE}`,
    readWeekday,
  ),
  form(`(?<tomorrow>tomorrow)(?:${TO_TIME}${TIME})?${ZONE}`, readTomorrow),
  form(`${TIME}${ZONE}\\s+(?<tomorrow>tomorrow)\\b`, readTomorrow),
  form(`(?:today\\s+(?:at\\s+)?)?${TIME}${ZONE}`, readTimeOfDay),
];

/** The moment that `text` begins with, in any form a vendor has been seen to print. */
export function momentAtStart(text: string, printed: Printed): EpochMs | undefined {
  const length = durationAtStart(text);
  if (length !== undefined) return after(printed.at, length.duration);
  for (const { pattern, read } of FORMS) {
    const groups = pattern.exec(text)?.groups;
    const instant = groups === undefined ? undefined : read(groups, printed);
    if (instant !== undefined) return instant >= printed.at - GRACE ? instant : undefined;
  }
  return undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;

function instantOrNone(value: number): EpochMs | undefined {
  return Number.isNaN(value) ? undefined : epochMs(value);
}

/** `undefined` for a bare number: without minutes or am/pm, `resets 5` is no time. */
function timeIn({ hours, minutes, seconds, half, eastHalf }: Groups): TimeOfDay | undefined {
  if (hours === undefined || (minutes === undefined && half === undefined)) return undefined;
  const hour = Number(hours);
  const later = half?.toLowerCase() === 'p' || /[후下後]/.test(eastHalf ?? '');
  const twelveHours = half !== undefined || eastHalf !== undefined;
  if (twelveHours && (hour < 1 || hour > 12)) return undefined;
  return {
    hours: twelveHours ? (hour % 12) + (later ? 12 : 0) : hour,
    minutes: Number(minutes ?? 0),
    seconds: Number(seconds ?? 0),
  };
}

function zoneIn({ zone, bareZone }: Groups, printed: Printed): string {
  return zoneOr(zone ?? bareZone, printed.zone);
}

function readIso(groups: Groups, printed: Printed): EpochMs | undefined {
  const [year = 0, month = 0, day = 0] = (groups['iso'] ?? '').split('-').map(Number);
  const [hours = 0, minutes = 0, seconds = 0] = (groups['clock'] ?? '0:00').split(':').map(Number);
  const offset = groups['offset'];
  const zone = offset === undefined ? zoneIn(groups, printed) : zoneOr(offset.toUpperCase(), 'UTC');
  return instantOf({ year, month, day }, { hours, minutes, seconds }, zone);
}

function readDate(groups: Groups, printed: Printed): EpochMs | undefined {
  const named = (groups['month'] ?? '').toLowerCase();
  const [first, second] = [Number(named), Number(groups['day'])];
  const isNumber = /^\d/.test(named);
  // American order unless that is no month: cursor prints 10/2/2026 for October 2.
  const [numbered, day] = isNumber && first > 12 ? [second, first] : [first, second];
  const month = isNumber ? numbered : (MONTHS[named.slice(0, 3)] ?? 0);
  const time = timeIn(groups) ?? MIDNIGHT;
  const zone = zoneIn(groups, printed);
  const year = groups['year'];
  return year === undefined
    ? nextDate(month, day, time, zone, printed.at)
    : instantOf({ year: Number(year), month, day }, time, zone);
}

function readWeekday(groups: Groups, printed: Printed): EpochMs | undefined {
  const wanted = WEEKDAYS.indexOf((groups['weekday'] ?? '').toLowerCase());
  return nextTimeOfDay(
    timeIn(groups) ?? MIDNIGHT,
    zoneIn(groups, printed),
    printed.at,
    (day) => weekdayOf(day) === wanted,
  );
}

function readTomorrow(groups: Groups, printed: Printed): EpochMs | undefined {
  const zone = zoneIn(groups, printed);
  return instantOf(dayIn(zone, printed.at, 1), timeIn(groups) ?? MIDNIGHT, zone);
}

function readTimeOfDay(groups: Groups, printed: Printed): EpochMs | undefined {
  const time = timeIn(groups);
  return time === undefined ? undefined : nextTimeOfDay(time, zoneIn(groups, printed), printed.at);
}
