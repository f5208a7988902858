// Measures every budget of DESIGN 12 (selftests/rig/bench) with the product as it is built:
//   npm run bench -- --help
import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(import.meta.dirname, '..');
const source = join(root, 'selftests', 'rig', 'bench');
// Inside the project, so that the packages that the bench needs can be found from there.
const folder = await mkdtemp(join(root, 'node_modules', '.bench-'));
process.env.BENCH_ROOT = root;
process.env.BENCH_ACTOR = join(folder, 'actor.mjs');
process.env.CHAOS_SOURCE = join(root, 'selftests', 'rig', 'chaos');
await build({
  entryPoints: { main: join(source, 'main.ts'), actor: join(source, 'actor.ts') },
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  packages: 'external',
  logLevel: 'warning',
});
try {
  await import(pathToFileURL(join(folder, 'main.mjs')).href);
} finally {
  await rm(folder, { recursive: true, force: true });
}
