import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../rig/sources.ts';

interface Output {
  readonly sources: readonly string[];
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
}

const outputs = JSON.parse(readFileSync(join(ROOT, 'dist/meta.json'), 'utf8')) as Readonly<
  Record<string, Output>
>;

/** What is loaded with a source: the file that it is in and, without waiting, all that one imports. */
function filesWith(source: string): ReadonlySet<string> {
  const first = Object.keys(outputs).find((file) => outputs[file]?.sources.includes(source));
  if (first === undefined) throw new Error(`the bundle has no ${source}`);
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file) || outputs[file] === undefined) return;
    files.add(file);
    for (const path of outputs[file].imports) visit(path);
  };
  visit(first);
  return files;
}

/** The sources in it. */
function loadedWith(source: string): ReadonlySet<string> {
  return new Set([...filesWith(source)].flatMap((file) => outputs[file]?.sources ?? []));
}

const HEAVY = [/node_modules\/valibot\//, /src\/system\/lock\.ts/, /src\/workers\/(adapters|readers)\//];

describe('the bundle', () => {
  it.each([
    ['src/cli/main.ts', '--version'],
    ['src/cli/parse.ts', '--help'],
    ['src/cli/commands/cooldown-list.ts', 'cooldown list'],
    ['src/cli/commands/complete.ts', 'what a shell asks at every Tab'],
  ])('loads with %s (%s) neither a schema, nor the lock, nor an adapter', (entryPoint) => {
    const loaded = [...loadedWith(entryPoint)];
    expect(loaded.filter((path) => HEAVY.some((heavy) => heavy.test(path)))).toEqual([]);
  });

  it.each([
    ['src/cli/main.ts', '--version', 2],
    ['src/cli/commands/cooldown-list.ts', 'cooldown list', 2],
    ['src/cli/commands/run.ts', 'run', 4],
  ])('has what %s (%s) loads in few files, as each costs time', (source, _what, most) => {
    expect(filesWith(source).size).toBeLessThanOrEqual(most);
  });

  it('has nothing in the file of an entry that another file needs, as it would run', () => {
    const needed = new Set(
      Object.values(outputs).flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]),
    );
    expect([...needed].filter((file) => /^(?:main|library)\./.test(file))).toEqual([]);
  });

  it('would notice: writing does load schemas and the lock', () => {
    expect([...loadedWith('src/store/cooldown-schema.ts')].some((path) => path.includes('/valibot/'))).toBe(
      true,
    );
    expect([...loadedWith('src/store/state-update.ts')]).toContain('src/system/lock.ts');
  });

  it('has run load neither a schema nor the lock before something is written', () => {
    const loaded = [...loadedWith('src/cli/commands/run.ts')];
    expect(loaded.filter((path) => HEAVY.some((heavy) => heavy.test(path)))).toEqual([]);
  });

  it('has all that writes in one file, which a run loads before it starts anybody', () => {
    const writing = [...filesWith('src/store/state-update.ts')];
    for (const name of ['cooldown', 'session', 'health', 'quota', 'probes'])
      expect(writing).toEqual(expect.arrayContaining([...filesWith(`src/store/${name}-schema.ts`)]));
  });

  it('has the library load no parser of command lines', () => {
    const loaded = [...loadedWith('src/library/public.ts')];
    expect(loaded.filter((path) => path.includes('node_modules/commander/'))).toEqual([]);
  });

  it('loads an adapter by itself', () => {
    const loaded = [...loadedWith('src/workers/adapters/codex.ts')];
    expect(loaded.filter((path) => /src\/workers\/readers\/(claude|gemini)/.test(path))).toEqual([]);
  });
});
