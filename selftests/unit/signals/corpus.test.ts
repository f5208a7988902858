import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { assess, report } from './accuracy-report.ts';
import type { Reported, Undecided } from './measure.ts';
import { judgePlain, measure } from './measure.ts';

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

describe('the same messages in plain output of the three CLIs', () => {
  it.each([
    // A retry notice, a test's placeholder before the words, a piece of a dump: none is a line of headless output.
    ['messages.jsonl', [173, 191, 246]],
    // Too short to tell from prose.
    ['found.jsonl', [15]],
  ])('are read as what they are, in %s, and raise no false alarm', (name, exceptions) => {
    const rows = read(name)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Reported);
    const measured = rows.flatMap((message, index) =>
      isPlain(message) ? (measure(message, index + 1, judgePlain) ?? []) : [],
    );
    const missed = measured.filter(({ kindRight, resetRight }) => !kindRight || resetRight === false);
    expect(measured.length).toBeGreaterThan(80);
    expect(missed.map(({ line }) => line)).toEqual(exceptions);
    expect(measured.filter(({ falseAlarm }) => falseAlarm)).toEqual([]);
  });
});

function isPlain({ cli, channel, text, note }: Reported): boolean {
  return (
    ['claude', 'codex', 'gemini'].includes(cli) &&
    ['tui', 'stdout-text', 'stderr', 'stdout-json'].includes(channel) &&
    !text.startsWith('{') &&
    !note.includes('[non-terminal]')
  );
}
