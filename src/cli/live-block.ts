import type { Terminal } from '../system/terminal.ts';

/** Lines at the bottom of a terminal that change in place, with a log that scrolls away above them. */
export interface LiveBlock {
  /** Adds text that stays, whole lines. */
  readonly say: (text: string) => void;
  /** Shows these lines in place of those before. */
  readonly show: (lines: readonly string[]) => void;
}

/** On what is no terminal nothing moves: only what is said is written. */
export function liveBlock({ err, columns, isLive }: Pick<Terminal, 'err' | 'columns' | 'isLive'>): LiveBlock {
  let shown: readonly string[] = [];
  // One write each: what is half drawn is never seen.
  const redraw = (said: string, lines: readonly string[]): void => {
    const back = shown.length === 0 ? '' : `\u001b[${String(shown.length)}A\u001b[J`;
    err(`${back}${said}${lines.map((line) => `${fit(line, columns)}\n`).join('')}`);
    shown = lines;
  };
  if (!isLive) return { say: err, show: () => undefined };
  return {
    say: (text) => {
      redraw(text, shown);
    },
    show: (lines) => {
      if (lines.length !== shown.length || lines.some((line, index) => line !== shown[index]))
        redraw('', lines);
    },
  };
}

/** A line that wraps would take two rows, and be counted as one. Its colours count for nothing. */
function fit(line: string, columns: number): string {
  let room = columns - 1;
  let isCut = false;
  return line.replace(/\u001b\[[0-9;]*m|[\s\S]/gu, (piece) => {
    if (piece.length > 2) return piece;
    room -= 1;
    if (room > 0) return piece;
    if (isCut) return '';
    isCut = true;
    return '…';
  });
}
