// Bundles the program, src/cli/main.ts, and the library, src/library/public.ts, into dist/. Commands are dynamic imports, so each
// becomes a chunk that is read only
// when it is used; dependencies are bundled because resolving them one by one costs more than running us.
import { build } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const isRelease = process.argv.includes('--clean');
if (isRelease) rmSync('dist', { recursive: true, force: true });
// Beside dist/ and renamed into it, as a secondwind may be running from there and load its next chunk at any moment.
const folder = `dist.${process.pid}`;
const how = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // jsonc-parser's main is UMD, whose requires a bundler cannot follow.
  mainFields: ['module', 'main'],
  // execa's colours, which we never see: where both NO_COLOR and FORCE_COLOR are set, asking for them makes Node warn.
  alias: { yoctocolors: './scripts/no-colors.mjs' },
  metafile: true,
  logLevel: 'warning',
  // commander and proper-lockfile are CommonJS: what they require from Node has to come from somewhere.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
};
const { metafile } = await build({
  ...how,
  entryPoints: { main: 'src/cli/main.ts', library: 'src/library/public.ts' },
  outdir: folder,
  splitting: true,
});
await inOneFile('src/cli/commands/cooldown-list.ts');
// What is in which chunk, for selftests/rules/start-up.test.ts; not published.
writeFileSync(join(folder, 'meta.json'), JSON.stringify(metafile).replaceAll(`"${folder}/`, '"dist/'));
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenses(Object.keys(metafile.inputs)));
publish();

/**
 * Puts all that a command loads at once into its own chunk, for one that is asked all the time: finding a file costs as
 * much as running what is in it. What it loads on demand stays where the others load it from. Only for a command whose
 * modules keep nothing that others need to see.
 */
async function inOneFile(source) {
  const chunkOf = (path) =>
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === path)[0];
  const onDemand = {
    name: 'on-demand',
    setup(bundler) {
      bundler.onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === 'asked') return undefined;
        const found = await bundler.resolve(path, { kind, resolveDir, pluginData: 'asked' });
        return { path: `./${basename(chunkOf(relative('.', found.path)))}`, external: true };
      });
    },
  };
  const chunk = chunkOf(source);
  const whole = await build({ ...how, entryPoints: [source], outfile: chunk, plugins: [onDemand] });
  metafile.outputs[chunk] = whole.metafile.outputs[chunk];
}

/** Chunks first, the entries last; chunks of earlier builds stay for a day, for whoever still runs them. */
function publish() {
  mkdirSync('dist', { recursive: true });
  const built = readdirSync(folder);
  const isEntry = (name) => Number(name === 'main.js' || name === 'library.js');
  for (const name of built.sort((a, b) => isEntry(a) - isEntry(b))) {
    renameSync(join(folder, name), join('dist', name));
  }
  rmSync(folder, { recursive: true });
  const aDayAgo = Date.now() - 86_400_000;
  for (const name of readdirSync('dist')) {
    const path = join('dist', name);
    if (name === 'library.d.ts') continue;
    if (!built.includes(name) && statSync(path).mtimeMs < aDayAgo) rmSync(path, { recursive: true });
  }
}

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
