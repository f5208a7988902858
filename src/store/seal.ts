import { checksum } from '../system/checksum.ts';
import type { OpenFile } from '../system/read-file.ts';
import { allOf } from '../system/read-file.ts';
import type { JsonObject } from './strict-json.ts';

// How a few records are found in a state of thousands without understanding the others.
//
// A state is written with one line a record. One that is longer than a piece ends in a seal, the checksum of all before
// it. While that fits, the file is to the byte what a secondwind wrote, and that had understood every line of it. So a
// line that cannot matter is passed over as bytes, and what is left is a state like any other, only smaller, which is
// checked like any other. Of one that is read whole, only the JSON need not be looked through for what no secondwind writes,
// a key twice and brackets without end; its records are checked all the same. A seal that does not fit says nothing against a state: it was edited by hand or written by a
// secondwind that knows no seals, and is read whole, as are those without one. It guards against error, not malice:
// whoever can write the file can also write the seal.

const SEAL = 'seal';

/** In bytes: what is not longer is understood as fast as it is looked through. */
const PIECE = 64 * 1024;

/** How every state ends. */
const END = '\n}\n';

function endWith(sum: number): string {
  return `,\n"${SEAL}": "${sum.toString(16).padStart(8, '0')}"${END}`;
}

const SEALED_END = endWith(0).length;

/** A written state with its seal, if it is long. */
export function sealed(state: Uint8Array): Uint8Array {
  if (state.length <= PIECE) return state;
  const body = state.subarray(0, -END.length);
  return Buffer.concat([body, Buffer.from(endWith(checksum(body)))]);
}

/** Whether what was read ends in a seal that fits: then it is to the byte what a secondwind wrote. */
export function isIntact(state: Uint8Array): boolean {
  if (state.length <= PIECE) return false;
  const end = state.subarray(-SEALED_END);
  if (!Buffer.from(end).includes(SEAL)) return false;
  const sum = checksum(state.subarray(0, -SEALED_END));
  return Buffer.compare(end, Buffer.from(endWith(sum))) === 0;
}

/** What was read, without its seal, which is no part of the state. */
export function unsealed(read: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(read).filter(([key]) => key !== SEAL));
}

/**
 * Takes a state without those of its records that hold none of `words`, each a piece of JSON as `JSON.stringify` writes
 * it; where that cannot be told from its lines, all of it.
 */
export function holding(words: readonly string[]): (file: OpenFile) => Uint8Array {
  return (file) => (file.size > PIECE ? excerpt(file, words) : undefined) ?? allOf(file);
}

/** `undefined`: its seal does not fit, or a line is longer than a piece. */
function excerpt({ size, readInto }: OpenFile, words: readonly string[]): Uint8Array | undefined {
  const end = Buffer.alloc(SEALED_END);
  const length = size - SEALED_END;
  readInto(end, length);
  if (!end.includes(SEAL)) return undefined;
  const marks = [...words, ...NO_RECORD].map((mark) => Buffer.from(mark));
  const kept: string[] = [];
  // One piece of memory for all of the file: on fresh memory a new process spends more than on all else here.
  const piece = Buffer.alloc(PIECE);
  let [sum, open] = [0, 0];
  for (let at = 0; at < length;) {
    const next = piece.subarray(open, open + length - at);
    if (next.length === 0 || readInto(next, at) < next.length) return undefined;
    sum = checksum(next, sum);
    at += next.length;
    const read = piece.subarray(0, open + next.length);
    // The last line goes on in the next piece.
    const lines = at < length ? read.subarray(0, read.lastIndexOf(NEWLINE) + 1) : read;
    kept.push(...linesWith(marks, lines));
    open = read.copy(piece, 0, lines.length);
  }
  const text = kept.join('\n').replaceAll(',\n]', '\n]');
  return end.equals(Buffer.from(endWith(sum))) ? Buffer.from(text + END, 'latin1') : undefined;
}

const NEWLINE = 0x0a;

/** How lines begin that are no records: those that name a member, and those that end a list. */
const NO_RECORD = ['\n"', '\n]'];

/** The lines that hold one of the marks, and the first unless it is a record; bytes as characters, as nothing needs them decoded. */
function linesWith(marks: readonly Buffer[], lines: Buffer): readonly string[] {
  const starts = new Set(lines.indexOf('{"') === 0 ? [] : [0]);
  for (const mark of marks) {
    for (let at = lines.indexOf(mark); at !== -1; at = lines.indexOf(mark, at + 1))
      starts.add(lines.lastIndexOf(NEWLINE, at) + 1);
  }
  return [...starts]
    .sort((a, b) => a - b)
    .map((start) => {
      const end = lines.indexOf(NEWLINE, start);
      return lines.toString('latin1', start, end === -1 ? lines.length : end);
    });
}
