import { sessionId } from '../../core/ids.ts';
import { newSession } from '../../core/session.ts';
import type { DurationMs } from '../../core/time.ts';
import { durationMs, formatDuration } from '../../core/time.ts';
import type { Worker } from '../../core/worker.ts';
import { available } from '../../fleet/available.ts';
import type { Outcome } from '../../fleet/dispatch.ts';
import type { Skipped } from '../../fleet/order.ts';
import type { Repository } from '../../system/repository.ts';
import { drawEverySecond, eachOf, progressOf, within, worstOf } from '../at-once.ts';
import { nobodyStarts } from '../endings.ts';
import { eventTeller } from '../event-json.ts';
import { EXIT } from '../exit-codes.ts';
import { harmless } from '../../core/harmless.ts';
import { formatUntil } from '../format.ts';
import type { Io } from '../io.ts';
import { namesFor } from '../each-names.ts';
import type { RunPlan } from '../run-plan.ts';
import { adapterOf } from '../run-plan.ts';
import type { SessionRun } from '../run-session.ts';
import { endingOf, withLineBreak } from '../run-session.ts';
import { memoryOf, newSessionId, requestOf } from '../sessions.ts';
import { situationOf } from '../situation.ts';
import { supervise } from '../supervise.ts';
import { endWords } from '../task-progress.ts';
import { worktreeOf } from '../worktree.ts';
import type { NamedWorktree } from '../worktree-report.ts';
import { worktreeTable } from '../worktree-report.ts';
import { playSessionInPlace } from '../worktree-session.ts';
import type { TasksFlags } from './run-tasks.ts';

/** One worker's session. */
interface Entry {
  readonly index: number;
  readonly worker: Worker;
  readonly run: SessionRun;
}

interface Ended extends Entry {
  readonly outcome: Outcome;
  readonly took: DurationMs;
}

/**
 * `run --each`: one task for every worker that may start now, each in a worktree and a session of its own, in which no
 * other takes over. Returns the exit code.
 */
export async function runEach(
  io: Io,
  task: string,
  plan: RunPlan,
  repository: Repository,
  flags: TasksFlags,
): Promise<number> {
  const { json = false, quiet = false, timeout } = flags;
  const situation = await situationOf(io, plan);
  const { workers, skipped } = available(situation);
  if (workers.length === 0) {
    const { code, message } = nobodyStarts(situation, {
      ...{ now: situation.now, zone: io.zone, onQuota: plan.policy.onQuota, session: undefined },
      setUp: (name) => adapterOf(plan, { adapter: name }),
    });
    io.terminal.err(`secondwind: ${message}\n`);
    return code;
  }
  for (const one of skipped) io.terminal.err(skippedLine(one, io));
  const entries = entriesFor(io, task, { plan, repository, workers, json, quiet });
  return supervise(io, undefined, async (abort) => {
    const progress = progressOf(io, entries.length, 0, quiet);
    const stopDrawing = drawEverySecond(io, progress, json);
    const ended: Ended[] = [];
    await eachOf(entries, flags.concurrency ?? entries.length, abort, async (entry) => {
      const { index, worker, run } = entry;
      const tell = json ? eventTeller(io, run.session.id) : undefined;
      const begun = io.clock.monotonic();
      if (!json) progress.begin(index, worker.id);
      const outcome = await playSessionInPlace(io, run, within(io, timeout, abort), (event) => {
        if (tell === undefined) progress.tell(index, event);
        else tell(event);
      });
      if (!json) progress.end(index, outcome);
      ended.push({ ...entry, outcome, took: durationMs(io.clock.monotonic() - begun) });
    });
    stopDrawing();
    const inOrder = ended.toSorted((one, other) => one.index - other.index);
    for (const { outcome, worker } of json ? [] : inOrder) {
      if (outcome.type === 'done') io.terminal.out(`== ${worker.id}\n${withLineBreak(outcome.text)}\n`);
    }
    await sayResults(io, inOrder);
    const codes = inOrder.map(({ run, outcome }) => endingOf(io, run, outcome).code);
    return worstOf(codes, entries.length - codes.filter((code) => code === EXIT.done).length);
  });
}

interface Asked extends Pick<SessionRun, 'plan' | 'json' | 'quiet'> {
  readonly repository: Repository;
  readonly workers: readonly Worker[];
}

/** All start from the same commit. Their sessions' ids begin alike, so that they are found together. */
function entriesFor(io: Io, task: string, asked: Asked): readonly Entry[] {
  const { repository, workers, plan, json, quiet } = asked;
  const now = io.clock.now();
  const group = newSessionId(now);
  const memory = memoryOf(io);
  const names = namesFor(workers.map(({ id }) => id));
  return workers.map((worker, index) => {
    const place = worktreeOf(io, repository, `${group}/${names[index] ?? String(index)}`);
    const own = { ...plan, fleet: [worker], named: [worker.id], directory: place.directory };
    const request = { ...requestOf(task, own), ...place };
    const session = newSession(sessionId(`${group}-${String(index + 1)}`), request, now);
    return { index, worker, run: { session, addition: undefined, plan: own, ...memory, json, quiet } };
  });
}

async function sayResults(io: Io, ended: readonly Ended[]): Promise<void> {
  for (const { run, outcome } of ended)
    if (outcome.type === 'failed') io.terminal.err(`${endingOf(io, run, outcome).message}\n`);
  const trees = ended.flatMap(({ index, worker, outcome, took, run }): readonly NamedWorktree[] => {
    const { worktree } = run.session.request;
    const end = outcome.type === 'failed' ? 'failed' : outcome.type === 'done' ? 'done' : endWords(outcome);
    return worktree === undefined
      ? []
      : [
          {
            ...{ order: index, cells: [worker.id, end, formatDuration(took)], worktree },
            isDone: outcome.type === 'done',
          },
        ];
  });
  io.terminal.err(await worktreeTable(io, ['WORKER', 'END', 'TIME'], trees));
  for (const { run, outcome, worker } of ended)
    if (outcome.type !== 'done')
      io.terminal.err(`${worker.id} goes on with: secondwind resume ${run.session.id}\n`);
}

function skippedLine({ worker, reason, until }: Skipped, { clock, zone }: Io): string {
  const when = until === undefined ? '' : `, ${formatUntil(until, clock.now(), zone)}`;
  return `${worker.id}: skipped, ${harmless(reason)}${when}\n`;
}
