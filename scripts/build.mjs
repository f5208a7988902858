// Bundles src/cli/main.ts into dist/. Commands are dynamic imports, so each becomes a chunk that is read only
// when it is used; dependencies are bundled because resolving them one by one costs more than running us.
import { build } from 'esbuild';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

rmSync('dist', { recursive: true, force: true });
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
// What is in which chunk, for selftests/rules/start-up.test.ts; not published.
writeFileSync('dist/meta.json', JSON.stringify(metafile));
writeFileSync('dist/THIRD-PARTY-LICENSES.txt', licenses(Object.keys(metafile.inputs)));

/** The licences of all packages that went into the bundle, as each asks to be passed on. */
function licenses(inputs) {
  const folders = new Set(
    inputs.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/)?.[0] ?? []),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text =
        file === undefined ? `License: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
      return `${name} ${version}\n\n${text}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}
