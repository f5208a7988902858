// What npm would publish, held against publint and are-the-types-wrong. The package is ESM only, which `require` of
// Node 20.19 and later can load.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
const folder = mkdtempSync(join(tmpdir(), 'secondwind-package-'));
try {
  run(process.execPath, 'scripts/types.mjs');
  const packed = run('npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', folder);
  const tarball = join(folder, JSON.parse(packed)[0].filename);
  process.stdout.write(run('npx', 'publint', '--strict'));
  process.stdout.write(
    run('npx', 'attw', '--profile', 'esm-only', '--no-emoji', '--format', 'ascii', tarball),
  );
} finally {
  rmSync(folder, { recursive: true });
}
