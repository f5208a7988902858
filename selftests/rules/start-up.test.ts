import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../rig/sources.ts';

interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

const { outputs } = JSON.parse(readFileSync(join(ROOT, 'dist/meta.json'), 'utf8')) as {
  readonly outputs: Readonly<Record<string, Output>>;
};

/** What is loaded with an entry point: its own chunk and, without waiting, all it imports. */
function chunksWith(entryPoint: string): ReadonlySet<string> {
  const first = Object.entries(outputs).find(([, output]) => output.entryPoint === entryPoint)?.[0];
  if (first === undefined) throw new Error(`the bundle has no ${entryPoint}`);
  const chunks = new Set<string>();
  const visit = (chunk: string): void => {
    if (chunks.has(chunk)) return;
    chunks.add(chunk);
    for (const { path, kind } of outputs[chunk]?.imports ?? []) if (kind !== 'dynamic-import') visit(path);
  };
  visit(first);
  return chunks;
}

/** The sources in it. */
function loadedWith(entryPoint: string): ReadonlySet<string> {
  return new Set([...chunksWith(entryPoint)].flatMap((chunk) => Object.keys(outputs[chunk]?.inputs ?? {})));
}

const HEAVY = [
  /node_modules\/execa\//,
  /node_modules\/zod\//,
  /node_modules\/proper-lockfile\//,
  /src\/workers\/(adapters|readers)\//,
];

describe('the bundle', () => {
  it.each([
    ['src/cli/main.ts', '--version'],
    ['src/cli/parse.ts', '--help'],
    ['src/cli/commands/cooldown-list.ts', 'cooldown list'],
    ['src/cli/commands/complete.ts', 'what a shell asks at every Tab'],
  ])('loads with %s (%s) neither execa, nor zod, nor the lock, nor an adapter', (entryPoint) => {
    const loaded = [...loadedWith(entryPoint)];
    expect(loaded.filter((path) => HEAVY.some((heavy) => heavy.test(path)))).toEqual([]);
  });

  it('has cooldown list in one file, which loads on demand what others load', () => {
    const [only, ...others] = [...chunksWith('src/cli/commands/cooldown-list.ts')].filter(
      (path) => !path.startsWith('node:'),
    );
    expect(others).toEqual([]);
    const onDemand = outputs[only ?? '']?.imports.filter(({ kind }) => kind === 'dynamic-import') ?? [];
    expect(onDemand.length).toBeGreaterThan(0);
    const files = readdirSync(join(ROOT, 'dist'));
    for (const { path } of onDemand) expect(files).toContain(basename(path));
  });

  it('would notice: run does load zod and the lock', () => {
    const loaded = [...loadedWith('src/cli/commands/run.ts')];
    for (const heavy of [/node_modules\/zod\//, /node_modules\/proper-lockfile\//])
      expect(loaded.some((path) => heavy.test(path))).toBe(true);
  });

  it.each(['explain', 'run', 'status', 'workers'])(
    'has %s load execa only if it may start a child',
    (name) => {
      const loaded = [...loadedWith(`src/cli/commands/${name}.ts`)];
      expect(loaded).toContain('src/system/child.ts');
      expect(loaded.filter((path) => path.includes('node_modules/execa/'))).toEqual([]);
    },
  );

  it('loads an adapter by itself', () => {
    const loaded = [...loadedWith('src/workers/adapters/codex.ts')];
    expect(loaded.filter((path) => /src\/workers\/readers\/(claude|gemini)/.test(path))).toEqual([]);
  });
});
