import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, epochMs, HOUR, MINUTE } from '../../../src/core/time.ts';
import type { EpochMs } from '../../../src/core/time.ts';
import { readReset } from '../../../src/signals/reset.ts';
import { zoneNamed } from '../../../src/signals/zone.ts';

const ZONES = Intl.supportedValuesOf('timeZone').concat('UTC', 'Asia/Calcutta', 'Etc/GMT+5', 'Etc/GMT-14');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The clock of a zone as Intl shows it: no code of the product. */
function shown(instant: number, zone: string) {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );
  const hours = Number(parts['hour']);
  return {
    year: parts['year'] ?? '',
    month: MONTHS[Number(parts['month']) - 1] ?? '',
    day: Number(parts['day']),
    weekday: parts['weekday'] ?? '',
    hour: hours % 12 === 0 ? 12 : hours % 12,
    minute: parts['minute'] ?? '',
    half: hours < 12 ? 'am' : 'pm',
  };
}

const formats = new Map<string, Intl.DateTimeFormat>();
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  formats.set(zone, format);
  return format;
}

function ordinal(day: number): string {
  if (day >= 11 && day <= 13) return `${String(day)}th`;
  return `${String(day)}${['th', 'st', 'nd', 'rd'][day % 10] ?? 'th'}`;
}

const zone = fc.constantFrom(...ZONES);
/** From 2025 to 2031, with leap years, DST of both hemispheres and ends of years. */
const printedAt = fc.integer({ min: Date.UTC(2025, 0, 1), max: Date.UTC(2031, 0, 1) }).map(epochMs);
const ahead = (length: number) =>
  fc.integer({ min: 0, max: length }).map((value) => Math.ceil(value / MINUTE) * MINUTE);

/** Rounds up to a whole minute: vendors print no seconds. */
const atMinute = (instant: number) => Math.ceil(instant / MINUTE) * MINUTE;

/** A read instant is right when the clock shows the same minute there: a repeated hour has two, and the later is taken. */
function expectSameMinute(read: EpochMs | undefined, resetAt: number, inZone: string): void {
  expect(read).toBeDefined();
  const difference = Math.abs((read ?? 0) - resetAt);
  if (difference === 0) return;
  expect(difference).toBeLessThanOrEqual(2 * HOUR);
  expect(shown(read ?? 0, inZone)).toEqual(shown(resetAt, inZone));
}

describe('whatever a CLI prints is read back to the same minute', () => {
  it('codex, later the same day: "3:05 PM" in the zone of the child', () => {
    fc.assert(
      fc.property(printedAt, ahead(22 * HOUR), zone, (at, delay, child) => {
        const resetAt = atMinute(at + delay);
        const { hour, minute, half } = shown(resetAt, child);
        const text = `You’ve hit your usage limit. Try again at ${String(hour)}:${minute}\u202f${half.toUpperCase()}.`;
        expectSameMinute(readReset(text, at, child), resetAt, child);
      }),
    );
  });

  it('codex, another day: "Feb 23rd, 2026 9:01 PM"', () => {
    fc.assert(
      fc.property(printedAt, ahead(8 * DAY), zone, (at, delay, child) => {
        const resetAt = atMinute(at + delay);
        const { month, day, year, hour, minute, half } = shown(resetAt, child);
        const text = `try again at ${month} ${ordinal(day)}, ${year} ${String(hour)}:${minute} ${half.toUpperCase()}.`;
        expectSameMinute(readReset(text, at, child), resetAt, child);
      }),
    );
  });

  it('claude, within a day: "resets 3:45pm (Zone)", minutes left out on the hour', () => {
    fc.assert(
      fc.property(printedAt, ahead(22 * HOUR), zone, zone, (at, delay, named, child) => {
        const resetAt = atMinute(at + delay);
        const { hour, minute, half } = shown(resetAt, named);
        const clock = minute === '00' ? String(hour) : `${String(hour)}:${minute}`;
        const text = `You've hit your session limit · resets ${clock}${half} (${named})`;
        expectSameMinute(readReset(text, at, child), resetAt, named);
      }),
    );
  });

  it('claude, further ahead: "resets Oct 9, 5pm (Zone)" and "Oct 9 at 5pm"', () => {
    fc.assert(
      fc.property(printedAt, ahead(8 * DAY), zone, fc.boolean(), (at, delay, named, comma) => {
        const resetAt = atMinute(at + delay);
        const { month, day, hour, minute, half } = shown(resetAt, named);
        const clock = minute === '00' ? String(hour) : `${String(hour)}:${minute}`;
        const text = `resets ${month} ${String(day)}${comma ? ',' : ' at'} ${clock}${half} (${named})`;
        expectSameMinute(readReset(text, at, 'UTC'), resetAt, named);
      }),
    );
  });

  it('claude, by weekday: "resets Mon 12:00am"', () => {
    fc.assert(
      fc.property(printedAt, ahead(6 * DAY), zone, (at, delay, child) => {
        const resetAt = atMinute(at + delay);
        const { weekday, hour, minute, half } = shown(resetAt, child);
        const text = `resets ${weekday} ${String(hour)}:${minute}${half}`;
        expectSameMinute(readReset(text, at, child), resetAt, child);
      }),
    );
  });

  it('gemini and its kin: durations, from when they were printed', () => {
    fc.assert(
      fc.property(printedAt, fc.integer({ min: 0, max: 8 * 86_400 }), (at, seconds) => {
        const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
        const text = `Your quota will reset after ${String(h)}h${String(m)}m${String(s)}s.`;
        expect(readReset(text, at, 'UTC')).toBe(at + seconds * 1_000);
      }),
    );
  });
});

describe('reading a reset', () => {
  const vendorish = fc
    .array(
      fc.constantFrom(
        ...[
          'resets',
          'try again',
          'at',
          'in',
          '3pm',
          '25:99',
          'Oct',
          'Mon',
          '31',
          '2026',
          '(UTC)',
          '(Etc/Unknown)',
        ],
        ...[
          'wait',
          '|',
          '1776400000',
          '9'.repeat(400),
          'h',
          'm',
          '·',
          'retryDelay',
          ':',
          '"',
          'NaN',
          '-',
          'until',
        ],
      ),
      { maxLength: 24 },
    )
    .map((words) => words.join(' '));

  it('never throws and never names a moment that was over when the text was printed', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), vendorish),
        printedAt,
        fc.string(),
        (text, at, child) => {
          const read = readReset(text, at, child);
          expect(read === undefined || (Number.isFinite(read) && read >= at - 2 * MINUTE)).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('bears any instant to read against', () => {
    fc.assert(
      fc.property(vendorish, fc.double(), (text, at) => {
        expect(() => readReset(text, epochMs(at), 'UTC')).not.toThrow();
      }),
    );
  });

  it('stays quick on long and hostile text', () => {
    const started = performance.now();
    for (const piece of [
      'resets ',
      'wait 1',
      '3h',
      'try again at Oct ',
      'a 1',
      'limit reached',
      '| ',
      '· 1 a ',
    ]) {
      readReset(piece.repeat(20_000), epochMs(Date.UTC(2026, 3, 16)), 'UTC');
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe('the name of a zone', () => {
  it('is taken or refused, never thrown at', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(() => zoneNamed(name)).not.toThrow();
      }),
    );
  });

  it.each(ZONES.slice(0, 40))('%s is known', (name) => {
    expect(zoneNamed(name)).toBe(name);
  });
});
