import type { SessionWorktree } from '../core/session.ts';
import { formatDuration } from '../core/time.ts';
import type { GitEnd } from '../system/git-command.ts';
import { LONGEST_COMMAND } from '../system/git-command.ts';
import type { Repository, RepositoryProblem } from '../system/repository.ts';
import type { WorktreeProblem } from '../system/worktree.ts';
import { harmless } from '../core/harmless.ts';
import type { Refusal } from './host.ts';

// Every sentence about worktrees that is not about what changed in one.

const NEEDS = 'a worktree needs a git repository';

/** Why no worktree can be made of where a directory is. */
export function unfit(problem: RepositoryProblem, directory: string): Refusal {
  return { reason: 'usage', message: harmless(whyUnfit(problem, directory)) };
}

function whyUnfit(problem: RepositoryProblem, directory: string): string {
  switch (problem.type) {
    case 'none':
      return `${directory} is in no git repository, and a worktree needs one; run git init and commit there first, or choose another with --cd.`;
    case 'no-work-tree':
      return `${directory} is in a bare repository or inside a .git folder, and a worktree is made from a work tree; choose one with --cd.`;
    case 'no-commit':
      return `a worktree starts from a commit, but ${problem.root} has none yet; commit something first.`;
    case 'branch-in-the-way':
      return `the branch of a worktree is called secondwind/…, but ${problem.root} has a branch secondwind, and git cannot have both; rename that one first.`;
    case 'unfinished':
      return `${NEEDS} with nothing unfinished, but ${problem.root} is in the middle of a ${problem.what}; finish or abort that first.`;
    case 'changed':
      return `${NEEDS} without uncommitted changes to tracked files, but ${problem.root} has some, which the worktree would not have: ${some(problem.paths)}; commit or stash them first.`;
    case 'no-answer':
      return noAnswer(problem.end, `look at ${directory}`);
  }
}

/** Why a session has no worktree to work in. */
export function notMade(problem: WorktreeProblem, { repository, path, branch }: SessionWorktree): Refusal {
  const failed = (message: string): Refusal => ({ reason: 'failed', message: harmless(message) });
  switch (problem.type) {
    case 'no-folder':
      return failed(`expected to make the folder ${problem.path} for worktrees, but ${problem.cause}.`);
    case 'branch-gone':
      return failed(
        `the session worked in ${path} on branch ${branch}, and both are gone, so what it did is gone with them; start the task again.`,
      );
    case 'repository-gone':
      return failed(
        `the session has a worktree of ${repository}, and that repository is gone; put it back there first.`,
      );
    case 'not-a-worktree':
      return failed(
        `expected the session's worktree in ${path}, but what is there is no worktree of ${repository} (any more); move it away, and the branch ${branch} is checked out there again.`,
      );
    case 'no-answer':
      return failed(noAnswer(problem.end, `make a worktree in ${path}`));
  }
}

function noAnswer(end: Exclude<GitEnd, { type: 'done' }>, what: string): string {
  switch (end.type) {
    case 'missing':
      return 'a worktree needs git, and git cannot be started; install it first.';
    case 'failed':
      return `expected git to ${what}, but it says: ${end.said === '' ? 'nothing' : end.said}`;
    case 'late':
      return `expected git to ${what}, but it took longer than ${formatDuration(LONGEST_COMMAND)}, and was ended.`;
    case 'stopped':
      return `git was stopped before it could ${what}.`;
    case 'too-much':
      return `expected git to ${what}, but it printed more than can be taken in; are there folders that .gitignore should name?`;
    case 'not-safe':
      return `expected git to ${what}, but the repository's own configuration names a filter that cannot be switched off ('=' in its name), so git was not run.`;
  }
}

/** That the folder of a worktree in which work was begun had to be made anew. */
export function madeAgain({ path, branch }: SessionWorktree): string {
  return harmless(
    `${path} was gone, and was made again from branch ${branch}; what was not committed in it is lost`,
  );
}

/** What a worktree of the repository will not hold, and its owner may miss. */
export function missedIn({ untracked, submodules, filters }: Repository): readonly string[] {
  return [
    ...(untracked.length === 0 ? [] : [`untracked files are not in it: ${some(untracked)}`]),
    ...(submodules.length === 0
      ? []
      : [`submodules are not filled in: ${some(submodules)} (git submodule update --init does it)`]),
    ...(filters.length === 0
      ? []
      : [`filters that the repository's own configuration names are not run: ${some(filters)}`]),
  ].map(harmless);
}

const MOST_NAMED = 5;

function some(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  const named = names.slice(0, MOST_NAMED).map((name) => name.replaceAll('\n', '\u{fffd}'));
  return `${named.join(', ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
