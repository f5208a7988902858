import { describe, expect, it } from 'vitest';
import type { AttemptRecord } from '../../../src/core/session.ts';
import { brief, briefOfSince } from '../../../src/fleet/brief.ts';

type Begun = Parameters<typeof brief>[1][number];

function anAttempt(overrides: Partial<AttemptRecord> = {}): Begun {
  return {
    ...{ adapter: 'claude', tools: [], droppedTools: 0, lastWords: '', outcome: 'exhausted' },
    ...overrides,
  };
}

const tools = [
  { name: 'Bash', detail: 'npm test', status: 'failed' },
  { name: 'Edit', detail: 'clock.ts', status: 'done' },
  { name: 'Bash', detail: 'git push', status: 'started' },
] as const;

describe('a brief', () => {
  it('has the task first, then each step with its outcome, the files, the last words and what is left', () => {
    const changes = { diffStat: ' clock.ts | 2 +-\n 1 file changed', untracked: ['new\nfile', 'folder/'] };
    const told = brief('Mend the clock.', [anAttempt({ tools, lastWords: 'Almost.' })], changes);
    const parts = [
      ...[
        'Mend the clock.',
        '[Brief from secondwind]',
        '- Bash: npm test (failed)',
        '- Edit: clock.ts (done)',
      ],
      ...['- Bash: git push (cut off in the middle: it may have taken effect or not)', 'clock.ts | 2 +-'],
      ...['- new file\n', '- folder/', 'Almost.', 'What is left:', '[End of the brief]'],
    ];
    const places = parts.map((part) => told.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(told.startsWith('Mend the clock.\n')).toBe(true);
  });

  it('says nothing of files where they are not known, and that none differs where none does', () => {
    expect(brief('It.', [anAttempt()], undefined)).not.toContain('commit');
    expect(brief('It.', [anAttempt()], { diffStat: '', untracked: [] })).toContain('No file differs');
  });

  it('says that the task was done, when more is asked for afterwards', () => {
    expect(brief('It.', [anAttempt({ outcome: 'done' })], undefined)).toContain('was said to be done');
    expect(brief('It.', [anAttempt()], undefined)).toContain('stopped in the middle');
  });

  it.each([
    ['steps were taken', { lastWords: 'Hm.' }, '- nothing but talk'],
    ['a word was said', {}, '- nothing is known of it'],
  ])('says so when no %s', (_what, attempt, line) => {
    expect(brief('It.', [anAttempt(attempt)], undefined)).toContain(line);
  });

  it('stays bounded, however many files there are', () => {
    const untracked = Array.from({ length: 50_000 }, (_, index) => `${'x'.repeat(300)}/${String(index)}`);
    const diffStat = untracked.map((path) => ` ${path} | 1 +`).join('\n');
    const told = brief('It.', [anAttempt()], { diffStat, untracked });
    expect(told.length).toBeLessThan(25_000);
    expect(told).toContain('- (and 49940 more)');
    expect(told).toContain('49999 | 1 +');
  });

  it('names who worked on it, in order, each once', () => {
    const begun = ['claude', 'codex', 'claude'].map((adapter) => anAttempt({ adapter, tools }));
    expect(brief('It.', begun, undefined)).toContain('(by claude, then codex)');
    expect(briefOfSince(begun.slice(1), undefined)).toContain('(codex, then claude)');
  });
});
