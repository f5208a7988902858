import type { Readable } from 'node:stream';

/** A line longer than this is cut, so that a child which prints one endless line cannot fill the memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NOTHING = Buffer.alloc(0);

export interface RawLine {
  readonly text: string;
  readonly cut: boolean;
}

/**
 * Cuts a byte stream into lines at `\n` (and only there: U+2028 inside a JSON string is not a line break).
 * Broken UTF-8 becomes U+FFFD. A last line without a break is given when the stream ends or is destroyed. The
 * stream is read no faster than its lines are taken.
 */
export async function* readLines(
  stream: Readable,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<RawLine> {
  const line = new LineBuffer(maxBytes);
  for await (const chunk of untilDestroyed(stream)) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield line.take(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) line.keep(chunk.subarray(start));
  }
  if (!line.isEmpty) yield line.take();
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

/** The bytes of the line that is being read, in memory that is used again for the next and grows to the longest. */
class LineBuffer {
  readonly #decoder = new TextDecoder('utf-8');
  readonly #maxBytes: number;
  #bytes: Buffer = Buffer.alloc(0);
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
  take(piece: Buffer = NOTHING): RawLine {
    // Most lines lie in one chunk, and need no copy.
    if (this.isEmpty && piece.length <= this.#maxBytes) return { text: this.#decode(piece), cut: false };
    this.keep(piece);
    const line = { text: this.#decode(this.#bytes.subarray(0, this.#size)), cut: this.#cut };
    this.#size = 0;
    this.#cut = false;
    return line;
  }

  #decode(bytes: Buffer): string {
    return this.#decoder.decode(bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes);
  }

  #makeRoomFor(size: number): void {
    if (size <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(size, this.#bytes.length * 2), this.#maxBytes));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}
