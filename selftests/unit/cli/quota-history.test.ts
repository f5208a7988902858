import { describe, expect, it } from 'vitest';
import type { HistoryFlags } from '../../../src/cli/commands/quota-history.ts';
import { quotaHistory } from '../../../src/cli/commands/quota-history.ts';
import { DAY, durationMs } from '../../../src/core/time.ts';
import { anIo } from '../../rig/an-io.ts';
import { FakeClock } from '../../rig/fake-clock.ts';
import { FORTNIGHT_ENDS, writeGeneratedFortnight } from '../../rig/fortnight.ts';

async function told(flags: HistoryFlags = {}, options: Parameters<typeof anIo>[0] = {}): Promise<string> {
  const io = anIo({ clock: new FakeClock(FORTNIGHT_ENDS), ...options });
  writeGeneratedFortnight(io.stateHome);
  expect(await quotaHistory(io, { since: durationMs(14 * DAY), ...flags })).toBe(0);
  return io.said();
}

const IN_80_COLUMNS = `\
From Sep 15, 12:00 until now; a column is 4h 18m, █ is full, · is unknown.

work 5h
  ▄▅▃·▂▆█▆▆·▃▅▅▂·▁▆██▆·▃▅▅▂·▁▆██▆·▂▅▅▂··▄██▆·▂▅▅▂▂·▃▇█▆·▁▅▄▅▂·▃▆█▆·▁▄▅▅▂·▂▆█▆··▄
  Sep 15, 12:00                                                              now
  now 48 %, highest 100 %; 168 sessions, 42.00 USD
  filled 7 times: … Sep 22, 15:45; Sep 24, 15:45; Sep 26, 15:45; Sep 28, 15:45
  reset 41 times: … Sep 27, 23:00; Sep 28, 13:00; Sep 28, 18:00; Sep 28, 23:00

work 7d
  ▁▁▁▁▁▂▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄▄▄▅▅▅▅▅▆▆▆▆▆▆▆▆▆▆▇▇▁▁▁▁▂▂▂▂▂▂▃▃▃▃▃▃▄▄▄▄▄▅▅▅▅▅▅▅▆▆▆▆▆▇▇▇▇▇
  Sep 15, 12:00                                                              now
  now unknown, highest 94 %; 168 sessions, 42.00 USD
  filled never
  reset 2 times: Sep 22, 12:00; Sep 29, 12:00
`;

describe('the history of a generated fortnight', () => {
  it('draws in 80 columns', async () => {
    expect(await told()).toBe(IN_80_COLUMNS);
  });

  it.each([40, 80, 200])('fits a terminal of %d columns', async (columns) => {
    const lines = (await told({}, { outColumns: columns })).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });

  it.each([1, 3] as const)('says nothing by colour alone (level %d)', async (colors) => {
    const coloured = await told({}, { colors });
    expect(coloured).toContain('\u001b[');
    expect(coloured.replace(/\u001b\[[0-9;]*m/g, '')).toBe(await told());
  });

  it('tells dates in the zone of whoever reads', async () => {
    expect(await told({}, { zone: 'Europe/Berlin' })).toContain('Sep 15, 14:00');
  });

  it('is one JSON document, whose numbers are those of the drawing', async () => {
    const { samples, windows } = JSON.parse(await told({ json: true })) as {
      readonly samples: readonly Readonly<Record<string, unknown>>[];
      readonly windows: readonly Readonly<Record<string, unknown>>[];
    };
    expect(samples).toHaveLength(14 * 12 * 4 * 2);
    expect(samples[0]).toEqual({
      ...{ at: '2026-09-15T12:00:00.000Z', seat: 'work', window: '5h', source: 'event', sessions: 0 },
      ...{ usedPercent: 3, resetAt: '2026-09-15T17:00:00.000Z', costUsd: null },
    });
    expect(samples[2]).toMatchObject({ sessions: 1, costUsd: 0.25 });
    expect(windows).toMatchObject([
      { seat: 'work', window: '5h', samples: 672, sessions: 168, costUsd: 42, filled: 7 },
      { seat: 'work', window: '7d', samples: 672, filled: 0, resets: 2 },
    ]);
  });

  it('is lines of values under their names with --csv', async () => {
    const [head, first, ...others] = (await told({ csv: true })).trimEnd().split('\n');
    expect(head).toBe('at,seat,window,usedPercent,resetAt,source,sessions,costUsd');
    expect(first).toBe('2026-09-15T12:00:00.000Z,work,5h,3,2026-09-15T17:00:00.000Z,event,0,');
    expect(others).toHaveLength(2 * 672 - 1);
  });

  it('holds only what was asked for: a time, a seat', async () => {
    const { samples } = JSON.parse(await told({ json: true, since: DAY })) as { readonly samples: unknown[] };
    expect(samples).toHaveLength(12 * 4 * 2);
    expect(await told({ seat: 'other' })).toBe('No reading of seat other was written down in that time.\n');
  });
});
