import { entriesOf, fileStamp, isThere, makeFolder } from '../../system/folder.ts';
import { readIfThere } from '../../system/input.ts';
import { writeScratchProgram } from '../../system/scratch.ts';
import type { LiveCli } from './wiring.ts';
import type { Target } from './stage.ts';

/** What opens a browser on Linux, macOS and in WSL. */
const BROWSERS = [
  'xdg-open',
  'open',
  'x-www-browser',
  'www-browser',
  'sensible-browser',
  'gnome-open',
  'wslview',
];

/** Where each CLI would write, in the home of whoever runs this, if it took no notice of the one that it was given. */
const OWN_PLACES: Readonly<Record<LiveCli, readonly string[]>> = {
  claude: ['.claude', '.claude.json', '.config/claude', '.cache/claude'],
  codex: ['.codex', '.config/codex', '.cache/codex'],
  gemini: ['.gemini', '.config/gemini', '.cache/gemini'],
};

/** How deep names are looked at in them: `.claude/projects/<folder>/<session>`. */
const DEEPEST = 3;
const MOST_LOOKED_AT = 5_000;
const MOST_TOLD = 3;

/** Stands where browsers are looked for, and notes who wanted one. */
export function watchBrowsers(folder: string): string {
  const bin = `${folder}/bin`;
  const made = makeFolder(bin);
  if (!made.ok) throw new Error(`Internal error: no private folder ${bin}: ${made.error}`);
  for (const name of BROWSERS) {
    writeScratchProgram(`${bin}/${name}`, `printf '%s %s\\n' "$HOME" "$*" >> '${folder}/browsers'`);
  }
  return bin;
}

export interface Before {
  readonly program: string | undefined;
  readonly absent: readonly string[];
}

/** What is looked at before a CLI runs, to see afterwards what it did to it. Names and times only: nothing is read. */
export function lookBefore(target: Target, home: string): Before {
  return {
    program: fileStamp(target.command[0]),
    absent: OWN_PLACES[target.cli].map((name) => `${home}/${name}`).filter((path) => !isThere(path)),
  };
}

/** What a CLI did that it was given no cause to, in sentences without their full stops. */
export function misdeeds(target: Target, before: Before, home: string, folder: string): readonly string[] {
  const mark = folder.split('/').at(-1) ?? folder;
  const left = OWN_PLACES[target.cli].flatMap((name) => namesWith(mark, `${home}/${name}`, DEEPEST));
  const appeared = before.absent.filter((path) => isThere(path));
  return [
    ...(fileStamp(target.command[0]) === before.program ? [] : ['it updated itself']),
    ...browsersOf(target, folder).map((url) => `it opened a browser${url === '' ? '' : ` at ${url}`}`),
    // Whoever starts the same CLI for the first time at this very moment makes that folder too.
    ...appeared.map(
      (path) => `it wrote outside of its home, or another ${target.cli} did meanwhile: ${path}`,
    ),
    ...few(left).map((path) => `it wrote outside of its home: ${path}`),
  ];
}

/** Enough of them to see what it is about. */
function few(paths: readonly string[]): readonly string[] {
  const more = paths.length - MOST_TOLD;
  return more > 0 ? [...paths.slice(0, MOST_TOLD), `and ${String(more)} more`] : paths;
}

function browsersOf({ id }: Target, folder: string): readonly string[] {
  const noted = readIfThere(`${folder}/browsers`);
  const lines = ((noted.ok ? noted.value : undefined) ?? '').split('\n');
  const own = `${folder}/${id}.`;
  const urls = lines
    .filter((line) => line.startsWith(own))
    .map((line) => line.slice(line.indexOf(' ') + 1).trim());
  return [...new Set(urls)];
}

function namesWith(mark: string, folder: string, deepest: number): readonly string[] {
  const entries = entriesOf(folder);
  if (!entries.ok) return [];
  return entries.value.slice(0, MOST_LOOKED_AT).flatMap(({ name, isFolder }) => {
    const path = `${folder}/${name}`;
    if (name.includes(mark)) return [path];
    return isFolder && deepest > 1 ? namesWith(mark, path, deepest - 1) : [];
  });
}
