import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionWorktree } from '../core/session.ts';
import { entriesIn } from './git.ts';
import type { GitCommand, GitCommandEffects } from './git-command.ts';
import { gitIn } from './git-command.ts';
import { isSystemError } from './system-error.ts';

/** A file that is not as the worktree's base has it. */
export interface FileChange {
  readonly path: string;
  /** Lines; `undefined` where there are none to count: not text, or not looked into. */
  readonly added: number | undefined;
  readonly removed: number | undefined;
}

/** What became of a worktree since its base, committed or not. */
export interface WorktreeChanges {
  readonly files: readonly FileChange[];
  readonly commits: number;
  /** How many files differ from the last commit, or are new to git. */
  readonly uncommitted: number;
  /** What is checked out now: the agent may have left its branch. `undefined`: no branch. */
  readonly branch: string | undefined;
}

/** `undefined`: the folder is gone, or git does not answer. */
export async function changesOf(
  { path, base }: SessionWorktree,
  effects: GitCommandEffects,
): Promise<WorktreeChanges | undefined> {
  if (!isFolder(path)) return undefined;
  const { git } = await gitIn(path, effects);
  const status = await answer(git, [
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    NO_SUBMODULES,
  ]);
  const tracked = await answer(git, [
    ...['diff', '--numstat', '-z', '--no-ext-diff', '--no-textconv', '--no-renames', '--no-color'],
    ...['--no-relative', NO_SUBMODULES, base, '--'],
  ]);
  const commits = await answer(git, ['rev-list', '--count', `${base}..HEAD`]);
  if (status === undefined || tracked === undefined || commits === undefined) return undefined;
  const entries = entriesIn(status);
  const untracked = entries.filter(({ isUntracked }) => isUntracked).map((entry) => entry.path);
  // What was taken out of the index and left in the folder is listed by both.
  const isNew = new Set(untracked);
  const changed = numbersIn(tracked).filter((file) => !isNew.has(file.path));
  const counted = untracked.map((file, index) => ({
    ...{ path: file, removed: 0 },
    added: index < MOST_COUNTED ? linesOf(join(path, file)) : undefined,
  }));
  return {
    files: [...changed, ...counted].sort((one, other) => (one.path < other.path ? -1 : 1)),
    ...{ commits: Number(commits), uncommitted: entries.length },
    branch: await answer(git, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
  };
}

const NO_SUBMODULES = '--ignore-submodules=dirty';
/** New files whose lines are counted, and how long one may be for that. */
const MOST_COUNTED = 1_000;
const LONGEST_COUNTED = 1024 * 1024;

async function answer(git: GitCommand, args: readonly string[]): Promise<string | undefined> {
  const end = await git(args);
  return end.type === 'done' ? end.out : undefined;
}

/** The entries of `git diff --numstat -z --no-renames` (git-diff(1)): `-` where a file is not text. */
function numbersIn(listed: string): readonly FileChange[] {
  return listed.split('\0').flatMap((entry) => {
    const [, added = '', removed = '', path = ''] = /^(\S+)\t(\S+)\t([^]+)$/.exec(entry) ?? [];
    return path === '' ? [] : [{ path, added: numberIn(added), removed: numberIn(removed) }];
  });
}

function numberIn(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** As git would count them. Only a file of its own is looked into: no link is followed, no pipe waited for. */
function linesOf(path: string): number | undefined {
  try {
    if (!lstatSync(path).isFile()) return undefined;
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(file);
      if (size > LONGEST_COUNTED) return undefined;
      const text = Buffer.alloc(size);
      const read = text.subarray(0, readSync(file, text));
      if (read.includes(0)) return undefined;
      const breaks = read.filter((byte) => byte === 0x0a).length;
      return read.length === 0 || read.at(-1) === 0x0a ? breaks : breaks + 1;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
