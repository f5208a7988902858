import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, durationMs, epochMs } from '../../../src/core/time.ts';
import type { LedgerEntry, LedgerQuery } from '../../../src/store/ledger.ts';
import { openLedger, readLedger } from '../../../src/store/ledger.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import type { Stage } from '../../rig/chaos/stage.ts';
import { openStage } from '../../rig/chaos/stage.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

const line = (type: string, at: number = NOW, more: object = {}): string =>
  JSON.stringify({ type, at: new Date(at).toISOString(), ...more });

function aLedger(home = tempFolder()) {
  const problems: string[] = [];
  const ledger = openLedger({ home, report: ({ message }) => problems.push(message) });
  const folder = join(home, 'ledger');
  return { home, folder, ledger, problems, file: join(folder, '2026-11-29.jsonl') };
}

async function read(home: string, query?: LedgerQuery): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(home, query)) entries.push(entry);
  return entries;
}

const types = (entries: readonly LedgerEntry[]): readonly string[] => entries.map(({ type }) => type);

it('keeps what was appended, in its order, a file a day', async () => {
  const { home, folder, ledger } = aLedger();
  for (const [type, at] of [
    ['a', NOW],
    ['b', NOW + DAY],
    ['c', NOW + DAY],
  ] as const)
    ledger.append(line(type, at), epochMs(at));
  expect(readdirSync(folder).sort()).toEqual(['2026-11-29.jsonl', '2026-11-30.jsonl']);
  expect(types(await read(home))).toEqual(['a', 'b', 'c']);
  expect(types(await read(home, { since: epochMs(NOW + 1) }))).toEqual(['b', 'c']);
  expect(types(await read(home, { holding: '"b"' }))).toEqual(['b']);
  expect(await read(tempFolder())).toEqual([]);
});

it.each([
  ['torn', '{"type":"a","at'],
  ['no JSON', 'hello\n'],
  ['no entry', '7\nnull\n[]\n{"type":1}\n'],
  ['binary', '\0\ufffd\n'],
])('goes on after a last line that is %s', async (_what, damage) => {
  const before = aLedger();
  before.ledger.append(line('before'), NOW);
  before.ledger.close();
  appendFileSync(before.file, damage);
  const { ledger } = aLedger(before.home);
  ledger.append(line('after'), NOW);
  expect(types(await read(before.home))).toEqual(['before', 'after']);
});

it('removes days that are older than what is kept, and nothing else', () => {
  const { folder, ledger } = aLedger();
  const days = [0, 1, 29, 30, 31, 32, 40].map((ago) => NOW - ago * DAY);
  for (const at of days) ledger.append(line('x', at), epochMs(at));
  for (const name of ['notes.txt', '2020-01-01.json', 'x2020-01-01.jsonl'])
    writeFileSync(join(folder, name), '');
  ledger.prune(NOW, durationMs(30 * DAY));
  const left = readdirSync(folder).sort();
  // The day that began 30 days ago has not ended so long ago.
  for (const ago of [0, 1, 29, 30])
    expect(left).toContain(`${new Date(NOW - ago * DAY).toISOString().slice(0, 10)}.jsonl`);
  for (const ago of [32, 40])
    expect(left).not.toContain(`${new Date(NOW - ago * DAY).toISOString().slice(0, 10)}.jsonl`);
  for (const name of ['notes.txt', '2020-01-01.json', 'x2020-01-01.jsonl']) expect(left).toContain(name);
});

it.each<[string, (home: string) => void]>([
  [
    'is a file',
    (home) => {
      writeFileSync(join(home, 'ledger'), '');
    },
  ],
  [
    'holds a folder in the place of its file',
    (home) => {
      mkdirSync(join(home, 'ledger', '2026-11-29.jsonl'), { recursive: true });
    },
  ],
])('says once that its folder %s, and stops nothing', async (_what, spoil) => {
  const { home, ledger, problems } = aLedger();
  spoil(home);
  for (let count = 0; count < 5; count += 1) ledger.append(line('a'), NOW);
  ledger.prune(NOW, durationMs(DAY));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(join(home, 'ledger'));
  expect(await read(home)).toEqual([]);
});

describe('with several processes', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage(1);
  });
  afterAll(() => {
    stage.close();
  });

  it('never mixes the lines that they append at once', async () => {
    const home = tempFolder();
    const lines = 400;
    const writers = ['a', 'b', 'c'].map((who) => stage.start({ type: 'append', home, who, lines }));
    await Promise.all(writers.map((writer) => writer.hears('committed')));
    const entries = await read(home);
    const counts = new Map<unknown, number>();
    for (const { who, n, filler } of entries) {
      // Of each process in its order, and whole.
      expect(n).toBe(counts.get(who) ?? 0);
      counts.set(who, Number(n) + 1);
      expect(String(filler)).toHaveLength((Number(n) * 97) % 20_000);
    }
    expect(entries).toHaveLength(3 * lines);
  });
});

it('reads a ledger of any length in bounded memory', async () => {
  const { home, folder, ledger, file } = aLedger();
  ledger.append(line('first'), NOW);
  const filler = `${line('x', NOW, { filler: 'x'.repeat(1_000) })}\n`.repeat(1_000);
  for (let count = 0; count < 100; count += 1) appendFileSync(file, filler);
  expect(readdirSync(folder)).toHaveLength(1);
  const before = process.memoryUsage().rss;
  let [entries, most] = [0, 0];
  for await (const entry of readLedger(home)) {
    entries += entry.type === '' ? 0 : 1;
    if (entries % 10_000 === 0) most = Math.max(most, process.memoryUsage().rss - before);
  }
  expect(entries).toBe(100_001);
  // A hundred megabytes were read.
  expect(most / 2 ** 20).toBeLessThan(80);
});
