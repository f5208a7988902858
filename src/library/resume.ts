import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { Addition, SessionRecord } from '../core/session.ts';
import { afterKill } from '../core/session.ts';
import type { EpochMs } from '../core/time.ts';
import type { KnownSession } from '../store/sessions.ts';
import { isDirectory } from '../system/input.ts';
import { findSession } from './find-session.ts';
import type { Home } from './home.ts';
import type { Refusal } from './host.ts';
import { requestOf } from './memory.ts';
import type { FleetOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { planOf } from './plan.ts';
import type { Run } from './run.ts';
import { startRun } from './run.ts';
import { openWorktree } from './worktree.ts';

export interface ResumeOptions {
  /** What is to be done besides what the task says; a session that is done needs one. */
  readonly addition?: string | undefined;
  /** Stops the run: its children are gone before its outcome is known. */
  readonly signal?: AbortSignal | undefined;
}

/** A session that goes on, and with what. */
export interface Resumed {
  readonly run: Run;
  readonly plan: Plan;
  readonly record: SessionRecord;
}

/** A session goes on where it was stopped, exhausted or killed: as it was asked for, but for what `options` say. */
export async function resumeSession(
  home: Home,
  options: Omit<FleetOptions, 'directory'>,
  name: string,
  { addition, signal }: ResumeOptions,
): Promise<Result<Resumed, Refusal>> {
  const { host, memory } = home;
  const found = await findSession(memory.store, name);
  if (!found.ok) return found;
  const { record } = found.value;
  const fit = canGoOn(found.value, addition);
  if (!fit.ok) return fit;
  const opened = await openWorktree(host, record);
  if (!opened.ok) return opened;
  const planned = await planOf(host, asAskedFor(record, options));
  if (!planned.ok) return planned;
  const plan = planned.value;
  const { id } = record;
  const run = startRun(home, {
    ...{ session: id, signal, timeoutMs: plan.timeoutMs },
    prepare: async () => {
      const claimed = await memory.store.claim(id);
      // Where nothing can be written nobody else can have claimed it: the work goes on, unrecorded.
      const isUnwritable = !claimed.ok && claimed.error.type === 'unwritable';
      if (!claimed.ok && !isUnwritable) return err({ reason: 'failed', message: claimed.error.message });
      const mine = claimed.ok ? claimed.value : record;
      if (mine === undefined) return err(running(record));
      const known = afterKill(mine);
      const request = {
        ...{ ...known.request, ...requestOf(known.request.task, plan) },
        additions: [...(known.request.additions ?? []), ...added(addition, host.clock.now())],
      };
      return ok({ memory, session: { ...known, request }, plan, spread: false });
    },
  });
  return ok({ run, plan, record });
}

function asAskedFor({ request }: SessionRecord, options: Omit<FleetOptions, 'directory'>): FleetOptions {
  const { directory, permissions, model, workers, extraArgs } = request;
  return {
    ...options,
    directory,
    permissions: options.permissions ?? permissions,
    model: options.model ?? model,
    workers: options.workers ?? workers,
    extraArgs: (options.extraArgs ?? []).length > 0 ? options.extraArgs : extraArgs,
  };
}

function added(text: string | undefined, at: EpochMs): readonly Addition[] {
  return text === undefined ? [] : [{ text, at }];
}

function canGoOn({ record, isRunning }: KnownSession, addition: string | undefined): Result<void, Refusal> {
  const { id, state, request } = record;
  if (isRunning) return err(running(record));
  if (state === 'done' && addition === undefined) {
    const message = `session ${id} is done; say what is to be done next: secondwind resume ${id} 'and now …'.`;
    return err({ reason: 'usage', message });
  }
  if (request.worktree !== undefined || isDirectory(request.directory)) return ok(undefined);
  const message = `session ${id} worked in ${request.directory}, and that directory is gone.`;
  return err({ reason: 'usage', message });
}

function running({ id }: SessionRecord): Refusal {
  return { reason: 'usage', message: `session ${id} is running in another secondwind; stop that one first.` };
}
