import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { formatInstant, formatMoment } from '../../../src/cli/format.ts';
import { DAY, epochMs } from '../../../src/core/time.ts';
import type { EpochMs } from '../../../src/core/time.ts';
import { localTime } from '../../../src/system/local-time.ts';
import { NOW } from '../../rig/a-cooldown.ts';

const ownZone = process.env['TZ'];
afterEach(() => {
  if (ownZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = ownZone;
});

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Katmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
];
const instant = fc.oneof(
  fc.integer({ min: -400 * DAY, max: 400 * DAY }).map((from) => epochMs(NOW + from)),
  fc.integer({ min: -2 * DAY, max: 2 * DAY }).map((from) => epochMs(NOW + from)),
);

/** In the words of the standard library, which takes a hundred times as long. */
function told(at: EpochMs, now: EpochMs, timeZone: string): string {
  const shown = (when: EpochMs, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat('en-US', { ...options, timeZone }).format(when);
  const date = { year: 'numeric', month: 'short', day: 'numeric' } as const;
  const time = shown(at, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
  if (shown(at, date) === shown(now, date)) return time;
  const isNear = Math.abs(at - now) < 180 * DAY;
  return `${shown(at, isNear ? { month: 'short', day: 'numeric' } : date)}, ${time}`;
}

describe('a time of day', () => {
  it.each(ZONES)('is the same by the clock on the wall as by the name of its zone, in %s', (zone) => {
    process.env['TZ'] = zone;
    expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
    fc.assert(
      fc.property(instant, instant, (at, now) => {
        const expected = told(at, now, zone);
        expect(formatMoment(at, now, zone)).toBe(expected);
        expect(formatMoment(at, now, localTime)).toBe(expected);
        expect(formatInstant(at, now, zone)).toBe(expected.slice(0, -':00'.length));
        expect(formatInstant(at, now, localTime)).toBe(expected.slice(0, -':00'.length));
      }),
    );
  });
});
