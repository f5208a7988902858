import { openFleet } from '../../library/fleet.ts';
import { openHome } from '../../library/home.ts';
import { worktreeSource } from '../../library/worktree.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { optionsOf } from '../plan-flags.ts';
import { runInSight } from '../run-session.ts';
import { supervise } from '../supervise.ts';
import { readTask } from '../task.ts';
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
  const { json = false, quiet = false, tasks, each = false, worktree = false } = flags;
  if (tasks !== undefined) {
    const wrong = words.length > 0 || flags.file !== undefined || flags.dryRun === true || each;
    if (!wrong) return (await import('./run-tasks.ts')).runTasks(io, tasks, flags, extraArgs);
    const message = '--tasks names all tasks itself; leave out the task, --file, --each and --dry-run.';
    return refuse(io, { reason: 'usage', message });
  }
  if (flags.again === true)
    return refuse(io, { reason: 'usage', message: '--again is for a list of tasks: add --tasks F.' });
  if (flags.concurrency !== undefined && !each)
    return refuse(io, {
      reason: 'usage',
      message: '--concurrency is for many tasks: add --tasks F or --each.',
    });
  const home = openHome(io);
  const opened = await openFleet(home, optionsOf(flags, extraArgs));
  if (!opened.ok) return refuse(io, opened.error);
  const fleet = opened.value;
  const isDry = flags.dryRun === true;
  const source = each || (worktree && isDry) ? await worktreeSource(io, fleet.directory) : undefined;
  if (source?.ok === false) return refuse(io, source.error);
  const task = await readTask(words, flags.file);
  if (!task.ok) return refuse(io, task.error);
  if (isDry) return dryRun(io, fleet.plan, task.value, json);
  if (each && source !== undefined) {
    const { runEach } = await import('./run-each.ts');
    return runEach(io, { ...{ home, plan: fleet.plan, repository: source.value }, task: task.value }, flags);
  }
  return supervise(home, (signal) =>
    runInSight(io, fleet.run(task.value, { signal, worktree }), fleet.plan, { json, quiet }),
  );
}
