// Runs TypeScript that is no part of the product: bundled into a folder of its own inside the project, so that the packages
// that it needs are found from there.
import { build } from 'esbuild';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Runs `main` of these entry points, by their names, and gives what it exports. `told` hears where they lie before anything runs. */
export async function runBundled(name, entryPoints, told = () => undefined) {
  const folder = await mkdtemp(join(import.meta.dirname, '..', 'node_modules', `.${name}-`));
  told(folder);
  await build({
    entryPoints,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'warning',
  });
  try {
    return await import(pathToFileURL(join(folder, 'main.mjs')).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
