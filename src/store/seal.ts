import { checksum } from '../system/checksum.ts';
import type { OpenFile } from '../system/read-file.ts';
import { allOf } from '../system/read-file.ts';
import type { JsonObject } from './strict-json.ts';

// How a few records are found in a state of thousands without understanding the others.
//
// A state is written with one line a record. One that is longer than a piece ends in a seal, the checksum of all before
// it. While that fits, the file is to the byte what a secondwind wrote, and that had understood every line of it. So a
// line that cannot matter is passed over as bytes, and what is left is a state like any other, only smaller, which is
// checked like any other. A seal that does not fit says nothing against a state: it was edited by hand or written by a
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

/** `undefined`: its seal does not fit. */
function excerpt({ size, readInto }: OpenFile, words: readonly string[]): Uint8Array | undefined {
  const end = Buffer.alloc(SEALED_END);
  const length = size - SEALED_END;
  readInto(end, length);
  if (!end.includes(SEAL)) return undefined;
  const keep = keeper(words);
  const piece = Buffer.alloc(PIECE);
  let [sum, open] = [0, ''];
  for (let at = 0; at < length; at += PIECE) {
    const bytes = piece.subarray(0, length - at);
    if (readInto(bytes, at) < bytes.length) return undefined;
    sum = checksum(bytes, sum);
    // Bytes as characters: nothing is decoded that is not kept.
    const text = open + bytes.toString('latin1');
    const begun = text.lastIndexOf('\n') + 1;
    keep(text.slice(0, begun));
    open = text.slice(begun);
  }
  const kept = keep(`${open}\n`).join('\n').replaceAll(',\n]', '\n]');
  return end.equals(Buffer.from(endWith(sum))) ? Buffer.from(kept + END, 'latin1') : undefined;
}

/** Is told whole lines, and returns which of all it was told are no records or hold one of the words. */
function keeper(words: readonly string[]): (lines: string) => readonly string[] {
  const inBytes = words.map((word) => Buffer.from(word).toString('latin1'));
  // A class that nothing is in: without words nothing holds one.
  const word = new RegExp(words.length === 0 ? '[]' : inBytes.map(literally).join('|'), 'g');
  const kept: string[] = [];
  return (lines) => {
    word.lastIndex = 0;
    let found = -1;
    for (let [start, end] = [0, 0]; (end = lines.indexOf('\n', start)) !== -1; start = end + 1) {
      while (found < start) found = word.exec(lines)?.index ?? Infinity;
      const isRecord = lines.startsWith('{"', start);
      if (!isRecord || found < end) kept.push(lines.slice(start, end));
    }
    return kept;
  };
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
