import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** What npm would publish, as whoever installs it has it. */
let files: readonly string[] = [];
let folder = '';
const installed = (): string => join(folder, 'node_modules/secondwind');

function run(program: string, args: readonly string[], cwd: string): string {
  // A home of its own, so that nothing of this machine helps.
  const env = { PATH: process.env['PATH'], HOME: folder };
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'secondwind-package-'));
  run(process.execPath, ['scripts/types.mjs'], ROOT);
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT);
  const [{ filename, files: listed } = { filename: '', files: [] }] = JSON.parse(packed) as readonly {
    readonly filename: string;
    readonly files: readonly { readonly path: string }[];
  }[];
  files = listed.map(({ path }) => path);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, filename)], folder);
}, 120_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the package', () => {
  it('holds the program, the library with its types, the fixtures, and nothing else', () => {
    const kinds = files.map((path) =>
      path
        .replace(/^fixtures\/.*/, 'fixtures/')
        .replace(/^dist\/(?!(?:main|library)\.cjs$)[\w-]+\.cjs$/, 'dist/<file>.cjs'),
    );
    expect([...new Set(kinds)].sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'bin/package.json',
      'bin/secondwind.js',
      'dist/<file>.cjs',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/library.cjs',
      'dist/library.d.ts',
      'dist/library.js',
      'dist/main.cjs',
      'fixtures/',
      'package.json',
    ]);
  });

  it('has all of the last build, and nothing that earlier ones have left', () => {
    const built = JSON.parse(readFileSync(join(ROOT, 'dist/meta.json'), 'utf8')) as Readonly<
      Record<string, unknown>
    >;
    const inDist = files.flatMap((path) => /^dist\/(.+\.cjs)$/.exec(path)?.[1] ?? []);
    expect(inDist.sort()).toEqual(Object.keys(built).sort());
  });

  it('needs no other package', () => {
    expect(run('npm', ['ls', '--all', '--parseable'], folder).trim().split('\n')).toEqual([
      folder,
      installed(),
    ]);
  });

  it('runs from an empty folder', () => {
    expect(run('npx', ['--no-install', 'secondwind', '--version'], folder)).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ['import', `import { createFleet } from 'secondwind'; console.log(typeof createFleet);`, 'module'],
    ['require', `console.log(typeof require('secondwind').createFleet);`, 'commonjs'],
  ])('is loaded by %s, and prints nothing', (_how, text, type) => {
    expect(run(process.execPath, [`--input-type=${type}`, '-e', text], folder)).toBe('function\n');
  });

  it('has types with which a strict program compiles, and a wrong one does not', () => {
    const right = `
      import { createFleet } from 'secondwind';
      import type { Outcome, ToldEvent } from 'secondwind';
      export async function main(signal: AbortSignal): Promise<Outcome['type'] | 'refused'> {
        const fleet = await createFleet({ workers: ['claude'], onQuota: 'wait', maxWaitMs: 3_600_000 });
        if (!fleet.ok) throw new Error(fleet.error.message);
        const run = fleet.value.run('mend the clock', { signal });
        const texts: string[] = [];
        const told: ToldEvent[] = [];
        for await (const event of run) {
          told.push(event);
          if (event.type === 'attempt.text') texts.push(event.text);
          if (event.type === 'cooldown.recorded' && event.until !== undefined) new Date(event.until).toISOString();
        }
        const outcome = await run.outcome;
        return outcome.type;
      }`;
    const place = join(folder, 'consumer');
    mkdirSync(place, { recursive: true });
    const options = { strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false };
    const compilerOptions = { ...options, module: 'nodenext', target: 'es2022' };
    // As whoever uses it has them.
    const typeRoots = [join(ROOT, 'node_modules/@types')];
    writeFileSync(
      join(place, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...compilerOptions, typeRoots, types: ['node'] } }),
    );
    writeFileSync(join(place, 'right.ts'), right);
    const [, readme = ''] =
      /```ts\n([\s\S]*?)```/.exec(readFileSync(join(installed(), 'README.md'), 'utf8')) ?? [];
    expect(readme).toContain('createFleet');
    writeFileSync(join(place, 'readme.ts'), readme);
    writeFileSync(join(place, 'no-policy.ts'), right.replace("'wait'", "'sleep'"));
    writeFileSync(join(place, 'no-field.ts'), right.replace('event.text', 'event.txt'));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', place], { cwd: place, encoding: 'utf8' });
    const wrong = stdout.split('\n').flatMap((line) => /^([\w-]+\.ts)\(/.exec(line)?.[1] ?? []);
    expect(wrong.toSorted()).toEqual(['no-field.ts', 'no-policy.ts']);
  });
});
