import { newSession } from '../../core/session.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { planRun } from '../run-plan.ts';
import { memoryOf, newSessionId, requestOf } from '../sessions.ts';
import { supervise } from '../supervise.ts';
import { readTask } from '../task.ts';
import { worktreeOf, worktreeSource } from '../worktree.ts';
import { runSessionInPlace } from '../worktree-session.ts';
import { dryRun } from './dry-run.ts';
import type { TasksFlags } from './run-tasks.ts';

export interface RunFlags extends TasksFlags {
  readonly file?: string;
  readonly dryRun?: boolean;
  readonly each?: boolean;
}

/** `secondwind run`: one task, from its first attempt to its last. Returns the exit code. */
export async function run(
  io: Io,
  words: readonly string[],
  flags: RunFlags,
  extraArgs: readonly string[],
): Promise<number> {
  const { json = false, quiet = false, tasks, each = false } = flags;
  if (tasks !== undefined) {
    const wrong = words.length > 0 || flags.file !== undefined || flags.dryRun === true || each;
    if (!wrong) return (await import('./run-tasks.ts')).runTasks(io, tasks, flags, extraArgs);
    const message = '--tasks names all tasks itself; leave out the task, --file, --each and --dry-run.';
    return refuse(io, { code: EXIT.usage, message });
  }
  if ((flags.concurrency !== undefined && !each) || flags.again === true)
    return refuse(io, {
      code: EXIT.usage,
      message: '--concurrency and --again are for many tasks: add --tasks F.',
    });
  const planned = await planRun(io, flags, extraArgs);
  if (!planned.ok) return refuse(io, planned.error);
  const plan = planned.value;
  const source = each || flags.worktree === true ? await worktreeSource(io, plan.directory) : undefined;
  if (source?.ok === false) return refuse(io, source.error);
  const task = await readTask(words, flags.file);
  if (!task.ok) return refuse(io, task.error);
  if (flags.dryRun === true) return dryRun(io, plan, task.value, json);

  if (each && source !== undefined)
    return (await import('./run-each.ts')).runEach(io, task.value, plan, source.value, flags);
  const now = io.clock.now();
  const id = newSessionId(now);
  const place = source === undefined ? {} : worktreeOf(io, source.value, id);
  const session = newSession(id, { ...requestOf(task.value, plan), ...place }, now);
  const placed = { ...plan, directory: session.request.directory };
  return supervise(io, flags.timeout, (abort) =>
    runSessionInPlace(
      io,
      { ...{ session, addition: undefined, plan: placed, ...memoryOf(io) }, json, quiet },
      abort,
    ),
  );
}
