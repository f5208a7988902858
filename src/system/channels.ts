import type { Readable } from 'node:stream';
import type { Line, LineBytes } from '../core/line.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import type { Clock } from './clock.ts';
import type { RawLine, Telling } from './lines.ts';
import { LineCutter } from './lines.ts';

/**
 * Lines of one channel, to be taken to the last before the next chunk is; their bytes and texts, before the next line is. For
 * `telling` see `lines.ts`.
 */
export interface ChunkOfLines {
  readonly channel: Line['channel'];
  readonly lines: (telling?: Telling) => Iterable<Line>;
}

/** One of a child's pipes. */
interface Source {
  readonly channel: Line['channel'];
  readonly cutter: LineCutter;
  /** What was handed over has been taken. */
  readonly taken: () => void;
}

/** What came of a pipe: bytes, or its end, or why it broke. */
type Arrival = { readonly source: Source } & (
  | { readonly type: 'chunk'; readonly chunk: Buffer }
  | { readonly type: 'end' }
  | { readonly type: 'broken'; readonly error: Error }
);

/**
 * Both channels as one sequence, in the order in which they are read, and no faster than they are taken. A last line without
 * a break is given when its channel ends or is destroyed. A taker that stops early lets go of the pipes.
 */
export async function* merge(stdout: Readable, stderr: Readable, clock: Clock): AsyncGenerator<ChunkOfLines> {
  const arrived: Arrival[] = [];
  let wake = (): void => undefined;
  const arrive = (arrival: Arrival): void => {
    arrived.push(arrival);
    wake();
  };
  listen('stdout', stdout, arrive);
  listen('stderr', stderr, arrive);
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
      if (arrival.type === 'broken') throw arrival.error;
      const { channel, cutter, taken } = arrival.source;
      if (arrival.type === 'end') {
        open -= 1;
        const last = cutter.last();
        if (last !== undefined) yield { channel, lines: stamped(() => [last], channel, clock) };
      } else {
        const { chunk } = arrival;
        yield { channel, lines: stamped((telling) => cutter.linesOf(chunk, telling), channel, clock) };
        taken();
      }
    }
  } finally {
    stdout.destroy();
    stderr.destroy();
  }
}

/**
 * Listens instead of iterating: Node then hands over each chunk in the turn that reads it, without stopping the pipe and
 * starting it again (a third less of processor time), and the taker is mostly done with it before the next one is read.
 * Where it is not, one more waits, and the pipe is not read.
 */
function listen(channel: Line['channel'], stream: Readable, arrive: (arrival: Arrival) => void): void {
  let waiting = 0;
  let isOver = false;
  const taken = (): void => {
    waiting -= 1;
    if (waiting === 0 && stream.isPaused()) stream.resume();
  };
  const source: Source = { channel, cutter: new LineCutter(), taken };
  const end = (error?: Error | null): void => {
    if (isOver) return;
    isOver = true;
    arrive(error instanceof Error ? { source, type: 'broken', error } : { source, type: 'end' });
  };
  stream.on('data', (chunk: Buffer) => {
    waiting += 1;
    if (waiting > 1) stream.pause();
    arrive({ source, type: 'chunk', chunk });
  });
  stream.on('error', end);
  stream.on('end', () => {
    end();
  });
  // Being destroyed is an end like any other: who destroyed it knows why.
  stream.on('close', () => {
    end();
  });
  if (stream.readableEnded || stream.destroyed) end(stream.errored);
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
