// Breaks the shared state in every way that selftests/rig/chaos knows, with real processes:
//   node scripts/chaos.mjs --seed 7 --seconds 60
import { join } from 'node:path';
import { runBundled } from './run-bundled.mjs';

const source = join(import.meta.dirname, '..', 'selftests', 'rig', 'chaos');
process.env.CHAOS_SOURCE = source;
await runBundled('chaos', { main: join(source, 'main.ts') });
