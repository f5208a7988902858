import { spawn } from 'node:child_process';
import { lstatSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { DurationMs } from '../core/time.ts';
import { SECOND } from '../core/time.ts';
import type { Clock } from './clock.ts';
import type { Variables } from './environment.ts';
import { sha256 } from './fingerprint.ts';
import { findUpToGitRoot } from './input.ts';
import { isErrno, isSystemError } from './system-error.ts';

/** What a work tree holds that its last commit does not. */
export interface WorkTreeChanges {
  /** `git diff --stat HEAD`: of the files that git knows; empty when none differs, or when there is no commit yet. */
  readonly diffStat: string;
  /** Paths from the root of the work tree; a new folder is named once, with a slash at its end. */
  readonly untracked: readonly string[];
}

export interface GitEffects {
  readonly clock: Clock;
  readonly env: Variables;
}

/** The longest that looking at a work tree may take, and the most that git may print. */
const LONGEST = (3 * SECOND) as DurationMs;
const LONGEST_OUTPUT = 4 * 1024 * 1024;
const MOST_STATS = 5_000;

/** What differs from the last commit; `undefined`: it is no git work tree, there is no git, or it takes too long. */
export async function workTreeChanges(
  directory: string,
  effects: GitEffects,
): Promise<WorkTreeChanges | undefined> {
  return withGit(directory, effects, async (git) => {
    const status = await git(['status', '--porcelain=v2', '-z', '--untracked-files=normal', NO_SUBMODULES]);
    if (status === undefined) return undefined;
    const stat = await git([
      ...['diff', '--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short', NO_SUBMODULES],
      ...['--stat=100,70', '--stat-count=60', 'HEAD', '--'],
    ]);
    const untracked = entriesIn(status).flatMap(({ path, isUntracked }) => (isUntracked ? [path] : []));
    return { diffStat: stat?.trimEnd() ?? '', untracked };
  });
}

/**
 * A text that changes when a commit, or a file that git does not ignore, does: by size and time of change where the file
 * differed before already. `undefined` as above.
 */
export async function workTreeFingerprint(
  directory: string,
  effects: GitEffects,
): Promise<string | undefined> {
  return withGit(directory, effects, async (git) => {
    const root = (await git(['rev-parse', '--show-toplevel']))?.trimEnd();
    const all = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', NO_SUBMODULES];
    const status = root === undefined ? undefined : await git(all);
    if (root === undefined || status === undefined) return undefined;
    const entries = entriesIn(status).slice(0, MOST_STATS);
    return sha256([status, ...entries.map(({ path }) => stampOf(join(root, path)))]);
  });
}

/** Whether a submodule's own files differ would be asked of a git in it, under a configuration of its own. */
const NO_SUBMODULES = '--ignore-submodules=dirty';

type Git = (args: readonly string[]) => Promise<string | undefined>;

/**
 * A cloned repository is not trusted, and its configuration names programs: what git would run on its behalf when it
 * only looks (monitors, hooks, filters, transports) is switched off, and nothing is written (`GIT_OPTIONAL_LOCKS`).
 */
async function withGit<T>(
  directory: string,
  { clock, env }: GitEffects,
  look: (git: Git) => Promise<T | undefined>,
): Promise<T | undefined> {
  if (!hasRepository(directory)) return undefined;
  const over = new AbortController();
  const late = new AbortController();
  void clock.sleep(LONGEST, over.signal).then(() => {
    late.abort();
  });
  const run: Git = (args) => runGit([...SAFE, ...args], directory, quietly(env), late.signal);
  const filters = await filtersOfRepository(run);
  const found = filters && (await look((args) => run([...filters, ...args])));
  over.abort();
  return found;
}

/**
 * Whether git would find a repository there: a `.git`, a folder or a file, in it or above (git-rev-parse(1)). Bare ones are
 * not looked for, see `SAFE`. Without one nothing has to be started to learn that there is none.
 */
function hasRepository(directory: string): boolean {
  try {
    return findUpToGitRoot('.git', realpathSync(directory)) !== undefined;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** What git prints; `undefined` when it cannot be started, fails, prints too much or takes too long. */
function runGit(
  args: readonly string[],
  cwd: string,
  env: Record<string, string>,
  late: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn('git', args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    const said: Buffer[] = [];
    let size = 0;
    const end = (): void => {
      child.stdout.destroy();
      // Whatever git has started goes with it.
      if (child.pid !== undefined && child.exitCode === null) killGroup(child.pid);
      resolve(undefined);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      said.push(chunk);
      size += chunk.length;
      if (size > LONGEST_OUTPUT) end();
    });
    child.on('error', () => {
      resolve(undefined);
    });
    child.on('close', (code) => {
      late.removeEventListener('abort', end);
      resolve(code === 0 ? Buffer.concat(said).toString('utf8') : undefined);
    });
    if (late.aborted) end();
    else late.addEventListener('abort', end, { once: true });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (!isErrno(error, 'ESRCH', 'EPERM')) throw error;
  }
}

export const SAFE = [
  '--no-pager',
  ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'diff.external='],
  ...['-c', 'safe.bareRepository=explicit', '-c', 'submodule.recurse=false', '-c', 'core.quotePath=false'],
];

/** Without whatever points our own git at another repository, program or protocol. */
export function quietly(env: Variables): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('GIT_'),
  );
  return {
    ...Object.fromEntries(kept),
    ...{ GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', LC_ALL: 'C' },
    // A partial clone would fetch what it lacks, by a program that its configuration names.
    ...{ GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
  };
}

/**
 * The arguments that switch the repository's own filters off, which git runs over files that it compares; those of the
 * user's configuration (git-lfs) stay. `undefined`: git does not answer, or a name cannot be said as an argument.
 */
export async function filtersOfRepository(run: Git): Promise<readonly string[] | undefined> {
  // Exits with 1 when there are none, hence the second pattern, which always has a match: ours.
  const known = await run(['config', '--show-scope', '-z', '--name-only', '--get-regexp', FILTERS_AND_ONE]);
  if (known === undefined) return undefined;
  const fields = known.split('\0');
  const names = new Set<string>();
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [scope = '', key = ''] = fields.slice(index, index + 2);
    const name = /^filter\.([^]+)\.[^.]+$/.exec(key)?.[1];
    if (name !== undefined && scope !== 'system' && scope !== 'global') names.add(name);
  }
  if ([...names].some((name) => name.includes('='))) return undefined;
  return [...names].flatMap((name) =>
    ['clean=', 'smudge=', 'process=', 'required=false'].flatMap((rest) => ['-c', `filter.${name}.${rest}`]),
  );
}

const FILTERS_AND_ONE = '^(filter\\..*|core\\.fsmonitor)$';

interface StatusEntry {
  readonly path: string;
  readonly isUntracked: boolean;
}

/** The entries of `git status --porcelain=v2 -z` (git-status(1)): a renamed file's old name follows as a field of its own. */
export function entriesIn(status: string): readonly StatusEntry[] {
  const entries: StatusEntry[] = [];
  const fields = status.split('\0');
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? '';
    const [kind = ''] = field;
    const before = { '1': 8, '2': 9, u: 10, '?': 1 }[kind];
    if (before === undefined) continue;
    entries.push({ path: field.split(' ').slice(before).join(' '), isUntracked: kind === '?' });
    if (kind === '2') index += 1;
  }
  return entries;
}

function stampOf(path: string): string {
  try {
    const { size, mtimeMs, mode } = lstatSync(path);
    return `\0${[path, size, mtimeMs, mode].join()}`;
  } catch (error) {
    if (isSystemError(error)) return `\0${path}`;
    throw error;
  }
}
