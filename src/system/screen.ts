import { fit } from './live-block.ts';
import { coloursAlone } from '../core/harmless.ts';
import { beforeExit } from './process.ts';

/** A whole terminal that is drawn over and over, and given back as it was. */
export interface Screen {
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Shows these lines and nothing else. What has not changed does not move: there is nothing to flicker. */
  readonly draw: (lines: readonly string[]) => void;
  /** Resolves with what ended it: a key, or that nobody is there any more. */
  readonly left: Promise<'quit' | 'interrupt'>;
  readonly onResize: (then: () => void) => void;
  /** Gives the terminal back. May be called again. */
  readonly close: () => void;
}

interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

interface Input {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: 'data' | 'end', listener: (chunk: Uint8Array) => void): unknown;
  off(event: 'data' | 'end', listener: (chunk: Uint8Array) => void): unknown;
}

// ECMA-48 and xterm's private modes: the alternate screen, the cursor, one update shown at once (2026).
const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const [BEGIN, END] = ['\u001b[?2026h', '\u001b[?2026l'];
const [HOME, CLEAR_LINE, CLEAR_BELOW] = ['\u001b[H', '\u001b[K', '\u001b[J'];

const [CTRL_C, CTRL_D, ESCAPE] = ['\u0003', '\u0004', '\u001b'];

/** Takes the terminal over; `undefined` when stdout is none that can be drawn on. */
export function openScreen(
  output: Output = process.stdout,
  input: Input = process.stdin,
  term: string | undefined = process.env['TERM'],
): Screen | undefined {
  if (output.isTTY !== true || term === 'dumb') return undefined;
  const resized: (() => void)[] = [];
  let shown: string | undefined;
  const onResize = (): void => {
    // What the terminal made of what it showed is not known.
    shown = undefined;
    for (const then of resized) then();
  };
  let leave: (why: 'quit' | 'interrupt') => void = () => undefined;
  const left = new Promise<'quit' | 'interrupt'>((resolve) => {
    leave = resolve;
  });
  const onKey = (chunk: Uint8Array): void => {
    const keys = Buffer.from(chunk).toString('utf8');
    if (keys.includes(CTRL_C)) leave('interrupt');
    // Escape alone is the key; with more behind it, an arrow or the like.
    else if (/q/i.test(keys) || keys === ESCAPE || keys.includes(CTRL_D)) leave('quit');
  };
  const listens = input.isTTY === true;
  let isOpen = true;
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    output.off('resize', onResize);
    if (listens) {
      input.off('data', onKey);
      input.setRawMode?.(false);
      input.pause();
    }
    output.write(LEAVE);
    unmark();
  };
  const unmark = beforeExit(close);
  output.write(ENTER);
  output.on('resize', onResize);
  if (listens) {
    input.setRawMode?.(true);
    input.on('data', onKey);
    input.resume();
  }
  return {
    size: () => ({ columns: output.columns ?? 80, rows: output.rows ?? 24 }),
    draw: (wanted) => {
      const lines = wanted.map(coloursAlone);
      // A line that wraps would push the first ones off the screen.
      const body = lines.map((line) => `${fit(line, output.columns ?? 80)}${CLEAR_LINE}`).join('\r\n');
      if (!isOpen || body === shown) return;
      shown = body;
      output.write(`${BEGIN}${HOME}${body}${CLEAR_BELOW}${END}`);
    },
    left,
    onResize: (then) => resized.push(then),
    close,
  };
}
