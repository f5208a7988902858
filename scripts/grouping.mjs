// Which pieces of the bundle go into one file: see build.mjs.

/** What a shell asks at every Tab reads a configuration, and checks none: this is in none of the files below. */
const JSONC = /node_modules\/jsonc-parser\//;

/** By file, in the order in which a piece is claimed: what everything above has taken is not taken again. */
const FILES = [
  ['base', ['src/cli/main.ts']],
  ['list', ['src/cli/commands/cooldown-list.ts']],
  ['parse', ['src/cli/parse.ts']],
  ['fleet', ['src/cli/commands/run.ts']],
  [
    'look',
    ['resume', 'explain', 'status', 'workers', 'sessions'].map((name) => `src/cli/commands/${name}.ts`),
  ],
  // What is written is checked and locked; a run loads all of it before it starts anybody.
  [
    'write',
    [
      'src/store/state-update.ts',
      ...['cooldown', 'session', 'health', 'quota', 'probes'].map((name) => `src/store/${name}-schema.ts`),
    ],
  ],
  ['config', ['src/store/read-config.ts', 'src/store/config.ts']],
];

const ENTRIES = ['src/cli/main.ts', 'src/library/public.ts'];
const ADAPTERS = /^src\/workers\/adapters\//;

/** `pieces` by their names, as esbuild's metafile describes them. Returns the name of a piece's file; `undefined`: its own. */
export function grouping(pieces) {
  const file = new Map();
  // The entries run when they are loaded, so nothing that others need may lie in them.
  for (const [name, { entryPoint }] of Object.entries(pieces))
    if (ENTRIES.includes(entryPoint)) file.set(name, undefined);
  const claim = (name, group) => {
    if (!file.has(name)) file.set(name, group);
  };
  for (const [name, { inputs }] of Object.entries(pieces))
    if (Object.keys(inputs).some((path) => JSONC.test(path))) claim(name, 'jsonc');
  // A user of the library loads no parser of command lines.
  const library = withImports(pieces, 'src/library/public.ts');
  for (const [group, entries] of FILES)
    for (const entry of entries)
      for (const name of withImports(pieces, entry))
        claim(name, group === 'parse' && library.has(name) ? 'common' : group);
  // What more than one adapter needs; the rest of each is read with the adapter.
  const adapters = Object.values(pieces).flatMap(({ entryPoint = '' }) =>
    ADAPTERS.test(entryPoint) ? [entryPoint] : [],
  );
  const needed = adapters.map((entry) => withImports(pieces, entry));
  for (const name of new Set(needed.flatMap((names) => [...names])))
    if (needed.filter((names) => names.has(name)).length > 1) claim(name, 'signals');
  return (name) => file.get(name);
}

/** An entry's piece, and those that are loaded with it. */
function withImports(pieces, entry) {
  const first = Object.keys(pieces).find((name) => pieces[name].entryPoint === entry);
  if (first === undefined) throw new Error(`the bundle has no ${entry}`);
  const names = new Set();
  const visit = (name) => {
    if (names.has(name) || pieces[name] === undefined) return;
    names.add(name);
    for (const { path, kind } of pieces[name].imports)
      if (kind !== 'dynamic-import') visit(path.split('/').at(-1));
  };
  visit(first);
  return names;
}
