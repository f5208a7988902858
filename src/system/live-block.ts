/** Lines at the bottom of a terminal that change in place, with a log that scrolls away above them. */
export interface LiveBlock {
  /** Adds text that stays, whole lines. */
  readonly say: (text: string) => void;
  /** Shows these lines in place of those before; none takes them away. */
  readonly show: (lines: readonly string[]) => void;
  /** Takes the lines away while `write` writes to the same screen by another way. */
  readonly aside: (write: () => void) => void;
}

interface Screen {
  readonly write: (text: string) => void;
  /** As wide as it is now. */
  readonly columns: () => number;
  /** As high as it is now. */
  readonly rows: () => number;
  /** Whether what was written can be written over. Otherwise nothing moves: only what is said is written. */
  readonly isLive: boolean;
}

export function liveBlock({ write, columns, rows, isLive }: Screen): LiveBlock {
  if (!isLive) {
    return {
      ...{ say: write, show: () => undefined },
      aside: (step) => {
        step();
      },
    };
  }
  let shown: readonly string[] = [];
  // One write each: what is half drawn is never seen.
  const redraw = (said: string, lines: readonly string[]): void => {
    const back = shown.length === 0 ? '' : `\u001b[${String(shown.length)}A\u001b[J`;
    write(`${back}${said}${lines.map((line) => `${fit(line, columns())}\n`).join('')}`);
    shown = lines;
  };
  return {
    say: (text) => {
      redraw(text, text.endsWith('\n') ? shown : []);
    },
    show: (wanted) => {
      const lines = within(wanted, rows());
      if (lines.length !== shown.length || lines.some((line, index) => line !== shown[index]))
        redraw('', lines);
    },
    aside: (step) => {
      const lines = shown;
      if (lines.length > 0) redraw('', []);
      step();
      if (lines.length > 0) redraw('', lines);
    },
  };
}

/** What scrolled off the top cannot be written over: the lines leave one row of the screen free. */
function within(lines: readonly string[], rows: number): readonly string[] {
  const room = Math.max(1, rows - 1);
  if (lines.length <= room) return lines;
  const kept = lines.slice(0, room - 1);
  return [...kept, `  … and ${String(lines.length - kept.length)} more`];
}

/** A line that wraps would take two rows, and be counted as one. Its colours count for nothing. */
export function fit(line: string, columns: number): string {
  const seen = line.replace(/\u001b\[[0-9;]*m/g, '');
  const width = (seen.match(/[\s\S]/gu) ?? []).reduce((sum, one) => sum + widthOf(one), 0);
  if (width < columns) return line;
  let room = columns - 1;
  let isCut = false;
  return line.replace(/\u001b\[[0-9;]*m|[\s\S]/gu, (piece) => {
    if (piece.length > 2) return piece;
    room -= widthOf(piece);
    if (room > 0) return piece;
    if (isCut) return '';
    isCut = true;
    return '…';
  });
}

/** From here on (Hangul Jamo) a character may take two columns; to take too many for granted costs a little room only. */
const FIRST_WIDE = 0x1100;

function widthOf(character: string): number {
  return (character.codePointAt(0) ?? 0) < FIRST_WIDE ? 1 : 2;
}
