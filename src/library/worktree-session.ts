import type { Result } from '../core/result.ts';
import { ok } from '../core/result.ts';
import type { SessionRecord } from '../core/session.ts';
import { isOver } from '../core/session.ts';
import type { SessionStore } from '../store/sessions.ts';
import type { Host, Refusal } from './host.ts';
import { inWorktree, openWorktree } from './worktree.ts';

/** Where a session's agents find themselves. The session is saved before there is a worktree, so that one which a killed secondwind has made is some session's. */
export async function enterPlace(
  host: Host,
  session: SessionRecord,
  store: SessionStore,
  abort: AbortSignal,
): Promise<Result<Host, Refusal>> {
  if (session.request.worktree === undefined) return ok(host);
  await save({ ...session, state: 'running', until: undefined }, store);
  const opened = await openWorktree(host, session, abort);
  if (opened.ok) return ok(inWorktree(host));
  const failed = abort.aborted ? 'interrupted' : 'failed';
  await save({ ...session, state: isOver(session.state) ? session.state : failed }, store);
  return opened;
}

async function save(record: SessionRecord, store: SessionStore): Promise<void> {
  store.save(record);
  await store.saved(record.id);
}
