// Builds the program and the library into dist/. esbuild turns the sources and all dependencies into pieces, as small as
// the commands that share them make them; rollup puts pieces that are needed together into one file. Finding a file costs
// about as much as running what is in it, and so does every kilobyte: `--version` is two files, `cooldown list` three, and what
// few starts need (what checks, what writes) is a file of its own, read when it is used. They are CommonJS, which Node loads in
// half the time; `library.js` is the module that the package's users import.
import { build } from 'esbuild';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { rollup } from 'rollup';
import { grouping } from './grouping.mjs';

const isRelease = process.argv.includes('--clean');
if (isRelease) rmSync('dist', { recursive: true, force: true });
// Beside dist/ and renamed into it, as a secondwind may be running from there and load its next file at any moment.
const folder = `dist.${process.pid}`;
const pieces = join(folder, 'pieces');
const { metafile } = await build({
  entryPoints: { main: 'src/cli/main.ts', library: 'src/library/public.ts' },
  outdir: pieces,
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
});
const piecesByName = Object.fromEntries(
  Object.entries(metafile.outputs).map(([path, piece]) => [basename(path), piece]),
);
const groupOf = grouping(piecesByName);
const bundle = await rollup({
  input: { main: join(pieces, 'main.js'), library: join(pieces, 'library.js') },
  external: (id) => !/^[./]/.test(id) && !id.startsWith(folder),
  treeshake: false,
  onwarn({ message }) {
    throw new Error(message);
  },
});
const { output } = await bundle.write({
  dir: folder,
  format: 'cjs',
  entryFileNames: '[name].cjs',
  chunkFileNames: '[name]-[hash].cjs',
  manualChunks: (id) => groupOf(basename(id)),
  compact: true,
  generatedCode: 'es2015',
  interop: 'default',
  esModule: false,
  freeze: false,
  externalLiveBindings: false,
  hoistTransitiveImports: false,
});
rmSync(pieces, { recursive: true });
writeFileSync(
  join(folder, 'library.js'),
  "import library from './library.cjs';\nexport const { createFleet } = library;\n",
);
// What is in which file, for selftests/rules/start-up.test.ts; not published.
writeFileSync(join(folder, 'meta.json'), JSON.stringify(contents()));
writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licenses(Object.keys(metafile.inputs)));
publish();

/** By file: the sources in it, and the files that it loads at once and on demand. */
function contents() {
  return Object.fromEntries(
    output.map(({ fileName, moduleIds, imports, dynamicImports }) => {
      const sources = moduleIds.flatMap((id) => Object.keys(piecesByName[basename(id)]?.inputs ?? {}));
      return [fileName, { sources, imports, dynamicImports }];
    }),
  );
}

/** Others first, the entries last; files of earlier builds stay for a day, for whoever still runs them. */
function publish() {
  mkdirSync('dist', { recursive: true });
  const built = readdirSync(folder);
  // Below the root npm obeys such a list though package.json names the folder: a pack has this build and none before it.
  const packed = [...built.filter((name) => name !== 'meta.json'), 'library.d.ts'];
  writeFileSync(join('dist', '.npmignore'), ['*', ...packed.map((name) => `!${name}`), ''].join('\n'));
  const isEntry = (name) => Number(/^(?:main|library)\./.test(name));
  for (const name of built.sort((a, b) => isEntry(a) - isEntry(b))) {
    renameSync(join(folder, name), join('dist', name));
  }
  rmSync(folder, { recursive: true });
  const aDayAgo = Date.now() - 86_400_000;
  for (const name of readdirSync('dist')) {
    const path = join('dist', name);
    if (name === 'library.d.ts' || name === '.npmignore') continue;
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
