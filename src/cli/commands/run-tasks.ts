import { afterKill, newSession } from '../../core/session.ts';
import type { SessionRecord } from '../../core/session.ts';
import type { Result } from '../../core/result.ts';
import { err, ok } from '../../core/result.ts';
import type { DurationMs } from '../../core/time.ts';
import { SECOND } from '../../core/time.ts';
import type { Outcome } from '../../fleet/dispatch.ts';
import { absolutePath, readStdin, readTextFile } from '../../system/input.ts';
import { eventTeller } from '../event-json.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io, Refusal } from '../io.ts';
import { refuse } from '../io.ts';
import type { PlanFlags, RunPlan } from '../run-plan.ts';
import { planRun } from '../run-plan.ts';
import type { SessionRun } from '../run-session.ts';
import { endingOf, playSession, withLineBreak } from '../run-session.ts';
import { memoryOf, newSessionId, requestOf } from '../sessions.ts';
import { style } from '../style.ts';
import { supervise } from '../supervise.ts';
import type { ListedTask } from '../task-list.ts';
import { parseTaskList } from '../task-list.ts';
import { endWords, firstLine, TaskProgress } from '../task-progress.ts';

export interface TasksFlags extends PlanFlags {
  readonly tasks?: string;
  readonly concurrency?: number;
  readonly again?: boolean;
}

/** A task with everything resolved, and what is on record of it. */
interface Job {
  readonly index: number;
  readonly listed: ListedTask;
  readonly plan: RunPlan;
  readonly before: SessionRecord | undefined;
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
  const memory = memoryOf(io);
  const batch = file === '-' ? '-' : absolutePath(file, io.directory);
  const sessions = flags.again === true ? [] : await memory.store.list();
  const isOfBatch = ({ key }: ListedTask) =>
    sessions.find(({ record }) => record.request.batch?.file === batch && record.request.batch.key === key);

  const jobs: Job[] = [];
  let [done, elsewhere] = [0, 0];
  for (const [index, one] of listed.value.entries()) {
    // Every plan is made before anything starts: a slip in line 40 is not found in the middle of the night.
    const plan = await planRun(io, flagsOf(one, flags), extraArgs);
    if (!plan.ok)
      return refuse(io, { ...plan.error, message: `task ${String(index + 1)}: ${plan.error.message}` });
    const known = isOfBatch(one);
    if (known?.record.state === 'done') done += 1;
    else if (known?.isRunning === true) elsewhere += 1;
    else jobs.push({ index, listed: one, plan: plan.value, before: known?.record });
  }
  if (done > 0 && !json)
    io.terminal.err(`${String(done)} of ${String(listed.value.length)} are done already.\n`);
  if (elsewhere > 0) io.terminal.err(`${String(elsewhere)} run in another secondwind, and are left to it.\n`);

  return supervise(io, undefined, async (abort) => {
    const progress = new TaskProgress(
      {
        ...{
          block: { say: io.terminal.err, show: io.terminal.show },
          style: style(io.terminal.colors.err),
          zone: io.zone,
          quiet,
        },
        ...{ now: () => io.clock.now(), monotonic: () => io.clock.monotonic(), total: listed.value.length },
      },
      done + elsewhere,
    );
    const stopDrawing = drawEverySecond(io, progress, json);
    const unfinished: { readonly job: Job; readonly outcome: Exclude<Outcome, { type: 'done' }> }[] = [];
    const codes: number[] = [];
    await eachOf(jobs, concurrency, abort, async (job) => {
      const session = await sessionFor(io, job, batch, memory.store);
      if (session === undefined) return;
      const run: SessionRun = {
        ...{ session, addition: undefined, plan: job.plan, ...memory, json, quiet, spread: true },
      };
      const told = json ? eventTeller(io, session.id) : undefined;
      if (!json) progress.begin(job.index, job.listed.task);
      const outcome = await playSession(io, run, within(io, flags.timeout, abort), (event) => {
        if (told === undefined) progress.tell(job.index, event);
        else told(event);
      });
      codes.push(endingOf(io, run, outcome).code);
      if (!json) progress.end(job.index, outcome);
      if (outcome.type !== 'done') unfinished.push({ job, outcome });
      else if (!json) sayAnswer(io, job, outcome.text);
    });
    stopDrawing();
    const left = listed.value.length - done - elsewhere - codes.filter((code) => code === EXIT.done).length;
    for (const { job, outcome } of unfinished.toSorted((a, b) => a.job.index - b.job.index))
      io.terminal.err(`  #${String(job.index + 1)} ${firstLine(job.listed.task)}: ${endWords(outcome)}\n`);
    io.terminal.err(summary(listed.value.length, left, elsewhere));
    return worstOf(codes, left + elsewhere);
  });
}

