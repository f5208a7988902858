import type { Readable } from 'node:stream';

/** A line longer than this is cut, so that a child which prints one endless line cannot fill the memory. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

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
      line.keep(chunk.subarray(start, end));
      yield line.take();
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

class LineBuffer {
  readonly #decoder = new TextDecoder('utf-8');
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #size = 0;
  #cut = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#size === 0 && !this.#cut;
  }

  keep(piece: Buffer): void {
    const room = this.#maxBytes - this.#size;
    if (piece.length > room) this.#cut = true;
    if (room <= 0) return;
    const kept = piece.subarray(0, room);
    this.#pieces.push(kept);
    this.#size += kept.length;
  }

  take(): RawLine {
    let bytes = Buffer.concat(this.#pieces, this.#size);
    if (bytes.at(-1) === CARRIAGE_RETURN) bytes = bytes.subarray(0, -1);
    const line = { text: this.#decoder.decode(bytes), cut: this.#cut };
    this.#pieces = [];
    this.#size = 0;
    this.#cut = false;
    return line;
  }
}
