import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { Addition, SessionRecord } from '../core/session.ts';
import { afterKill } from '../core/session.ts';
import type { EpochMs } from '../core/time.ts';
import type { KnownSession } from '../store/sessions.ts';
import { isDirectory } from '../system/input.ts';
import { beginWork } from './at-work.ts';
import { whyNotResume } from './check-calls.ts';
import { findSession } from './find-session.ts';
import type { Home } from './home.ts';
import type { Refusal } from './host.ts';
import { requestOf } from './memory.ts';
import type { FleetOptions, ResumeOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { planOf } from './plan.ts';
import type { Run } from './run.ts';
import { startRun } from './run.ts';
import { openWorktree } from './worktree.ts';

/** A session that goes on, and with what. */
export interface Resumed {
  readonly run: Run;
  readonly plan: Plan;
}

/** A session goes on where it was stopped, exhausted or killed: as it was asked for, but for what `options` say. */
export async function resumeSession(
  home: Home,
  options: Omit<FleetOptions, 'directory'>,
  name: string,
  resumption: ResumeOptions,
): Promise<Result<Resumed, Refusal>> {
  const wrong = whyNotResume(name, resumption);
  if (wrong !== undefined) return err(wrong);
  const found = await findSession(home.memory.store, name);
  if (!found.ok) return found;
  const { record } = found.value;
  const leave = beginWork(record.id);
  if (leave === undefined) return err(running(record, 'this process'));
  let resumed: Result<Resumed, Refusal> | undefined;
  try {
    resumed = await goOn(home, options, found.value, { ...resumption, leave });
    return resumed;
  } finally {
    if (resumed?.ok !== true) leave();
  }
}

async function goOn(
  home: Home,
  options: Omit<FleetOptions, 'directory'>,
  known: KnownSession,
  { addition, signal, leave }: ResumeOptions & { readonly leave: () => void },
): Promise<Result<Resumed, Refusal>> {
  const { host, memory } = home;
  const { record } = known;
  const fit = canGoOn(known, addition);
  if (!fit.ok) return fit;
  const opened = await openWorktree(host, record);
  if (!opened.ok) return opened;
  const planned = await planOf(host, asAskedFor(record, options));
  if (!planned.ok) return planned;
  const plan = planned.value;
  const { id } = record;
  const run = startRun(home, {
    ...{ session: id, signal, timeoutMs: plan.timeoutMs, leave },
    prepare: async () => {
      const claimed = await memory.store.claim(id);
      // Where nothing can be written nobody else can have claimed it: the work goes on, unrecorded.
      if (!claimed.ok && claimed.error.type !== 'unwritable')
        return err({ reason: 'failed', message: claimed.error.message });
      const mine = claimed.ok ? claimed.value : record;
      if (mine === undefined) return err(running(record));
      const left = afterKill(mine);
      const request = {
        ...{ ...left.request, ...requestOf(left.request.task, plan) },
        additions: [...(left.request.additions ?? []), ...added(addition, host.clock.now())],
      };
      return ok({ session: { ...left, request }, plan, spread: false });
    },
  });
  return ok({ run, plan });
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

function running({ id }: SessionRecord, where = 'another secondwind'): Refusal {
  return { reason: 'usage', message: `session ${id} is running in ${where}; stop that one first.` };
}
