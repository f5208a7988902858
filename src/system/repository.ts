import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { entriesIn } from './git.ts';
import type { GitCommand, GitCommandEffects, GitEnd } from './git-command.ts';
import { gitIn } from './git-command.ts';

/** A repository that worktrees can be made of. */
export interface Repository {
  /** The top of the work tree that the directory is in. */
  readonly root: string;
  /** The directory, from there: empty, or without a slash at its end. */
  readonly prefix: string;
  /** The commit that is checked out. */
  readonly head: string;
  /** What a worktree will not hold. */
  readonly untracked: readonly string[];
  readonly submodules: readonly string[];
  /** Filters that the repository's own configuration names, and that are not run. */
  readonly filters: readonly string[];
}

/** Why none can be made of it. */
export type RepositoryProblem =
  | { readonly type: 'no-answer'; readonly end: Exclude<GitEnd, { type: 'done' }> }
  | { readonly type: 'none' | 'no-work-tree' }
  | { readonly type: 'no-commit' | 'branch-in-the-way'; readonly root: string }
  | { readonly type: 'unfinished'; readonly root: string; readonly what: string }
  | { readonly type: 'changed'; readonly root: string; readonly paths: readonly string[] };

/** What git keeps in its folder while something is under way (gitrepository-layout(5), git-status(1)). */
const UNFINISHED: readonly (readonly [string, string])[] = [
  ['MERGE_HEAD', 'merge'],
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

/** The repository that a directory is in, if it is clean enough: untracked files are no obstacle. */
export async function cleanRepository(
  directory: string,
  effects: GitCommandEffects,
): Promise<Result<Repository, RepositoryProblem>> {
  const { git, filters } = await gitIn(directory, effects);
  const inside = await git(['rev-parse', '--is-inside-work-tree']);
  if (inside.type === 'failed' && inside.said.startsWith('not a git repository '))
    return err({ type: 'none' });
  // Refused as such by a git that knows safe.bareRepository, else no work tree.
  if (inside.type === 'failed' && inside.said.includes('bare repository'))
    return err({ type: 'no-work-tree' });
  if (inside.type !== 'done') return err({ type: 'no-answer', end: inside });
  if (inside.out !== 'true') return err({ type: 'no-work-tree' });

  const asked = await git(['rev-parse', '--show-toplevel', '--show-prefix', '--absolute-git-dir']);
  if (asked.type !== 'done') return err({ type: 'no-answer', end: asked });
  const [root = '', prefix = '', folder = '', ...others] = asked.out.split('\n');
  if (others.length > 0) return err({ type: 'no-answer', end: BROKEN_PATH });
  const underWay = UNFINISHED.find(([name]) => existsSync(join(folder, name)));
  if (underWay !== undefined) return err({ type: 'unfinished', root, what: underWay[1] });
  const head = await git(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.type === 'failed') return err({ type: 'no-commit', root });
  if (head.type !== 'done') return err({ type: 'no-answer', end: head });
  const status = await git(['status', '--porcelain=v2', '-z', '--untracked-files=normal', NO_SUBMODULES]);
  if (status.type !== 'done') return err({ type: 'no-answer', end: status });
  const entries = entriesIn(status.out);
  const changed = entries.filter(({ isUntracked }) => !isUntracked).map(({ path }) => path);
  if (changed.length > 0) return err({ type: 'changed', root, paths: changed });
  // A branch is a file or a folder, not both.
  const inTheWay = await git(['rev-parse', '--verify', '--quiet', 'refs/heads/secondwind']);
  if (inTheWay.type === 'done') return err({ type: 'branch-in-the-way', root });
  return ok({
    ...{ root, head: head.out, filters, prefix: prefix.replace(/\/$/, '') },
    untracked: entries.map(({ path }) => path),
    submodules: await submodulesOf(git),
  });
}

const BROKEN_PATH: GitEnd & { type: 'failed' } = {
  type: 'failed',
  said: 'its path, which holds a line break',
};

/** What a submodule's own work tree holds is nobody's loss: a worktree has its own. */
const NO_SUBMODULES = '--ignore-submodules=dirty';

/** Where the last commit has submodules; none where it has no `.gitmodules`. */
async function submodulesOf(git: GitCommand): Promise<readonly string[]> {
  const pattern = '^submodule\\..*\\.path$';
  const listed = await git(['config', '--blob', 'HEAD:.gitmodules', '-z', '--get-regexp', pattern]);
  if (listed.type !== 'done') return [];
  return listed.out
    .split('\0')
    .flatMap((entry) => (entry === '' ? [] : [entry.slice(entry.indexOf('\n') + 1)]));
}
