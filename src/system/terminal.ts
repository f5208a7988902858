import type { WriteStream } from 'node:tty';
import { isErrno } from './system-error.ts';

/** Where a command writes: `out` is for pipes and scripts, `err` for the person who watches. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether somebody can watch: nothing moves unless stderr is a terminal. */
  readonly isWatched: boolean;
  readonly columns: number;
  /** 0: none, 1: 16, 2: 256, 3: 16 million; decided by the terminal, `NO_COLOR` and `FORCE_COLOR`. */
  readonly colors: { readonly out: 0 | 1 | 2 | 3; readonly err: 0 | 1 | 2 | 3 };
}

export function systemTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe);
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    isWatched: process.stderr.isTTY,
    columns: process.stderr.columns || 80,
    colors: { out: colorLevel(process.stdout), err: colorLevel(process.stderr) },
  };
}

/** A reader that has seen enough (`| head`) is no reason to stop the work. */
function ignoreClosedPipe(error: Error): void {
  if (!isErrno(error, 'EPIPE')) throw error;
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
