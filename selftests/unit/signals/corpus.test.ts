import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assess, report } from './accuracy-report.ts';
import type { Undecided } from './measure.ts';

const data = new URL('../../data/', import.meta.url);
const corpus = readFileSync(new URL('messages.jsonl', data), 'utf8');
const undecided = JSON.parse(readFileSync(new URL('undecided.json', data), 'utf8')) as readonly Undecided[];

describe('the messages that people reported', () => {
  const accuracy = assess(corpus, undecided);

  it('are read as what they are, with the reset that they name', () => {
    expect(accuracy.misses, report(accuracy)).toEqual([]);
  });

  it('never raise a false alarm', () => {
    expect(accuracy.falseAlarms).toBe(0);
  });

  it('are excused only where that is still needed', () => {
    expect(accuracy.excused.map(({ measured }) => measured.line)).toEqual(undecided.map(({ line }) => line));
  });
});
