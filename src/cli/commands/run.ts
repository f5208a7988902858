import { newSession } from '../../core/session.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { planRun } from '../run-plan.ts';
import { runSession } from '../run-session.ts';
import { memoryOf, newSessionId, requestOf } from '../sessions.ts';
import { supervise } from '../supervise.ts';
import { readTask } from '../task.ts';
import { dryRun } from './dry-run.ts';
import type { TasksFlags } from './run-tasks.ts';

export interface RunFlags extends TasksFlags {
  readonly file?: string;
  readonly dryRun?: boolean;
}

/** `secondwind run`: one task, from its first attempt to its last. Returns the exit code. */
export async function run(
  io: Io,
  words: readonly string[],
  flags: RunFlags,
  extraArgs: readonly string[],
): Promise<number> {
  const { json = false, quiet = false, tasks } = flags;
  if (tasks !== undefined) {
    const wrong = words.length > 0 || flags.file !== undefined || flags.dryRun === true;
    if (!wrong) return (await import('./run-tasks.ts')).runTasks(io, tasks, flags, extraArgs);
    const message = '--tasks names all tasks itself; leave out the task, --file and --dry-run.';
    return refuse(io, { code: EXIT.usage, message });
  }
  if (flags.concurrency !== undefined || flags.again === true)
    return refuse(io, {
      code: EXIT.usage,
      message: '--concurrency and --again are for many tasks: add --tasks F.',
    });
  const planned = await planRun(io, flags, extraArgs);
  if (!planned.ok) return refuse(io, planned.error);
  const plan = planned.value;
  const task = await readTask(words, flags.file);
  if (!task.ok) return refuse(io, task.error);
  if (flags.dryRun === true) return dryRun(io, plan, task.value, json);

  const now = io.clock.now();
  const session = newSession(newSessionId(now), requestOf(task.value, plan), now);
  return supervise(io, flags.timeout, (abort) =>
    runSession(io, { ...{ session, addition: undefined, plan, ...memoryOf(io) }, json, quiet }, abort),
  );
}
