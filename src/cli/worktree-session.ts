import type { Event } from '../core/event.ts';
import type { Result } from '../core/result.ts';
import { isOver } from '../core/session.ts';
import type { SessionRecord } from '../core/session.ts';
import type { Outcome } from '../fleet/dispatch.ts';
import type { SessionStore } from '../store/sessions.ts';
import { EXIT } from './exit-codes.ts';
import type { Io, Refusal } from './io.ts';
import { refuse } from './io.ts';
import type { SessionRun } from './run-session.ts';
import { playSession, runSession } from './run-session.ts';
import { inWorktree, openWorktree, sayWhere } from './worktree.ts';
import { lookAt, worktreeReport } from './worktree-report.ts';

/** `runSession`, in the session's own worktree where it has one: from before there is one to what changed in it. */
export async function runSessionInPlace(io: Io, run: SessionRun, abort: AbortSignal): Promise<number> {
  const { worktree } = run.session.request;
  if (worktree === undefined) return runSession(io, run, abort);
  const begun = await begin(io, run, abort);
  if (!begun.ok) return refuse(io, abort.aborted ? { ...begun.error, code: EXIT.timeout } : begun.error);
  sayWhere(io, worktree);
  const code = await runSession(inWorktree(io), run, abort);
  io.terminal.err(worktreeReport(worktree, await lookAt(io, worktree)));
  return code;
}

/** The same for `playSession`: a worktree that cannot be made is a session that failed. */
export async function playSessionInPlace(
  io: Io,
  run: SessionRun,
  abort: AbortSignal,
  tell: (event: Event) => void,
): Promise<Outcome> {
  if (run.session.request.worktree === undefined) return playSession(io, run, abort, tell);
  const begun = await begin(io, run, abort);
  if (begun.ok) return playSession(inWorktree(io), run, abort, tell);
  if (abort.aborted)
    return { type: 'stopped', because: abort.reason === 'timeout' ? 'timeout' : 'interrupted' };
  const [worker] = run.plan.fleet;
  if (worker === undefined) throw new Error('Internal error: a fleet of nobody');
  return { type: 'failed', worker, reason: begun.error.message, evidence: '', recognised: true };
}

/** Saved before there is a worktree, so that one which a killed secondwind has made is some session's. */
async function begin(
  io: Io,
  { session, store }: Pick<SessionRun, 'session' | 'store'>,
  abort: AbortSignal,
): Promise<Result<void, Refusal>> {
  await save({ ...session, state: 'running', until: undefined }, store);
  const opened = await openWorktree(io, session, abort);
  const failed = abort.aborted ? 'interrupted' : 'failed';
  if (!opened.ok) await save({ ...session, state: isOver(session.state) ? session.state : failed }, store);
  return opened;
}

async function save(record: SessionRecord, store: SessionStore): Promise<void> {
  store.save(record);
  await store.saved(record.id);
}
