// Breaks the shared state in every way that selftests/rig/chaos knows, with real processes:
//   node scripts/chaos.mjs --seed 7 --seconds 60
import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const source = join(import.meta.dirname, '..', 'selftests', 'rig', 'chaos');
// Inside the project, so that esbuild itself, which the scenarios need, can be found from there.
const folder = await mkdtemp(join(import.meta.dirname, '..', 'node_modules', '.chaos-'));
process.env.CHAOS_SOURCE = source;
await build({
  entryPoints: [join(source, 'main.ts')],
  outfile: join(folder, 'main.mjs'),
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
