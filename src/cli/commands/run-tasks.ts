import type { SessionRecord } from '../../core/session.ts';
import type { Result } from '../../core/result.ts';
import { err, ok } from '../../core/result.ts';
import type { Outcome } from '../../fleet/dispatch.ts';
import { absolutePath, isDirectory, readStdin, readTextFile } from '../../system/input.ts';
import type { Repository } from '../../system/repository.ts';
import type { Batch } from '../batch.ts';
import { isFor, Newcomers, sessionFor } from '../batch.ts';
import { drawEverySecond, eachOf, progressOf, settled, worstOf } from '../at-once.ts';
import type { OpenFleet } from '../../library/fleet.ts';
import { openFleet } from '../../library/fleet.ts';
import type { Home } from '../../library/home.ts';
import { openHome } from '../../library/home.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { Refusal } from '../../library/host.ts';
import { refuse } from '../io.ts';
import type { PlanFlags } from '../plan-flags.ts';
import { optionsOf } from '../plan-flags.ts';
import { endingOf, jsonTeller, withLineBreak } from '../run-session.ts';
import { supervise } from '../supervise.ts';
import { worktreeSources } from '../../library/worktree.ts';
import type { NamedWorktree } from '../worktree-report.ts';
import { worktreeTable } from '../worktree-report.ts';
import type { ListedTask } from '../task-list.ts';
import { parseTaskList } from '../task-list.ts';
import { endWords, firstLine } from '../task-progress.ts';

export interface TasksFlags extends PlanFlags {
  readonly tasks?: string;
  readonly concurrency?: number;
  readonly again?: boolean;
  readonly worktree?: boolean;
}

/** A task with everything resolved, and what is on record of it. */
interface Job {
  readonly index: number;
  readonly listed: ListedTask;
  readonly fleet: OpenFleet;
  readonly before: SessionRecord | undefined;
  /** Of which it gets a worktree of its own, where it is to have one. */
  readonly repository: Repository | undefined;
}

/** `run --tasks`: many tasks over the fleet, so many at once. What is done is not done again. Returns the exit code. */
export async function runTasks(
  io: Io,
  file: string,
  flags: TasksFlags,
  extraArgs: readonly string[],
): Promise<number> {
  const { json = false, quiet = false, concurrency = 1 } = flags;
  const listed = await readList(file, io.directory);
  if (!listed.ok) return refuse(io, listed.error);
  const home = openHome(io);
  const { memory } = home;
  const again = flags.again === true;
  const batch: Batch = {
    file: file === '-' ? '-' : absolutePath(file, io.directory),
    directory: absolutePath(flags.cd ?? '.', io.directory),
  };
  const newcomers = new Newcomers(memory.store, batch, memory.store.ids());
  const sessions = again ? [] : await memory.store.holding(JSON.stringify(batch.file));
  const isOfBatch = (one: ListedTask) => sessions.find(({ record }) => isFor(record, batch, one));

  const fleetFor = fleets(home, flags, extraArgs);
  const sources = worktreeSources(io);
  const jobs: Job[] = [];
  let done = 0;
  /** Tasks that other secondwinds are at. */
  const theirs: ListedTask[] = [];
  for (const [index, one] of listed.value.entries()) {
    // Every plan is made before anything starts: a slip in line 40 is not found in the middle of the night.
    const fleet = await fleetFor(one);
    if (!fleet.ok) return refuse(io, fleet.error, `task ${String(index + 1)}: `);
    const known = isOfBatch(one);
    if (known?.record.state === 'done') done += 1;
    else if (known?.isRunning === true) theirs.push(one);
    else {
      const repository = flags.worktree === true ? await sources(fleet.value.directory) : undefined;
      if (repository?.ok === false) return refuse(io, repository.error);
      const { value } = repository ?? { value: undefined };
      jobs.push({ index, listed: one, fleet: fleet.value, before: known?.record, repository: value });
    }
  }
  if (done > 0 && !json)
    io.terminal.err(
      `${String(done)} of ${String(listed.value.length)} ${done === 1 ? 'is' : 'are'} done already.\n`,
    );
  if (theirs.length > 0) io.terminal.err(`${count(theirs.length)} left to another secondwind.\n`);

  return supervise(home, async (signal) => {
    const tell = jsonTeller(io);
    const progress = progressOf(io, listed.value.length, done + theirs.length, quiet);
    const stopDrawing = drawEverySecond(io, progress, json);
    const unfinished: { readonly job: Job; readonly outcome: Exclude<Outcome, { type: 'done' }> }[] = [];
    const codes: number[] = [];
    const trees: NamedWorktree[] = [];
    await eachOf(jobs, concurrency, signal, async (job) => {
      const { plan, start } = job.fleet;
      const session = await sessionFor(io, { ...job, plan }, batch, memory.store, newcomers);
      if (session === undefined) {
        theirs.push(job.listed);
        return;
      }
      const { worktree } = session.request;
      if (!json) progress.begin(job.index, job.listed.task);
      const run = start(session, { signal, spread: true });
      for await (const event of run) {
        if (json) tell(event);
        else progress.tell(job.index, event);
      }
      const outcome = settled(await run.outcome, plan);
      codes.push(endingOf(io, plan, outcome).code);
      if (worktree !== undefined && isDirectory(worktree.path))
        trees.push({
          order: job.index,
          cells: [`#${String(job.index + 1)}`],
          worktree,
          isDone: outcome.type === 'done',
        });
      if (!json) progress.end(job.index, outcome);
      if (outcome.type !== 'done') unfinished.push({ job, outcome });
      else if (!json) sayAnswer(io, job, outcome.text);
    });
    stopDrawing();
    for (const { job, outcome } of unfinished.toSorted((a, b) => a.job.index - b.job.index))
      io.terminal.err(`  #${String(job.index + 1)} ${firstLine(job.listed.task)}: ${endWords(outcome)}\n`);
    // Who rests and until when is the same for all of them, but for what the last one knows better.
    const resting = unfinished.findLast(({ outcome }) => isForWantOfWorkers(outcome));
    if (resting !== undefined)
      io.terminal.err(`secondwind: ${endingOf(io, resting.job.fleet.plan, resting.outcome).message}\n`);
    if (trees.length > 0) io.terminal.err(await worktreeTable(io, ['TASK'], trees));
    // They may be done by now.
    const news = theirs.length === 0 ? [] : await memory.store.holding(JSON.stringify(batch.file));
    const elsewhere = theirs.filter(
      (one) => !news.some(({ record }) => record.state === 'done' && isFor(record, batch, one)),
    ).length;
    const ours = codes.filter((code) => code === EXIT.done).length;
    const left = listed.value.length - done - ours - theirs.length;
    io.terminal.err(summary(listed.value.length, left, elsewhere, again));
    return worstOf(codes, left + elsewhere);
  });
}