async function readList(file: string, directory: string): Promise<Result<readonly ListedTask[], Refusal>> {
  const text = file === '-' ? ok(await readStdin()) : readTextFile(absolutePath(file, directory));
  const where = file === '-' ? 'stdin' : file;
  if (!text.ok)
    return err({ code: EXIT.usage, message: `cannot read the tasks from ${where}: ${text.error}.` });
  const tasks = parseTaskList(text.value);
  return tasks.ok ? tasks : err({ code: EXIT.usage, message: `${where}: ${tasks.error}.` });
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

/** The session of an earlier run that goes on, or a new one; `undefined` when another secondwind was quicker. */
async function sessionFor(
  io: Io,
  { listed, plan, before }: Job,
  batch: string,
  store: SessionRun['store'],
): Promise<SessionRecord | undefined> {
  const request = { ...requestOf(listed.task, plan), batch: { file: batch, key: listed.key } };
  const now = io.clock.now();
  if (before === undefined) return newSession(newSessionId(now), request, now);
  const claimed = await store.claim(before.id);
  if (!claimed.ok) return newSession(newSessionId(now), request, now);
  return claimed.value && { ...afterKill(claimed.value), request };
}

/** Works through `jobs`, at most `limit` at once, until it is told to stop. */
async function eachOf(
  jobs: readonly Job[],
  limit: number,
  abort: AbortSignal,
  work: (job: Job) => Promise<void>,
): Promise<void> {
  const queue = [...jobs];
  const worker = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined && !abort.aborted; job = queue.shift()) await work(job);
  };
  await Promise.all(Array.from({ length: Math.min(limit, jobs.length) }, worker));
}

/** `--timeout` is a task's own. */
function within(io: Io, timeout: DurationMs | undefined, abort: AbortSignal): AbortSignal {
  if (timeout === undefined) return abort;
  const own = new AbortController();
  void io.clock.sleep(timeout, abort).then(() => {
    own.abort('timeout');
  });
  return AbortSignal.any([abort, own.signal]);
}

function drawEverySecond(io: Io, progress: TaskProgress, json: boolean): () => void {
  if (json || !io.terminal.isLive) return () => undefined;
  const over = new AbortController();
  void (async () => {
    while (!over.signal.aborted) {
      await io.clock.sleep(SECOND, over.signal);
      progress.draw();
    }
  })();
  return () => {
    over.abort();
  };
}

function sayAnswer(io: Io, { index, listed }: Job, text: string): void {
  io.terminal.out(`== #${String(index + 1)} ${firstLine(listed.task)}\n${withLineBreak(text)}\n`);
}

function summary(total: number, left: number, elsewhere: number): string {
  const done = total - left - elsewhere;
  const open = left + elsewhere;
  return open === 0
    ? `All ${String(total)} tasks are done.\n`
    : `${String(done)} of ${String(total)} tasks are done, ${String(open)} are not; the same command goes on with them.\n`;
}

/** 0 only when all are done; else what a person has to know first: a failure, then that everybody rests. */
function worstOf(codes: readonly number[], left: number): number {
  if (left === 0) return EXIT.done;
  const order = [EXIT.failed, EXIT.unavailable, EXIT.exhausted, EXIT.timeout, EXIT.interrupted];
  return order.find((code) => codes.includes(code)) ?? EXIT.exhausted;
}
