import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assess, report } from './accuracy-report.ts';
import type { Undecided } from './measure.ts';

const read = (name: string) => readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8');
const undecided = JSON.parse(read('undecided.json')) as readonly Undecided[];

describe.each([
  ['messages.jsonl', undecided],
  ['found.jsonl', []],
])('the messages that people reported, in %s,', (name, excuses) => {
  const accuracy = assess(read(name), excuses);

  it('are read as what they are, with the reset that they name', () => {
    expect(accuracy.misses.length, report(accuracy)).toBe(0);
  });

  it('never raise a false alarm', () => {
    expect(accuracy.falseAlarms).toBe(0);
  });

  it('are excused only where that is still needed', () => {
    expect(accuracy.excused.map(({ measured }) => measured.line)).toEqual(excuses.map(({ line }) => line));
  });
});
