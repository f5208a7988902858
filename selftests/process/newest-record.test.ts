import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EpochMs } from '../../src/core/time.ts';
import { newestRecord } from '../../src/system/newest-record.ts';
import { tempFolder } from '../rig/temp-folder.ts';

interface Noted {
  readonly observedAt: EpochMs;
}

const line = (at: number): string => `${JSON.stringify({ at })}\n`;

/** The newest of the records in the `.jsonl` files of a folder, and how many lines were looked at. */
function find(folder: string): { readonly at: number | undefined; readonly looked: number } {
  let looked = 0;
  const newest = newestRecord<Noted>({
    folder,
    matches: (path) => path.endsWith('.jsonl'),
    read: (text) => {
      looked += 1;
      const at = /^\{"at":(\d+)\}$/.exec(text)?.[1];
      return at === undefined ? undefined : { observedAt: Number(at) as EpochMs };
    },
  });
  return { at: newest?.observedAt, looked };
}

/** Writes a file that was last written at that second. */
function write(folder: string, name: string, content: string, second: number): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
  utimesSync(join(folder, name), second, second);
}

describe('the newest record', () => {
  it('is none where there is no folder, no file, and no record in the files', () => {
    const folder = tempFolder();
    expect(find(join(folder, 'nowhere')).at).toBeUndefined();
    expect(find(folder).at).toBeUndefined();
    write(folder, 'a.jsonl', 'something else\n\n', 5);
    write(folder, 'empty.jsonl', '', 6);
    expect(find(folder).at).toBeUndefined();
  });

  it('is the last of its file, however many there are', () => {
    const folder = tempFolder();
    write(folder, '2026/11/a.jsonl', line(1_000) + line(2_000) + 'a tool said something\n', 5);
    expect(find(folder)).toEqual({ at: 2_000, looked: 2 });
  });

  it('is not looked for in other files', () => {
    const folder = tempFolder();
    write(folder, 'a.json', line(9_000), 9);
    write(folder, 'a.jsonl', line(1_000), 5);
    expect(find(folder).at).toBe(1_000);
  });

  it.each(['{"at":30', '{"at":3000', 'x'])('is not the torn last line %s', (torn) => {
    const folder = tempFolder();
    write(folder, 'a.jsonl', line(1_000) + line(2_000) + torn, 5);
    expect(find(folder).at).toBe(2_000);
  });

  it('is a whole last line that lacks its break', () => {
    const folder = tempFolder();
    write(folder, 'a.jsonl', line(1_000) + line(2_000).trimEnd(), 5);
    expect(find(folder).at).toBe(2_000);
  });

  it('is told by its own date: an older file that was resumed wins', () => {
    const folder = tempFolder();
    write(folder, '2026/11/29/new.jsonl', line(50_000), 100);
    write(folder, '2026/11/01/resumed.jsonl', line(1_000) + line(90_000), 99);
    expect(find(folder).at).toBe(90_000);
  });

  it('is found among thousands of files by looking into few', () => {
    const folder = tempFolder();
    for (let day = 0; day < 30; day += 1) {
      for (let n = 0; n < 100; n += 1) {
        const second = 1_000 + day * 100 + n;
        write(folder, `${String(day)}/${String(n)}.jsonl`, line(second * 1_000), second);
      }
    }
    const { at, looked } = find(folder);
    expect(at).toBe((1_000 + 29 * 100 + 99) * 1_000);
    expect(looked).toBeLessThan(5);
  });

  it('is found at the end of a file of a gigabyte', () => {
    const folder = tempFolder();
    const file = openSync(join(folder, 'huge.jsonl'), 'w');
    ftruncateSync(file, 1_000_000_000);
    writeSync(file, `\n${line(1_000)}${'x'.repeat(1_000_000)}\n`, 1_000_000_000);
    closeSync(file);
    expect(find(folder).at).toBe(1_000);
  });

  it('is given up in a file whose last 32 MiB hold none, in favour of the next file', () => {
    const folder = tempFolder();
    const file = openSync(join(folder, 'zeros.jsonl'), 'w');
    writeSync(file, line(9_000));
    ftruncateSync(file, 1_000_000_000);
    closeSync(file);
    write(folder, 'old.jsonl', line(1_000), 5);
    const before = process.memoryUsage().rss;
    expect(find(folder).at).toBe(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it('survives what is no file: a folder of that name, a link to nowhere, a link to itself', () => {
    const folder = tempFolder();
    write(folder, 'a.jsonl', line(1_000), 5);
    mkdirSync(join(folder, 'b.jsonl'));
    symlinkSync('nowhere', join(folder, 'c.jsonl'));
    symlinkSync('d.jsonl', join(folder, 'd.jsonl'));
    symlinkSync('..', join(folder, 'round'));
    expect(find(folder).at).toBe(1_000);
  });

  it('survives lines that are longer than any record', () => {
    const folder = tempFolder();
    write(folder, 'a.jsonl', line(1_000) + `${'x'.repeat(3_000_000)}\n`.repeat(3), 5);
    expect(find(folder).at).toBe(1_000);
  });
});