function isForWantOfWorkers({ type }: Outcome): boolean {
  return type === 'exhausted' || type === 'unavailable';
}

async function readList(file: string, directory: string): Promise<Result<readonly ListedTask[], Refusal>> {
  const text = file === '-' ? ok(await readStdin()) : readTextFile(absolutePath(file, directory));
  const where = file === '-' ? 'stdin' : file;
  if (!text.ok)
    return err({ reason: 'usage', message: `cannot read the tasks from ${where}: ${text.error}.` });
  const tasks = parseTaskList(text.value);
  return tasks.ok ? tasks : err({ reason: 'usage', message: `${where}: ${tasks.error}.` });
}

/** Tasks that ask for the same share a fleet: the plan of a thousand is made once, and of one reading of the configuration. */
function fleets(
  home: Home,
  flags: TasksFlags,
  extraArgs: readonly string[],
): (task: ListedTask) => ReturnType<typeof openFleet> {
  const opened = new Map<string, ReturnType<typeof openFleet>>();
  return (task) => {
    const { cd, workers, model } = task;
    const key = JSON.stringify([cd, workers, model]);
    const fleet = opened.get(key) ?? openFleet(home, optionsOf(flagsOf(task, flags), extraArgs));
    opened.set(key, fleet);
    return fleet;
  };
}

function flagsOf({ cd, workers, model }: ListedTask, flags: TasksFlags): PlanFlags {
  const base = flags.cd ?? '.';
  return {
    ...flags,
    ...(cd === undefined ? {} : { cd: absolutePath(cd, base) }),
    ...(workers === undefined ? {} : { workers: workers.join(',') }),
    ...(model === undefined ? {} : { model }),
  };
}

function sayAnswer(io: Io, { index, listed }: Job, text: string): void {
  io.terminal.out(`== #${String(index + 1)} ${firstLine(listed.task)}\n${withLineBreak(text)}\n`);
}

function summary(total: number, left: number, elsewhere: number, again: boolean): string {
  const theirs = elsewhere === 0 ? '' : `; ${count(elsewhere)} still at work in another secondwind`;
  if (left + elsewhere === 0)
    return total === 1 ? 'The task is done.\n' : `All ${String(total)} tasks are done.\n`;
  const done = `${String(total - left - elsewhere)} of ${String(total)} tasks are done`;
  const then = `the same command${again ? ' without --again' : ''} goes on with what is not`;
  return `${done}${theirs}; ${then}.\n`;
}

function count(tasks: number): string {
  return tasks === 1 ? '1 task is' : `${String(tasks)} tasks are`;
}
