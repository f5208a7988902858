import { sessionId } from '../../core/ids.ts';
import type { SessionRecord } from '../../core/session.ts';
import { newSession } from '../../core/session.ts';
import type { DurationMs } from '../../core/time.ts';
import { durationMs } from '../../core/time.ts';
import type { Worker } from '../../core/worker.ts';
import { available } from '../../fleet/available.ts';
import type { Outcome } from '../../fleet/dispatch.ts';
import type { Skipped } from '../../fleet/order.ts';
import { isDirectory } from '../../system/input.ts';
import type { Repository } from '../../system/repository.ts';
import { drawEverySecond, eachOf, progressOf, settled, worstOf } from '../at-once.ts';
import { nobodyStarts } from '../endings.ts';
import type { OpenFleet } from '../../library/fleet.ts';
import { fleetOf } from '../../library/fleet.ts';
import type { Home } from '../../library/home.ts';
import { EXIT } from '../exit-codes.ts';
import { harmlessLine } from '../../core/harmless.ts';
import { formatSeconds, formatUntil } from '../format.ts';
import type { Io } from '../io.ts';
import { namesFor } from '../each-names.ts';
import type { Plan } from '../../library/plan.ts';
import { endingOf, jsonTeller, withLineBreak } from '../run-session.ts';
import { newSessionId, requestOf } from '../../library/memory.ts';
import { situationOf } from '../../library/situation.ts';
import { supervise } from '../supervise.ts';
import { endWords } from '../task-progress.ts';
import { worktreeOf } from '../../library/worktree.ts';
import type { NamedWorktree } from '../worktree-report.ts';
import { worktreeTable } from '../worktree-report.ts';
import { setUpOf } from '../login-command.ts';
import type { TasksFlags } from './run-tasks.ts';

/** What every worker is given. */
export interface EachOrder {
  readonly home: Home;
  readonly plan: Plan;
  readonly task: string;
  readonly repository: Repository;
}

/** One worker's session. */
interface Entry {
  readonly index: number;
  readonly worker: Worker;
  readonly fleet: OpenFleet;
  readonly session: SessionRecord;
}

interface Ended extends Entry {
  readonly outcome: Outcome;
  readonly took: DurationMs;
}

/**
 * `run --each`: one task for every worker that may start now, each in a worktree and a session of its own, in which no
 * other takes over. Returns the exit code.
 */
export async function runEach(io: Io, order: EachOrder, flags: TasksFlags): Promise<number> {
  const { home, plan } = order;
  const { json = false, quiet = false } = flags;
  const situation = await situationOf(io, plan);
  const { workers, skipped } = available(situation);
  if (workers.length === 0) {
    const { code, message } = nobodyStarts(situation, {
      ...{ now: situation.now, zone: io.zone, onQuota: plan.policy.onQuota, session: undefined },
      setUp: setUpOf(plan),
    });
    io.terminal.err(`secondwind: ${message}\n`);
    return code;
  }
  for (const one of skipped) io.terminal.err(skippedLine(one, io));
  const entries = entriesFor(io, order, workers);
  return supervise(home, async (signal) => {
    const tell = jsonTeller(io);
    const progress = progressOf(io, entries.length, 0, quiet);
    const stopDrawing = drawEverySecond(io, progress, json);
    const ended: Ended[] = [];
    await eachOf(entries, flags.concurrency ?? entries.length, signal, async (entry) => {
      const { index, worker, fleet, session } = entry;
      const begun = io.clock.monotonic();
      if (!json) progress.begin(index, worker.id);
      const run = fleet.start(session, { signal, spread: false });
      for await (const event of run) {
        if (json) tell(event);
        else progress.tell(index, event);
      }
      const outcome = settled(await run.outcome, fleet.plan);
      if (!json) progress.end(index, outcome);
      ended.push({ ...entry, outcome, took: durationMs(io.clock.monotonic() - begun) });
    });
    stopDrawing();
    const inOrder = ended.toSorted((one, other) => one.index - other.index);
    for (const { outcome, worker } of json ? [] : inOrder) {
      if (outcome.type === 'done') io.terminal.out(`== ${worker.id}\n${withLineBreak(outcome.text)}\n`);
    }
    await sayResults(io, inOrder);
    const codes = inOrder.map(({ fleet, outcome }) => endingOf(io, fleet.plan, outcome).code);
    return worstOf(codes, entries.length - codes.filter((code) => code === EXIT.done).length);
  });
}

/** All start from the same commit. Their sessions' ids begin alike, so that they are found together. */
function entriesFor(
  io: Io,
  { home, plan, task, repository }: EachOrder,
  workers: readonly Worker[],
): readonly Entry[] {
  const now = io.clock.now();
  const group = newSessionId(now);
  const names = namesFor(workers.map(({ id }) => id));
  return workers.map((worker, index) => {
    const place = worktreeOf(io, repository, `${group}/${names[index] ?? String(index)}`);
    const own = { ...plan, fleet: [worker], named: [worker.id], directory: place.directory };
    const request = { ...requestOf(task, own), ...place };
    const session = newSession(sessionId(`${group}-${String(index + 1)}`), request, now);
    return { index, worker, session, fleet: fleetOf(home, own, {}) };
  });
}

async function sayResults(io: Io, ended: readonly Ended[]): Promise<void> {
  for (const { fleet, outcome } of ended)
    if (outcome.type === 'failed') io.terminal.err(`${endingOf(io, fleet.plan, outcome).message}\n`);
  const trees = ended.flatMap(({ index, worker, outcome, took, session }): readonly NamedWorktree[] => {
    const { worktree } = session.request;
    const end = outcome.type === 'failed' ? 'failed' : outcome.type === 'done' ? 'done' : endWords(outcome);
    return worktree === undefined || !isDirectory(worktree.path)
      ? []
      : [
          {
            ...{ order: index, cells: [worker.id, end, formatSeconds(took)], worktree },
            isDone: outcome.type === 'done',
          },
        ];
  });
  io.terminal.err(await worktreeTable(io, ['WORKER', 'END', 'TIME'], trees));
  for (const { session, outcome, worker } of ended)
    if (outcome.type !== 'done')
      io.terminal.err(`${worker.id} goes on with: secondwind resume ${session.id}\n`);
}

function skippedLine({ worker, reason, until }: Skipped, { clock, zone }: Io): string {
  const when = until === undefined ? '' : `, ${formatUntil(until, clock.now(), zone)}`;
  return `${worker.id}: skipped, ${harmlessLine(reason)}${when}\n`;
}
