// Bundles src/cli/main.ts into dist/. Commands are dynamic imports, so each becomes a chunk that is read only
// when it is used; dependencies are bundled because resolving them one by one costs more than running us.
import { build } from 'esbuild';
import { rm, writeFile } from 'node:fs/promises';

await rm('dist', { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: { main: 'src/cli/main.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // jsonc-parser's main is UMD, whose requires a bundler cannot follow.
  mainFields: ['module', 'main'],
  metafile: true,
  logLevel: 'warning',
  // commander and proper-lockfile are CommonJS: what they require from Node has to come from somewhere.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
});
await writeFile('dist/meta.json', JSON.stringify(metafile));
