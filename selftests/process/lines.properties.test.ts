import { Readable } from 'node:stream';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineCutter, readLines } from '../../src/system/lines.ts';

/** Bytes as children print them, and as they should not: breaks of both kinds, letters in pieces, blanks, no last break. */
const someBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom('\n', '\r\n', '\r', '', ' ', '\t', '{', '}', 'x', 'é', '\u2028', '😀', '\0'),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    ),
    { maxLength: 40 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part, part.length > 3 ? 'latin1' : 'utf8'))));

/** The same bytes in pieces, cut anywhere. */
const inPieces = fc.tuple(someBytes, fc.array(fc.nat(), { maxLength: 12 })).map(([bytes, cuts]) => {
  const at = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])];
  at.sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
});

/** What a line is, said the plain way: all of it at once. */
function linesOf(chunks: readonly Buffer[]): readonly string[] {
  const all = Buffer.concat(chunks);
  const pieces: Buffer[] = [];
  let start = 0;
  for (let end = all.indexOf(10); end !== -1; end = all.indexOf(10, start)) {
    pieces.push(all.subarray(start, end));
    start = end + 1;
  }
  if (start < all.length) pieces.push(all.subarray(start));
  const decoder = new TextDecoder();
  return pieces.map((piece) => decoder.decode(piece.at(-1) === 13 ? piece.subarray(0, -1) : piece));
}

/** The lines that are given to whoever can use only those with a brace. */
function tellingLines(chunks: readonly Buffer[]): readonly string[] {
  const cutter = new LineCutter();
  const texts: string[] = [];
  for (const chunk of chunks) for (const { text } of cutter.linesOf(chunk, () => '{')) texts.push(text);
  const last = cutter.last();
  return last === undefined ? texts : [...texts, last.text];
}

describe('lines', () => {
  it('are the same however the bytes come', async () => {
    await fc.assert(
      fc.asyncProperty(inPieces, async (chunks) => {
        const texts: string[] = [];
        for await (const { text } of readLines(Readable.from(chunks))) texts.push(text);
        expect(texts).toEqual(linesOf(chunks));
      }),
    );
  });

  it('are told by their bytes as by their text', async () => {
    await fc.assert(
      fc.asyncProperty(inPieces, async (chunks) => {
        for await (const { text, bytes } of readLines(Readable.from(chunks))) {
          expect(bytes.slice(0)).toBe(text);
          expect(bytes.indexOf('{') === -1).toBe(!text.includes('{'));
          expect(bytes.at(-1) ?? bytes.at(bytes.length)).toBeUndefined();
          const codes = Array.from({ length: bytes.length }, (_, index) => bytes.at(index) ?? NaN);
          expect(
            Buffer.from(codes)
              .toString()
              .replace(/^\ufeff/, ''),
          ).toBe(text);
        }
      }),
    );
  });

  it('without the telling letter are passed over, but none with it, and never the last that is not blank', () => {
    const isTold = (text: string) => text.includes('{');
    fc.assert(
      fc.property(inPieces, (chunks) => {
        const texts = tellingLines(chunks);
        const all = linesOf(chunks);
        expect(texts.filter(isTold)).toEqual(all.filter(isTold));
        // What is blank is said in bytes: a space of another alphabet is a letter here.
        const isBlank = (text: string) => /^[\0- ]*$/.test(text);
        expect(texts.findLast((text) => !isBlank(text))).toBe(all.findLast((text) => !isBlank(text)));
      }),
    );
  });

  it('without the telling letter really are passed over', () => {
    expect(tellingLines([Buffer.from('{1}\na\nb\n \n{2}\nc\n{3}\nd\ne\n')])).toEqual([
      '{1}',
      'b',
      '{2}',
      'c',
      '{3}',
      'e',
    ]);
  });
});
