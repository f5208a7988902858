import { expect, it } from 'vitest';
import { progressLine } from '../../../src/cli/progress-line.ts';
import { durationMs } from '../../../src/core/time.ts';

it('says how far each has come, and is gone in the end', () => {
  const shown: (readonly string[])[] = [];
  let at = 0;
  const show = (lines: readonly string[]): void => {
    shown.push(lines);
  };
  const line = progressLine({ terminal: { show }, clock: { monotonic: () => durationMs(at) } }, [
    { id: 'claude', of: 15 },
    { id: 'codex', of: 14 },
  ]);
  at = 12_400;
  line.tell('codex', 3);
  line.clear();
  expect(shown).toEqual([['claude 0/15 · codex 0/14 · 0 s'], ['claude 0/15 · codex 3/14 · 12 s'], []]);
});
