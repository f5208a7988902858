import type { Io } from './io.ts';

/** One line that says how far each has come, below all else that is said; nothing where stderr is no terminal. */
export interface ProgressLine {
  readonly tell: (id: string, done: number) => void;
  readonly clear: () => void;
}

export function progressLine(
  {
    terminal,
    clock,
  }: { readonly terminal: Pick<Io['terminal'], 'show'>; readonly clock: Pick<Io['clock'], 'monotonic'> },
  parts: readonly { readonly id: string; readonly of: number }[],
): ProgressLine {
  const begun = clock.monotonic();
  const done = new Map<string, number>();
  const draw = (): void => {
    const words = parts.map(({ id, of }) => `${id} ${String(done.get(id) ?? 0)}/${String(of)}`).join(' · ');
    const seconds = Math.round((clock.monotonic() - begun) / 1_000);
    terminal.show([`${words} · ${String(seconds)} s`]);
  };
  draw();
  return {
    tell(id, count) {
      done.set(id, count);
      draw();
    },
    clear() {
      terminal.show([]);
    },
  };
}
