import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EpochSeconds } from '../../../src/core/time.ts';
import {
  between,
  DAY,
  durationMs,
  epochMs,
  formatDuration,
  fromIso,
  fromSeconds,
  HOUR,
  MINUTE,
  parseDuration,
  SECOND,
  toIso,
} from '../../../src/core/time.ts';
import { NOW } from '../../rig/a-cooldown.ts';

describe('a duration as people type it', () => {
  it.each([
    ['90s', 90 * SECOND],
    ['30m', 30 * MINUTE],
    ['5h', 5 * HOUR],
    ['2d', 2 * DAY],
    ['1h30m', 90 * MINUTE],
    ['1.5h', 90 * MINUTE],
    ['250ms', 250],
    ['1m500ms', 60_500],
    ['60000', 60_000],
    ['0', 0],
    ['0s', 0],
    [' 5m ', 5 * MINUTE],
  ])('is read: %j', (text, expected) => {
    expect(parseDuration(text)).toEqual({ ok: true, value: expected });
  });

  it.each([
    ...['', ' ', 's', '-5m', '+5m', '5 m', '5M', '5min', '1h 30m', '1.5', '.5h', '5m!', 'forever'],
    ...['NaN', 'Infinity', '1e3', '0x10', '٥m', '99999999999999999999', '999999999999d'],
  ])('is refused with what is expected and what was found: %j', (text) => {
    const parsed = parseDuration(text);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(parsed.error).toContain('expected a duration ');
    expect(parsed.error).toContain(`'${text}'`);
  });

  it('is a whole number of milliseconds, never negative, or an error; for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.smhd]{1,12}$/)), (text) => {
        const parsed = parseDuration(text);
        if (!parsed.ok) return;
        expect(Number.isSafeInteger(parsed.value)).toBe(true);
        expect(parsed.value).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a duration for people', () => {
  it.each([
    [0, '0s'],
    [-5_000, '0s'],
    [1, '1s'],
    [999, '1s'],
    [45 * SECOND, '45s'],
    [MINUTE, '1m'],
    [90 * SECOND, '1m 30s'],
    [HOUR, '1h'],
    [HOUR + SECOND, '1h'],
    [90 * MINUTE, '1h 30m'],
    [23 * HOUR + 59 * MINUTE + 59 * SECOND + 1, '1d'],
    [DAY, '1d'],
    [51 * HOUR, '2d 3h'],
    [9 * DAY, '9d'],
  ])('is told in two units at most: %d', (length, expected) => {
    expect(formatDuration(durationMs(length))).toBe(expected);
  });

  it('reads back as what it says, within its smaller unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 * DAY }), (length) => {
        const back = parseDuration(formatDuration(durationMs(length)).replace(' ', ''));
        const unit = length >= DAY ? HOUR : length >= HOUR ? MINUTE : SECOND;
        expect(Math.abs((back.ok ? back.value : NaN) - length)).toBeLessThan(unit);
      }),
      { numRuns: 500 },
    );
  });
});

describe('an instant', () => {
  it.each([
    ['2026-11-29T20:00:00Z', NOW],
    ['2026-11-29T20:00:00.000Z', NOW],
    ['2026-11-29T20:00Z', NOW],
    ['2026-11-29T21:00:00+01:00', NOW],
    ['2026-11-30T01:30:00+05:30', NOW],
  ])('is read from ISO 8601 with its offset: %s', (text, expected) => {
    expect(fromIso(text)).toBe(expected);
  });

  it.each([
    '2026-11-29',
    '2026-11-29T20:00:00',
    '20:00',
    'Sun Nov 29 2026',
    '2026-13-01T00:00:00Z',
    '',
    'now',
  ])('is not guessed where the offset or the date is missing or wrong: %j', (text) => {
    expect(fromIso(text)).toBeUndefined();
  });

  it('is written so that it reads back the same', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (value) => {
        expect(fromIso(toIso(epochMs(value)))).toBe(value);
      }),
    );
  });

  it('is written so that it can be read, and in the same order, however far away it is', () => {
    const far = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(8.64e15, -8.64e15, Date.UTC(10_000, 0)));
    fc.assert(
      fc.property(far, far, (a, b) => {
        const [first, second] = [Math.min(a, b), Math.max(a, b)].map((value) =>
          fromIso(toIso(epochMs(value))),
        );
        expect(first).toBeLessThanOrEqual(second ?? NaN);
      }),
    );
  });

  it('comes from the seconds that vendors print', () => {
    expect(toIso(fromSeconds(1795988674 as EpochSeconds))).toBe('2026-11-29T21:44:34.000Z');
  });

  it('is never a negative time away, though a clock was set back', () => {
    expect(between(NOW, epochMs(NOW + 5))).toBe(5);
    expect(between(NOW, epochMs(NOW - 5))).toBe(0);
  });
});
