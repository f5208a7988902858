import { describe, expect, it } from 'vitest';
import type { QuotaLook } from '../../../src/cli/quota-view.ts';
import { percentWords, quotaLines, windowJson, windowRows } from '../../../src/cli/quota-view.ts';
import { style } from '../../../src/cli/style.ts';
import { seatId } from '../../../src/core/ids.ts';
import { DAY, epochMs, HOUR, MINUTE } from '../../../src/core/time.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aReading } from '../../rig/a-reading.ts';

const ROWS = windowRows(
  [{ seat: seatId('work') }, { seat: seatId('spare') }],
  [
    aReading({ usedPercent: 52, observedAt: epochMs(NOW - 3 * MINUTE) }),
    aReading({ window: '7d', usedPercent: 93, resetAt: epochMs(NOW + 2 * DAY), source: 'probe' }),
    aReading({
      seat: 'codex',
      window: '7d',
      usedPercent: 100,
      resetAt: epochMs(NOW + 90 * MINUTE),
      source: 'refusal',
    }),
    aReading({
      seat: 'old',
      usedPercent: 80,
      resetAt: epochMs(NOW - 20 * MINUTE),
      observedAt: epochMs(NOW - 4 * HOUR),
    }),
    aReading({ seat: 'old', window: '7d', usedPercent: undefined, source: 'file' }),
    aReading({ seat: 'old', window: '9d', usedPercent: undefined, resetAt: undefined, source: 'run' }),
  ],
);

const look = (overrides: Partial<QuotaLook> = {}): QuotaLook => ({
  ...{ now: NOW, zone: 'Europe/Berlin', style: style(0), columns: 80 },
  ...overrides,
});

const IN_80_COLUMNS = `\
SEAT   WINDOW  USED                       RESETS                SEEN
work   5h      ████████░░░░░░░░     52 %  23:00 (in 2h)         3m ago (event)
work   7d      ███████████████░     93 %  Dec 1, 21:00 (in 2d)  0s ago (probe)
spare  -       ················  unknown                        never
codex  7d      ████████████████    100 %  22:30 (in 1h 30m)     0s ago (refusal)
old    5h      ················  unknown  was reset 20m ago     4h ago (event)
old    7d      ················  unknown  23:00 (in 2h)         0s ago (file)
old    9d      ················ has room                        0s ago (run)
`;

const IN_40_COLUMNS = `\
work 5h
  ██████████░░░░░░░░░░ 52 %
  resets 23:00 (in 2h)
  seen 3m ago (event)
work 7d
  ███████████████████░ 93 %
  resets Dec 1, 21:00 (in 2d)
  seen 0s ago (probe)
spare
  ···················· unknown
  never seen
codex 7d
  ████████████████████ 100 %
  resets 22:30 (in 1h 30m)
  seen 0s ago (refusal)
old 5h
  ···················· unknown
  was reset 20m ago
  seen 4h ago (event)
old 7d
  ···················· unknown
  resets 23:00 (in 2h)
  seen 0s ago (file)
old 9d
  ···················· has room
  seen 0s ago (run)
`;

describe('the windows of every seat', () => {
  it('are a table in 80 columns', () => {
    expect(`${quotaLines(ROWS, look()).join('\n')}\n`).toBe(IN_80_COLUMNS);
  });

  it('are a few lines each in 40 columns', () => {
    expect(`${quotaLines(ROWS, look({ columns: 40 })).join('\n')}\n`).toBe(IN_40_COLUMNS);
  });

  it.each([40, 60, 80, 200])('fit a terminal of %d columns', (columns) => {
    const lines = quotaLines(ROWS, look({ columns }));
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });

  it.each([40, 80])('say nothing by colour alone in %d columns', (columns) => {
    const coloured = quotaLines(ROWS, look({ columns, style: style(3) })).join('\n');
    expect(coloured).toContain('\u001b[');
    expect(coloured.replace(/\u001b\[[0-9;]*m/g, '')).toBe(quotaLines(ROWS, look({ columns })).join('\n'));
  });

  it('cannot do anything to a terminal by the name that a vendor gave one', () => {
    const [row] = windowRows([], [aReading({ window: '5h\u001b[2J\u0007' })]);
    const lines = quotaLines(row === undefined ? [] : [row], look()).join('\n');
    expect(lines).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });

  it('are said in JSON with what is not known as null', () => {
    expect(ROWS.map((row) => windowJson(row, NOW))).toMatchObject([
      {
        seat: 'work',
        window: '5h',
        state: 'known',
        usedPercent: 52,
        resetsInMs: 2 * HOUR,
        ageMs: 3 * MINUTE,
      },
      { seat: 'work', window: '7d', state: 'known', source: 'probe' },
      { seat: 'spare', window: null, state: 'unknown', usedPercent: null, ageMs: null, source: null },
      { seat: 'codex', state: 'known', usedPercent: 100 },
      { seat: 'old', window: '5h', state: 'reset', usedPercent: null, resetsInMs: null },
      { seat: 'old', window: '7d', state: 'unknown', usedPercent: null },
      { seat: 'old', window: '9d', state: 'unknown', source: 'run' },
    ]);
  });

  it.each([
    [0, '0 %'],
    [99.4, '99 %'],
    [99.5, '100 %'],
    [117.2, '117 %'],
  ])('call %d percent %s: 100 is said of full windows alone', (percent, expected) => {
    expect(percentWords(percent)).toBe(expected);
  });
});
