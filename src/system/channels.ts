import type { Line, LineBytes } from '../core/line.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import type { Clock } from './clock.ts';
import type { RawLine, Telling } from './lines.ts';
import { LineCutter } from './lines.ts';
import type { Pipe } from './pipe.ts';

/**
 * Lines of one channel, to be taken to the last before the next chunk is; their bytes and texts, before the next line is. For
 * `telling` see `lines.ts`.
 */
export interface ChunkOfLines {
  readonly channel: Line['channel'];
  readonly lines: (telling?: Telling) => Iterable<Line>;
}

/** What came of a pipe: bytes, or its end, or why it broke. */
type Arrival = { readonly source: Source } & (
  | { readonly type: 'chunk'; readonly chunk: Buffer }
  | { readonly type: 'end'; readonly error: Error | undefined }
);

interface Source {
  readonly channel: Line['channel'];
  readonly pipe: Pipe;
  readonly cutter: LineCutter;
}

/**
 * Both channels as one sequence, in the order in which they are read, and no faster than they are taken. A last line without
 * a break is given when its channel ends or is destroyed. A taker that stops early lets go of the pipes.
 */
export async function* merge(stdout: Pipe, stderr: Pipe, clock: Clock): AsyncGenerator<ChunkOfLines> {
  const arrived: Arrival[] = [];
  let wake = (): void => undefined;
  const arrive = (arrival: Arrival): void => {
    arrived.push(arrival);
    wake();
  };
  listen({ channel: 'stdout', pipe: stdout, cutter: new LineCutter() }, arrive);
  listen({ channel: 'stderr', pipe: stderr, cutter: new LineCutter() }, arrive);
  let open = 2;
  try {
    while (open > 0) {
      const arrival = arrived.shift();
      if (arrival === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      const { channel, pipe, cutter } = arrival.source;
      if (arrival.type === 'chunk') {
        const { chunk } = arrival;
        yield { channel, lines: stamped((telling) => cutter.linesOf(chunk, telling), channel, clock) };
        pipe.taken();
        continue;
      }
      if (arrival.error !== undefined) throw arrival.error;
      open -= 1;
      const last = cutter.last();
      if (last !== undefined) yield { channel, lines: stamped(() => [last], channel, clock) };
    }
  } finally {
    stdout.destroy();
    stderr.destroy();
  }
}

function listen(source: Source, arrive: (arrival: Arrival) => void): void {
  source.pipe.listen({
    chunk(chunk) {
      arrive({ source, type: 'chunk', chunk });
    },
    end(error) {
      arrive({ source, type: 'end', error });
    },
  });
}

/** All lines of a chunk were read at one moment. */
function stamped(
  lines: (telling?: Telling) => Iterable<RawLine>,
  channel: Line['channel'],
  clock: Clock,
): ChunkOfLines['lines'] {
  const [at, monotonic] = [clock.now(), clock.monotonic()];
  return function* (telling) {
    for (const line of lines(telling)) yield new ReadLine(line, channel, at, monotonic);
  };
}

/** A line that is decoded when its text is first asked for. */
class ReadLine implements Line {
  readonly channel: Line['channel'];
  readonly at: EpochMs;
  readonly monotonic: DurationMs;
  readonly bytes: LineBytes;
  readonly cut: boolean;
  readonly #raw: RawLine;

  constructor(raw: RawLine, channel: Line['channel'], at: EpochMs, monotonic: DurationMs) {
    this.#raw = raw;
    this.channel = channel;
    this.at = at;
    this.monotonic = monotonic;
    this.bytes = raw.bytes;
    this.cut = raw.cut;
  }

  get text(): string {
    return this.#raw.text;
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
