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
 * The lines that end in one chunk, to be taken to the last before the next chunk is. `telling` is asked before each: where it
 * names a letter, lines without it are passed over, except that the last one which is not blank is given for all of them.
 */
export type ChunkOfLines = (telling?: () => string | undefined) => Iterable<RawLine>;

/**
 * Cuts a byte stream into lines at `\n` (and only there: U+2028 inside a JSON string is not a line break). A last
 * line without a break is given when the stream ends or is destroyed. The stream is read no faster than its chunks are
 * taken.
 */
export async function* readChunks(
  stream: Readable,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<ChunkOfLines> {
  const begun = new LineBuffer(maxBytes);
  for await (const chunk of untilDestroyed(stream))
    yield (telling) => linesIn(chunk, begun, maxBytes, telling);
  if (!begun.isEmpty) yield () => [begun.take(NOTHING)];
}

/** The same, one line after another. */
export async function* readLines(stream: Readable, maxBytes?: number): AsyncGenerator<RawLine> {
  for await (const lines of readChunks(stream, maxBytes)) yield* lines();
}

function* linesIn(
  chunk: Buffer,
  begun: LineBuffer,
  maxBytes: number,
  telling: () => string | undefined = () => undefined,
): Generator<RawLine> {
  let start = 0;
  for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
    // Most lines lie in one chunk, and need no copy.
    yield begun.isEmpty && end - start <= maxBytes
      ? new ByteLine(chunk, start, end, false)
      : begun.take(chunk.subarray(start, end));
    start = end + 1;
    const letter = telling();
    if (letter === undefined) continue;
    const next = startOfTelling(chunk, start, letter);
    const last = lastLineOf(chunk, start, next);
    start = next;
    if (last !== undefined) yield last;
  }
  if (start < chunk.length) begun.keep(chunk.subarray(start));
}

/** Where the first line from `start` on begins that holds `letter`, or the one that the chunk does not end. */
function startOfTelling(chunk: Buffer, start: number, letter: string): number {
  const found = chunk.indexOf(letter, start, 'latin1');
  if (found === start) return start;
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

/** The chunks of a stream. Being destroyed is an end like any other: who destroyed it knows why. */
async function* untilDestroyed(stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream as AsyncIterable<Buffer>;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
      throw error;
  }
}

const BYTE_ORDER_MARK = '\ufeff';

/** A line in the memory that it was read into. */
class ByteLine implements RawLine, LineBytes {
  readonly cut: boolean;
  readonly #memory: Buffer;
  readonly #start: number;
  readonly #end: number;
  #text: string | undefined;
  #bytes: Buffer | undefined;

  constructor(memory: Buffer, start: number, end: number, cut: boolean) {
    this.#memory = memory;
    this.#start = start;
    this.#end = end > start && memory[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    this.cut = cut;
  }

  get text(): string {
    return (this.#text ??= this.slice(0));
  }

  get bytes(): LineBytes {
    return this;
  }

  get length(): number {
    return this.#end - this.#start;
  }

  indexOf(ascii: string, from = 0): number {
    this.#bytes ??= this.#memory.subarray(this.#start, this.#end);
    // What is ASCII is the same in Latin-1, which is looked for several times as fast.
    return this.#bytes.indexOf(ascii, from, 'latin1');
  }

  slice(from: number, to = this.length): string {
    const end = this.#start + Math.min(to, this.length);
    const text = this.#memory.toString('utf8', this.#start + from, end);
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
