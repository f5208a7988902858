import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MAX_LINE_BYTES, readLines } from '../../src/system/lines.ts';
import { linesOf, startShell } from '../rig/children.ts';

async function linesIn(chunks: readonly Buffer[], maxBytes?: number): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const { text, cut } of readLines(Readable.from(chunks), maxBytes))
    texts.push(cut ? `${text}…` : text);
  return texts;
}

const bytes = (...parts: (string | readonly number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

describe('lines', () => {
  it.each([
    ['ends them at LF and takes a CR before it away', [bytes('a\r\nb\nc\r\n')], ['a', 'b', 'c']],
    ['keeps a CR within', [bytes('a\rb\n')], ['a\rb']],
    ['gives the last one without a break', [bytes('a\nb')], ['a', 'b']],
    ['gives empty ones', [bytes('\n\na\n')], ['', '', 'a']],
    ['gives none for nothing', [], []],
    ['joins chunks', [bytes('a'), bytes('b\nc'), bytes('d'), bytes('\n')], ['ab', 'cd']],
    ['joins a letter that two chunks share', [bytes([0xc3]), bytes([0xa9, 0x0a])], ['é']],
    ['joins a CR LF that two chunks share', [bytes('a\r'), bytes('\nb')], ['a', 'b']],
    ['shows broken UTF-8 as what it is', [bytes('a', [0xff, 0xc3], 'b\n')], ['a\ufffd\ufffdb']],
    ['takes U+2028 for no break', [bytes('a\u2028b\n')], ['a\u2028b']],
    ['lets NUL through', [bytes('a\0b\n')], ['a\0b']],
  ])('%s', async (_, chunks, expected) => {
    expect(await linesIn(chunks)).toEqual(expected);
  });

  it('cuts one that is longer than it keeps, says so, and goes on with the next', async () => {
    expect(await linesIn([bytes('12345\n123456\n1234'), bytes('567\n1')], 5)).toEqual([
      ...['12345', '12345…', '12345…', '1'],
    ]);
  });

  it('cuts a line at 16 MiB', async () => {
    const child = await startShell('head -c 17000000 /dev/zero | tr "\\0" x; echo; echo next');
    const lines = await linesOf(child);
    expect(lines.map(({ text, cut }) => [text.length, cut])).toEqual([
      [MAX_LINE_BYTES, true],
      ['next'.length, undefined],
    ]);
    expect(MAX_LINE_BYTES).toBe(16 * 1024 * 1024);
  });
});
