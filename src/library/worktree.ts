import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { SessionRecord, SessionWorktree } from '../core/session.ts';
import { withoutGitPlaces } from '../system/git-command.ts';
import { makeFolder } from '../system/folder.ts';
import { absolutePath } from '../system/input.ts';
import type { Repository } from '../system/repository.ts';
import { cleanRepository } from '../system/repository.ts';
import { seeToWorktree } from '../system/worktree.ts';
import type { Host, Refusal } from './host.ts';
import { madeAgain, missedIn, notMade, unfit } from './worktree-words.ts';

/** The repository that a directory is in, if worktrees can be made of it; what they will lack is said. */
export async function worktreeSource(host: Host, directory: string): Promise<Result<Repository, Refusal>> {
  const found = await cleanRepository(directory, host);
  if (!found.ok) return err(unfit(found.error, directory));
  for (const missed of missedIn(found.value)) host.report({ about: 'worktree', message: missed });
  return found;
}

/** The same for many directories, each looked at once. */
export function worktreeSources(host: Host): (directory: string) => Promise<Result<Repository, Refusal>> {
  const known = new Map<string, Promise<Result<Repository, Refusal>>>();
  return (directory) => {
    const found = known.get(directory) ?? worktreeSource(host, directory);
    known.set(directory, found);
    return found;
  };
}

/**
 * Where a session is to work: the same folder of a worktree of its own. `name` is a name for files and branches that no
 * other session has, in one part or two.
 */
export function worktreeOf(
  { stateHome, directory: from }: Host,
  { root, prefix, head }: Repository,
  name: string,
): { readonly worktree: SessionWorktree; readonly directory: string } {
  const path = `${absolutePath(stateHome, from)}/worktrees/${name}`;
  const worktree = { repository: root, path, branch: `secondwind/${name}`, base: head };
  return { worktree, directory: prefix === '' ? path : `${path}/${prefix}` };
}

/** Sees to it that the worktree of a session, if it has one, is there to work in; that it was gone is said. */
export async function openWorktree(
  host: Host,
  { request, attempts }: Pick<SessionRecord, 'request' | 'attempts'>,
  abort?: AbortSignal,
): Promise<Result<void, Refusal>> {
  const { worktree, directory } = request;
  if (worktree === undefined) return ok(undefined);
  const effects = { clock: host.clock, env: host.env, abort };
  const isBegun = attempts.length > 0;
  const opened = await seeToWorktree(worktree, isBegun, effects);
  if (!opened.ok) return err(notMade(opened.error, worktree));
  // Git knows no empty folders, and the last commit need not have this one.
  const made = makeFolder(directory);
  if (!made.ok) return err(notMade({ type: 'no-folder', path: directory, cause: made.error }, worktree));
  if (isBegun && opened.value === 'made') host.report({ about: 'worktree', message: madeAgain(worktree) });
  return made;
}

/** The world for an agent in a worktree: as it is, but that git looks nowhere else. */
export function inWorktree(host: Host): Host {
  return { ...host, env: withoutGitPlaces(host.env) };
}
