import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import { readDuration } from '../../../src/signals/durations.ts';

describe('a length of time in words of a vendor', () => {
  it.each([
    ['3h5m20s', 3 * HOUR + 5 * MINUTE + 20 * SECOND],
    ['8h44m7s', 8 * HOUR + 44 * MINUTE + 7 * SECOND],
    ['4 days 20 hours 9 minutes', 4 * DAY + 20 * HOUR + 9 * MINUTE],
    ['6 days and 18 hours', 6 * DAY + 18 * HOUR],
    ['1 day, 2 hours and 3 minutes', DAY + 2 * HOUR + 3 * MINUTE],
    ['34.07s', 34_070],
    ['15.002899939s', 15_003],
    ['539.477544ms', 540],
    ['900.2ms', 901],
    ['28ms', 28],
    ['6m0s', 6 * MINUTE],
    ['0s', 0],
    ['32m 50s', 32 * MINUTE + 50 * SECOND],
    ['20h28m', 20 * HOUR + 28 * MINUTE],
    ['58 hours', 58 * HOUR],
    ['587 hours 33 minutes', 587 * HOUR + 33 * MINUTE],
    ['2892 seconds', 2_892 * SECOND],
    ['~1 day', DAY],
    ['an hour', HOUR],
    ['62056 ثواني', 62_056 * SECOND],
  ])('reads %s', (text, expected) => {
    expect(readDuration(text)).toBe(expected);
  });

  it.each([
    '',
    '5',
    'soon',
    '3hx',
    '3 monkeys',
    '5 minutes ago or so',
    '-3s',
    '20470344 days',
    '1e9s',
    '9:30',
  ])('does not read %j', (text) => {
    expect(readDuration(text)).toBeUndefined();
  });

  it('reads whatever Go and people print for the same length', () => {
    const part = fc.nat({ max: 23 });
    fc.assert(
      fc.property(fc.nat({ max: 9 }), part, fc.nat({ max: 59 }), fc.nat({ max: 59 }), (d, h, m, s) => {
        const length = d * DAY + h * HOUR + m * MINUTE + s * SECOND;
        const words = `${String(d)} days ${String(h)} hours ${String(m)} minutes ${String(s)} seconds`;
        expect(readDuration(words)).toBe(length);
        expect(readDuration(`${String(d * 24 + h)}h${String(m)}m${String(s)}s`)).toBe(length);
      }),
    );
  });

  it('never throws, and is never negative', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readDuration(text) ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
