import type { WriteStream } from 'node:tty';
import { coloursAlone } from '../core/harmless.ts';
import { isStdoutClosed } from './closed-stdout.ts';
import { liveBlock } from './live-block.ts';
import { causeOf, isErrno, isSystemError } from './system-error.ts';

/** Where a command writes: `out` is for pipes and scripts, `err` for the person who watches. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Shows these lines below all that is said on `err`, in place of those before; on what is no terminal, nothing. */
  readonly show: (lines: readonly string[]) => void;
  /** Of the terminal behind `err`, as wide as it is now. */
  readonly columns: number;
  /** Of the terminal behind `out`; `undefined` where that is a pipe or a file, which have no width. */
  readonly outColumns: number | undefined;
  /** Whether what was written to `err` can be written over: a terminal, and none that only appends. */
  readonly isLive: boolean;
  /** 0: none, 1: 16, 2: 256, 3: 16 million; decided by the terminal, `NO_COLOR` and `FORCE_COLOR`. */
  readonly colors: { readonly out: 0 | 1 | 2 | 3; readonly err: 0 | 1 | 2 | 3 };
  /** Resolves when all of `out` has been taken, or cannot be: then with the cause, as the end of a sentence. */
  readonly outTaken: () => Promise<string | undefined>;
}

export function systemTerminal(): Terminal {
  const refusals: string[] = [];
  process.stdout.on('error', (error: Error) => {
    if (!isGoneReader(error)) refusals.push(causeUnlessBug(error));
  });
  // Whom to tell that nobody can be told anything?
  process.stderr.on('error', causeUnlessBug);
  const isLive = process.stderr.isTTY && process.env['TERM'] !== 'dumb';
  const block = liveBlock({
    write: (text) => void process.stderr.write(text),
    columns: () => process.stderr.columns || 80,
    rows: () => process.stderr.rows || 24,
    isLive,
  });
  let saysSomething = false;
  return {
    out: (text) => {
      saysSomething ||= text !== '';
      if (!process.stdout.isTTY) process.stdout.write(text);
      else block.aside(() => void process.stdout.write(coloursAlone(text)));
    },
    err: (text) => {
      block.say(coloursAlone(text));
    },
    show: (lines) => {
      block.show(lines.map(coloursAlone));
    },
    isLive,
    get columns() {
      return process.stderr.columns || 80;
    },
    get outColumns() {
      return process.stdout.isTTY ? process.stdout.columns || 80 : undefined;
    },
    outTaken: () =>
      new Promise((resolve) => {
        process.stdout.write('', () => {
          // A stream tells of its error some turns after the write that met it.
          setImmediate(() => {
            resolve(refusals[0] ?? (saysSomething && isStdoutClosed() ? 'it is closed' : undefined));
          });
        });
      }),
    colors: { out: colorLevel(process.stdout), err: colorLevel(process.stderr) },
  };
}

/** A reader that has seen enough (`| head`), or a terminal that was closed, is no reason to stop the work. */
function isGoneReader(error: Error): boolean {
  return isErrno(error, 'EPIPE', 'EIO', 'ERR_STREAM_DESTROYED');
}

function causeUnlessBug(error: Error): string {
  if (isSystemError(error)) return causeOf(error);
  throw error;
}

function colorLevel(stream: WriteStream): 0 | 1 | 2 | 3 {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (NO_COLOR !== undefined && NO_COLOR !== '') return 0;
  if (FORCE_COLOR !== undefined) return forcedLevel(FORCE_COLOR);
  if (!stream.isTTY || TERM === 'dumb') return 0;
  const depth = stream.getColorDepth();
  return depth >= 24 ? 3 : depth >= 8 ? 2 : depth >= 4 ? 1 : 0;
}

/** `FORCE_COLOR` as Node reads it (cli documentation, "FORCE_COLOR=[1, 2, 3]"). */
function forcedLevel(value: string): 0 | 1 | 2 | 3 {
  switch (value) {
    case '0':
    case 'false':
      return 0;
    case '2':
      return 2;
    case '3':
      return 3;
    default:
      return 1;
  }
}
