import { afterKill } from '../../core/session.ts';
import type { Result } from '../../core/result.ts';
import { err, ok } from '../../core/result.ts';
import type { KnownSession } from '../../store/sessions.ts';
import { isDirectory } from '../../system/input.ts';
import { EXIT } from '../exit-codes.ts';
import { findSession } from '../find-session.ts';
import type { Io, Refusal } from '../io.ts';
import { refuse } from '../io.ts';
import type { PlanFlags } from '../run-plan.ts';
import { planRun } from '../run-plan.ts';
import { memoryOf, requestOf } from '../sessions.ts';
import { supervise } from '../supervise.ts';
import { openWorktree } from '../worktree.ts';
import { runSessionInPlace } from '../worktree-session.ts';

export type ResumeFlags = Omit<PlanFlags, 'cd'>;

/** `secondwind resume`: a session goes on where it was stopped, exhausted or killed. Returns the exit code. */
export async function resume(
  io: Io,
  name: string,
  words: readonly string[],
  flags: ResumeFlags,
  extraArgs: readonly string[],
): Promise<number> {
  const { json = false, quiet = false } = flags;
  const addition = words.length === 0 ? undefined : words.join(' ');
  const memory = memoryOf(io);
  const found = await findSession(memory.store, name);
  if (!found.ok) return refuse(io, found.error);
  const fit = canGoOn(found.value, addition);
  if (!fit.ok) return refuse(io, fit.error);

  const { request } = found.value.record;
  const opened = await openWorktree(io, found.value.record);
  if (!opened.ok) return refuse(io, opened.error);
  const named = flags.workers ?? request.workers?.join(',');
  const asked: PlanFlags = {
    ...{ permissions: request.permissions, ...flags, cd: request.directory },
    ...(named === undefined ? {} : { workers: named }),
    ...(request.model === undefined || flags.model !== undefined ? {} : { model: request.model }),
  };
  const planned = await planRun(io, asked, extraArgs.length > 0 ? extraArgs : request.extraArgs);
  if (!planned.ok) return refuse(io, planned.error);
  const plan = planned.value;
  return supervise(io, flags.timeout, async (abort) => {
    const claimed = await memory.store.claim(found.value.record.id);
    if (!claimed.ok) return refuse(io, { code: EXIT.failed, message: claimed.error.message });
    if (claimed.value === undefined) return refuse(io, running(found.value));
    const session = {
      ...afterKill(claimed.value),
      request: { ...request, ...requestOf(request.task, plan) },
    };
    return runSessionInPlace(io, { ...{ session, addition, plan, ...memory }, json, quiet }, abort);
  });
}

function canGoOn(known: KnownSession, addition: string | undefined): Result<void, Refusal> {
  const { id, state, request } = known.record;
  if (known.isRunning) return err(running(known));
  if (state === 'done' && addition === undefined) {
    const message = `session ${id} is done; say what is to be done next: secondwind resume ${id} 'and now …'.`;
    return err({ code: EXIT.usage, message });
  }
  if (request.worktree !== undefined || isDirectory(request.directory)) return ok(undefined);
  const message = `session ${id} worked in ${request.directory}, and that directory is gone.`;
  return err({ code: EXIT.usage, message });
}

function running({ record }: KnownSession): Refusal {
  const message = `session ${record.id} is running in another secondwind; stop that one first.`;
  return { code: EXIT.usage, message };
}
