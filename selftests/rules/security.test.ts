import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** The rows of the table of boundaries in SECURITY.md: what it promises, and the tests that hold it. */
const ROWS = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.length === 4 && (cells[2] ?? '').includes('`'))
  .slice(1)
  .map(([, boundary = '', tests = '']) => ({
    boundary,
    tests: [...tests.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  }));

it('SECURITY.md names boundaries and their tests', () => {
  expect(ROWS.length).toBeGreaterThanOrEqual(6);
});

it.each(ROWS)('the tests of $boundary are there', ({ tests }) => {
  expect(tests).not.toEqual([]);
  const missing = tests.filter((name) => !existsSync(join(ROOT, 'selftests', `${name}.test.ts`)));
  expect(missing).toEqual([]);
});
