import type { Readable } from 'node:stream';

/** Who is told of what comes through a pipe. */
export interface PipeListener {
  /** To be taken, in order, and said to be by `taken`; what lies in it is overwritten after that. */
  readonly chunk: (chunk: Buffer) => void;
  /** Nothing comes any more; `error` is why, unless it ended or was let go. */
  readonly end: (error: Error | undefined) => void;
}

/** The reading end of a child's pipe. Chunks are handed over in the turn that reads them; what is not taken holds the child up. */
export interface Pipe {
  /** Once. What came before is told then. */
  readonly listen: (listener: PipeListener) => void;
  readonly taken: () => void;
  /** All that was read is taken, or nobody wants it. */
  readonly isIdle: boolean;
  readonly bytesRead: number;
  readonly isClosed: boolean;
  readonly destroy: () => void;
}

/**
 * A pipe of Node's own. It is listened to and not iterated: an iterator stops the pipe and starts it again for each chunk,
 * which takes a third more of processor time.
 */
export function pipeOf(stream: Readable): Pipe {
  const { pipe, handOver } = pipeOn(stream);
  stream.on('data', handOver);
  return pipe;
}

/** A pipe on a stream whose chunks are given to `handOver`; `used` is told of each that has been taken. */
export function pipeOn(
  stream: Readable,
  used: (chunk: Buffer) => void = () => undefined,
): { readonly pipe: Pipe; readonly handOver: (chunk: Buffer) => void } {
  const waiting: Buffer[] = [];
  let listener: PipeListener | undefined;
  let over: { readonly error: Error | undefined } | undefined;
  const end = (error?: Error): void => {
    if (over !== undefined) return;
    over = { error };
    listener?.end(error);
  };
  stream.on('error', end);
  // Being destroyed is an end like any other: who destroyed it knows why.
  for (const event of ['end', 'close'])
    stream.on(event, () => {
      end();
    });
  const pipe: Pipe = {
    listen(to) {
      listener = to;
      for (const chunk of [...waiting]) to.chunk(chunk);
      if (over !== undefined) to.end(over.error);
    },
    taken() {
      const chunk = waiting.shift();
      if (chunk !== undefined) used(chunk);
      if (waiting.length === 0 && stream.isPaused()) stream.resume();
    },
    get isIdle() {
      return listener === undefined || (waiting.length === 0 && stream.readableLength === 0);
    },
    get bytesRead() {
      return bytesReadBy(stream);
    },
    get isClosed() {
      return stream.closed;
    },
    destroy: () => stream.destroy(),
  };
  // Mostly the one before has been taken by now; where it has not, a second waits, and nothing more is read.
  const holdUp = (): void => {
    if (waiting.length > (listener === undefined ? 0 : 1)) stream.pause();
  };
  // When a child has exited, Node lets its pipes flow for whoever does not listen to them.
  stream.on('resume', holdUp);
  const handOver = (chunk: Buffer): void => {
    waiting.push(chunk);
    holdUp();
    listener?.chunk(chunk);
  };
  return { pipe, handOver };
}

/** A child's pipes are sockets, which count. */
function bytesReadBy(stream: Readable): number {
  return 'bytesRead' in stream ? Number(stream.bytesRead) : 0;
}
