import type { Readable } from 'node:stream';
import type { LineBytes } from '../core/line.ts';

/** A line longer than this is cut, so that a child which prints one endless line cannot fill the memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const NOTHING = Buffer.alloc(0);

/** A line without its break. Bytes and text are to be taken before the next line is. */
export interface RawLine {
  /** Decoded when it is first asked for; broken UTF-8 becomes U+FFFD. */
  readonly text: string;
  readonly bytes: LineBytes;
  readonly cut: boolean;
}

/**
 * Is asked before each line: where it names a letter, lines without it are passed over, except that the last one which is
 * not blank is given for all of them.
 */
export type Telling = () => string | undefined;

/** Cuts what comes in chunks into lines at `\n` (and only there: U+2028 inside a JSON string is not a line break). */
export class LineCutter {
  readonly #maxBytes: number;
  readonly #begun: LineBuffer;

  constructor(maxBytes: number = MAX_LINE_BYTES) {
    this.#maxBytes = maxBytes;
    this.#begun = new LineBuffer(maxBytes);
  }

  /** The lines that end in a chunk, to be taken to the last before those of the next chunk are. */
  *linesOf(chunk: Buffer, telling?: Telling): Generator<RawLine> {
    const begun = this.#begun;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      // Most lines lie in one chunk, and need no copy.
      yield begun.isEmpty && end - start <= this.#maxBytes
        ? new ByteLine(chunk, start, end, false)
        : begun.take(chunk.subarray(start, end));
      start = end + 1;
      const letter = telling?.();
      if (letter === undefined) continue;
      const next = startOfTelling(chunk, start, letter);
      const last = lastLineOf(chunk, start, next);
      start = next;
      if (last !== undefined) yield last;
    }
    if (start < chunk.length) begun.keep(chunk.subarray(start));
  }

  /** The last line, when it has no break. */
  last(): RawLine | undefined {
    return this.#begun.isEmpty ? undefined : this.#begun.take(NOTHING);
  }
}

/** The lines of a stream, which is read no faster than they are taken. */
export async function* readLines(stream: Readable, maxBytes?: number): AsyncGenerator<RawLine> {
  const cutter = new LineCutter(maxBytes);
  for await (const chunk of stream as AsyncIterable<Buffer>) yield* cutter.linesOf(chunk);
  const last = cutter.last();
  if (last !== undefined) yield last;
}

/** Where the first line from `start` on begins that holds `letter`, or the one that the chunk does not end. */
function startOfTelling(chunk: Buffer, start: number, letter: string): number {
  const code = letter.charCodeAt(0);
  // Mostly it begins with it.
  if (chunk[start] === code) return start;
  const found = chunk.indexOf(code, start);
  const before = found === -1 ? chunk.length : found;
  const end = before === 0 ? -1 : chunk.lastIndexOf(NEWLINE, before - 1);
  return Math.max(start, end + 1);
}

/** The last that is not blank of the whole lines between; `undefined` when all are. */
function lastLineOf(chunk: Buffer, from: number, to: number): ByteLine | undefined {
  let end = to;
  while (end > from && (chunk[end - 1] ?? 0) <= SPACE) end -= 1;
  if (end === from) return undefined;
  const start = Math.max(from, chunk.lastIndexOf(NEWLINE, end - 1) + 1);
  return new ByteLine(chunk, start, chunk.indexOf(NEWLINE, end), false);
}

const BYTE_ORDER_MARK = '\ufeff';

/** A line in the memory that it was read into. */
class ByteLine implements RawLine, LineBytes {
  readonly cut: boolean;
  readonly length: number;
  readonly #memory: Buffer;
  readonly #start: number;
  #text: string | undefined = undefined;
  #bytes: Buffer | undefined = undefined;

  constructor(memory: Buffer, start: number, end: number, cut: boolean) {
    this.#memory = memory;
    this.#start = start;
    this.length = (end > start && memory[end - 1] === CARRIAGE_RETURN ? end - 1 : end) - start;
    this.cut = cut;
  }

  get text(): string {
    return (this.#text ??= this.slice(0));
  }

  get bytes(): LineBytes {
    return this;
  }

  at(index: number): number | undefined {
    return index < 0 || index >= this.length ? undefined : this.#memory[this.#start + index];
  }

  indexOf(ascii: string, from = 0): number {
    if (ascii.length === 1) {
      // A number is looked for several times as fast; past the end of this line mostly the next begins with it.
      const found = this.#memory.indexOf(ascii.charCodeAt(0), this.#start + from) - this.#start;
      return found < 0 || found >= this.length ? -1 : found;
    }
    this.#bytes ??= this.#memory.subarray(this.#start, this.#start + this.length);
    // What is ASCII is the same in Latin-1, which is looked for several times as fast.
    return this.#bytes.indexOf(ascii, from, 'latin1');
  }

  slice(from: number, to = this.length): string {
    const text = this.#memory.toString('utf8', this.#start + from, this.#start + Math.min(to, this.length));
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}

/** The bytes of the line that is being read, in memory that is used again for the next and grows to the longest. */
class LineBuffer {
  readonly #maxBytes: number;
  #bytes: Buffer = NOTHING;
  #size = 0;
  #cut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#size === 0 && !this.#cut;
  }

  /** Copies: what is kept of a chunk would keep all of it in memory. */
  keep(piece: Buffer): void {
    const room = this.#maxBytes - this.#size;
    if (piece.length > room) this.#cut = true;
    const kept = Math.min(piece.length, room);
    this.#makeRoomFor(this.#size + kept);
    piece.copy(this.#bytes, this.#size, 0, kept);
    this.#size += kept;
  }

  /** The line that is kept and ends with `piece`. */
  take(piece: Buffer): RawLine {
    this.keep(piece);
    const line = new ByteLine(this.#bytes, 0, this.#size, this.#cut);
    this.#size = 0;
    this.#cut = false;
    return line;
  }

  #makeRoomFor(size: number): void {
    if (size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(size, this.#bytes.length * 2), this.#maxBytes));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}
