import { chmodSync, lstatSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { SessionWorktree } from '../core/session.ts';
import { durationMs } from '../core/time.ts';
import type { GitCommand, GitCommandEffects, GitEnd } from './git-command.ts';
import { gitIn } from './git-command.ts';
import { isDirectory, readTextFile } from './input.ts';
import { ensureFolder, namesIn } from './state-folder.ts';
import { causeOf, isErrno, isSystemError } from './system-error.ts';

/** Why there is no worktree to work in. */
export type WorktreeProblem =
  | { readonly type: 'no-answer'; readonly end: Exclude<GitEnd, { type: 'done' }> }
  /** `cause` is the end of a sentence. */
  | { readonly type: 'no-folder'; readonly path: string; readonly cause: string }
  | { readonly type: 'branch-gone' | 'repository-gone' | 'not-a-worktree' };

/** `there`: as it was left. `made`: anew, with no more in it than its branch has. */
type Made = Result<'there' | 'made', WorktreeProblem>;

/**
 * Sees to it that the worktree of a session is there: as it was left, or, when its folder is gone, what is on its branch.
 * One in which nothing was begun yet is made, with its branch.
 */
export async function seeToWorktree(
  tree: SessionWorktree,
  isBegun: boolean,
  effects: GitCommandEffects,
): Promise<Made> {
  if (!isDirectory(tree.repository)) return err({ type: 'repository-gone' });
  const { git } = await gitIn(tree.repository, effects);
  if (isThere(tree.path) && !isHalfMade(tree.path)) return isWorktree(tree, effects);
  const known = await git(verify(tree));
  // Says nothing when there is none.
  if (known.type === 'failed' && known.said === '')
    return isBegun ? err({ type: 'branch-gone' }) : create(tree, git, effects);
  if (known.type !== 'done') return err({ type: 'no-answer', end: known });
  // Takes the entry of the missing folder away, where there is one; `prune` would take those of others too. Twice forced
  // also that of a half made one, which is locked.
  const force = isThere(tree.path) ? ['--force', '--force'] : ['--force'];
  await git(['worktree', 'remove', ...force, tree.path]);
  const made = await add(tree, [tree.path, tree.branch], git, effects);
  // Somebody else may have been quicker.
  return made.ok || !isThere(tree.path) ? made : isWorktree(tree, effects);
}

/** Makes the branch, from the base, and the worktree: both or none. */
async function create(tree: SessionWorktree, git: GitCommand, effects: GitCommandEffects): Promise<Made> {
  const made = await add(tree, ['--no-track', '-b', tree.branch, tree.path, tree.base], git, effects);
  if (made.ok) return made;
  // Also after a stop. That it is where it began is checked by git as it takes it away.
  const after = await gitIn(tree.repository, { ...effects, abort: undefined });
  await after.git(['update-ref', '-d', `refs/heads/${tree.branch}`, tree.base]);
  return made;
}

/** Whether git was killed as it made it: nobody has worked in it. Git holds it locked until it is whole. */
function isHalfMade(path: string): boolean {
  if (isDirectory(path) && namesIn(path).length === 0) return true;
  const link = readTextFile(join(path, '.git'));
  const folder = link.ok ? /^gitdir: (.*)$/m.exec(link.value)?.[1] : undefined;
  const lock = folder === undefined ? undefined : readTextFile(join(folder, 'locked'));
  return lock?.ok === true && lock.value.trim() === 'initializing';
}

const verify = ({ branch }: SessionWorktree): readonly string[] => [
  ...['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`],
];

/** Whether it is (still) a worktree of the repository that it was made of. */
async function isWorktree({ path, repository }: SessionWorktree, effects: GitCommandEffects): Promise<Made> {
  const [inside, outside] = await Promise.all([gitIn(path, effects), gitIn(repository, effects)]);
  const top = await inside.git(['rev-parse', '--show-toplevel']);
  const common = await Promise.all([inside.git(COMMON), outside.git(COMMON)]);
  const [mine, theirs] = common.map((end) => (end.type === 'done' ? end.out : undefined));
  const isOne = top.type === 'done' && top.out === realPath(path) && mine !== undefined && mine === theirs;
  if (isOne) return ok('there');
  const silent = [top, ...common].find(({ type }) => type !== 'done' && type !== 'failed');
  return silent === undefined || silent.type === 'done'
    ? err({ type: 'not-a-worktree' })
    : err({ type: 'no-answer', end: silent });
}

const COMMON = ['rev-parse', '--path-format=absolute', '--git-common-dir'];

/** How often and how long a lock of git's that another process holds is waited for: 25 ms, 50 ms, … 3.2 s. */
const TRIES = 8;
const FIRST_WAIT = 25;

async function add(
  { path }: SessionWorktree,
  args: readonly string[],
  git: GitCommand,
  { clock, abort }: GitCommandEffects,
): Promise<Made> {
  const folder = makeOwn(dirname(path));
  if (!folder.ok) return folder;
  for (let turn = 0; ; turn += 1) {
    const end = await git(['worktree', 'add', '--quiet', ...args]);
    if (end.type === 'done') break;
    const isLocked = end.type === 'failed' && end.said.includes(".lock': File exists");
    if (!isLocked || turn === TRIES) return err({ type: 'no-answer', end });
    await clock.sleep(durationMs(FIRST_WAIT * 2 ** turn), abort);
  }
  chmodSync(path, 0o700);
  return ok('made');
}

function makeOwn(path: string): Result<void, WorktreeProblem> {
  try {
    ensureFolder(path);
    return ok(undefined);
  } catch (error) {
    if (isSystemError(error)) return err({ type: 'no-folder', path, cause: causeOf(error) });
    throw error;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (isSystemError(error)) return path;
    throw error;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (isErrno(error, 'ENOTDIR', 'EACCES')) return false;
    throw error;
  }
}
