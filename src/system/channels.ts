import type { Readable } from 'node:stream';
import type { Line, LineBytes } from '../core/line.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import type { Clock } from './clock.ts';
import type { ChunkOfLines as RawLines, RawLine } from './lines.ts';
import { readChunks } from './lines.ts';

/**
 * Lines of one channel, to be taken to the last before the next chunk is; their bytes and texts, before the next line is. For
 * `telling` see `lines.ts`.
 */
export interface ChunkOfLines {
  readonly channel: Line['channel'];
  readonly lines: (telling?: () => string | undefined) => Iterable<Line>;
}

/**
 * Both channels as one sequence. A taker that stops early lets go of the pipes. (No `Promise.race`: each call would
 * leave its winner, a line, hanging on the channel that is silent, and so keep all that the other one ever prints.)
 */
export async function* merge(stdout: Readable, stderr: Readable, clock: Clock): AsyncGenerator<ChunkOfLines> {
  const sources = [
    { channel: 'stdout' as const, chunks: readChunks(stdout) },
    { channel: 'stderr' as const, chunks: readChunks(stderr) },
  ];
  type Source = (typeof sources)[number];
  const arrived: { readonly source: Source; readonly next: ReturnType<Source['chunks']['next']> }[] = [];
  let wake = (): void => undefined;
  const ask = (source: Source): void => {
    const next = source.chunks.next();
    const arrive = (): void => {
      arrived.push({ source, next });
      wake();
    };
    next.then(arrive, arrive);
  };
  sources.forEach(ask);
  let open = sources.length;
  try {
    while (open > 0) {
      const first = arrived.shift();
      if (first === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const result = await first.next;
      if (result.done === true) {
        open -= 1;
        continue;
      }
      yield { channel: first.source.channel, lines: linesOf(result.value, first.source.channel, clock) };
      ask(first.source);
    }
  } finally {
    stdout.destroy();
    stderr.destroy();
  }
}

/** All lines of a chunk were read at one moment. */
function linesOf(chunk: RawLines, channel: Line['channel'], clock: Clock): ChunkOfLines['lines'] {
  const [at, monotonic] = [clock.now(), clock.monotonic()];
  return function* (telling) {
    for (const line of chunk(telling)) yield new ReadLine(line, channel, at, monotonic);
  };
}

/** A line that is decoded when its text is first asked for. */
class ReadLine implements Line {
  readonly channel: Line['channel'];
  readonly at: EpochMs;
  readonly monotonic: DurationMs;
  readonly #raw: RawLine;

  constructor(raw: RawLine, channel: Line['channel'], at: EpochMs, monotonic: DurationMs) {
    this.#raw = raw;
    this.channel = channel;
    this.at = at;
    this.monotonic = monotonic;
  }

  get text(): string {
    return this.#raw.text;
  }

  get cut(): boolean {
    return this.#raw.cut;
  }

  get bytes(): LineBytes {
    return this.#raw.bytes;
  }
}

/** For whoever takes lines at leisure: each is decoded before the next is read. */
export async function* oneByOne(chunks: AsyncIterable<ChunkOfLines>): AsyncGenerator<Line> {
  for await (const { lines } of chunks) {
    for (const { channel, text, at, monotonic, cut } of lines()) {
      yield { channel, text, at, monotonic, ...(cut === true ? { cut } : {}) };
    }
  }
}
