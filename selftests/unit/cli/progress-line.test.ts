import { expect, it } from 'vitest';
import { progressLine } from '../../../src/cli/progress-line.ts';
import { durationMs } from '../../../src/core/time.ts';

function drawn(isLive: boolean): {
  readonly written: string[];
  readonly line: ReturnType<typeof progressLine>;
  at: number;
} {
  const written: string[] = [];
  const state = { written, at: 0 };
  const terminal = {
    ...{ out: () => undefined, columns: 40, isLive, colors: { out: 0, err: 0 } as const },
    ...{ err: (text: string) => void written.push(text), outTaken: () => Promise.resolve(undefined) },
  };
  const clock = {
    now: () => {
      throw new Error('the wall clock jumps');
    },
    monotonic: () => durationMs(state.at),
    sleep: () => Promise.resolve(),
  };
  const line = progressLine({ terminal, clock }, [
    { id: 'claude', of: 15 },
    { id: 'codex', of: 14 },
  ]);
  return Object.assign(state, { line });
}

it('is written over on a terminal, and gone in the end', () => {
  const { written, line, ...state } = drawn(true);
  line.tell('codex', 3);
  line.clear();
  expect(written).toEqual([
    '\r\u001b[Kclaude 0/15 · codex 0/14 · 0 s',
    '\r\u001b[Kclaude 0/15 · codex 3/14 · 0 s',
    '\r\u001b[K',
  ]);
  expect(state.at).toBe(0);
});

it('never moves where nobody watches', () => {
  const { written, line } = drawn(false);
  line.tell('codex', 3);
  line.clear();
  expect(written).toEqual([]);
});
