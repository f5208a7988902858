import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ADAPTER_NAMES } from '../../src/workers/registry.ts';
import { ROOT, sources } from '../rig/sources.ts';

/** Tables of vendor phrases are data, and as long as there are phrases (STYLE 10). */
const TABLES = 'src/signals/phrases/';
const LONGEST = 250;

const own = [...sources('src'), ...sources('selftests')];

describe('files', () => {
  it.each(
    own
      .filter(({ path }) => !path.startsWith(TABLES))
      .map(({ path, text }) => [path, text.split('\n').length - 1] as const),
  )('keep to one job: %s', (_path, lines) => {
    expect(lines).toBeLessThanOrEqual(LONGEST);
  });

  it('have no catch that swallows everything', () => {
    const empty = sources('src').filter(({ text }) => /catch\s*(\([^)]*\))?\s*\{\s*\}/.test(text));
    expect(empty.map(({ path }) => path)).toEqual([]);
  });

  it('have no barrel, no utils, no default export', () => {
    const wrong = sources('src').filter(
      ({ path, text }) =>
        /\/(index|utils|helpers?)\.ts$|\/utils\//.test(path) || text.includes('export default'),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });

  it('end every switch over a union in a case that cannot be, or leave that to the compiler', () => {
    const vague = sources('src').filter(({ text }) =>
      /default:\s*\n\s*(break|return undefined);\s*\n\s*\}\s*\n\}/.test(text),
    );
    // These switch over strings that vendors choose, where the rest is what we do not know.
    expect(vague.map(({ path }) => path).filter((path) => !path.includes('readers/'))).toEqual([]);
  });
});

describe('adapters', () => {
  const files = readdirSync(join(ROOT, 'src/workers/adapters')).map((name) => name.replace(/\.ts$/, ''));
  const fixtures = readdirSync(join(ROOT, 'fixtures')).filter((name) => name !== 'children');

  it('are registered, each file once', () => {
    expect([...ADAPTER_NAMES].sort()).toEqual(files.sort());
  });

  it('have fixtures, and fixtures have an adapter', () => {
    expect(fixtures.sort()).toEqual(files.sort());
  });

  it.each(
    fixtures.flatMap((cli) => readdirSync(join(ROOT, 'fixtures', cli)).map((name) => `${cli}/${name}`)),
  )('have in fixtures/%s a capture and an argued verdict', (path) => {
    for (const file of ['capture.json', 'stream.jsonl', 'expected.json']) {
      expect(existsSync(join(ROOT, 'fixtures', path, file)), file).toBe(true);
    }
  });

  it('neither spawn nor read a clock nor write: they import only data and pure functions', () => {
    const wrong = sources('src/workers')
      .filter(({ path }) => /adapters\/|readers\//.test(path))
      .filter(({ text }) => text.includes("from '../../system/"));
    expect(wrong.map(({ path }) => path)).toEqual([]);
  });
});
