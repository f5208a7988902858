import type { Io } from './io.ts';

/** One line on stderr that is written over, and gone when all is told; nothing at all where stderr is no terminal. */
export interface ProgressLine {
  readonly tell: (id: string, done: number) => void;
  readonly clear: () => void;
}

export function progressLine(
  { terminal, clock }: Pick<Io, 'terminal' | 'clock'>,
  parts: readonly { readonly id: string; readonly of: number }[],
): ProgressLine {
  const begun = clock.monotonic();
  const done = new Map<string, number>();
  const draw = (): void => {
    const words = parts.map(({ id, of }) => `${id} ${String(done.get(id) ?? 0)}/${String(of)}`).join(' · ');
    const seconds = Math.round((clock.monotonic() - begun) / 1_000);
    terminal.err(`\r\u001b[K${words} · ${String(seconds)} s`.slice(0, terminal.columns + 3));
  };
  if (terminal.isLive) draw();
  return {
    tell(id, count) {
      done.set(id, count);
      if (terminal.isLive) draw();
    },
    clear() {
      if (terminal.isLive) terminal.err('\r\u001b[K');
    },
  };
}
