// Measures every budget of DESIGN 12 (selftests/rig/bench) with the product as it is built:
//   npm run bench -- --help
import { join } from 'node:path';
import { runBundled } from './run-bundled.mjs';

const root = join(import.meta.dirname, '..');
const source = join(root, 'selftests', 'rig', 'bench');
process.env.BENCH_ROOT = root;
process.env.CHAOS_SOURCE = join(root, 'selftests', 'rig', 'chaos');
const entryPoints = { main: join(source, 'main.ts'), actor: join(source, 'actor.ts') };
await runBundled('bench', entryPoints, (folder) => {
  process.env.BENCH_ACTOR = join(folder, 'actor.mjs');
});
