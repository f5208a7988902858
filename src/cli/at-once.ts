import { SECOND } from '../core/time.ts';
import type { Outcome } from '../fleet/dispatch.ts';
import type { Plan } from '../library/plan.ts';
import type { RunOutcome } from '../library/run.ts';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';
import { style } from './style.ts';
import { TaskProgress } from './task-progress.ts';

// What running many sessions at once takes, whether they are of many tasks or of many workers.

/** Works through `jobs`, at most `limit` at once, until it is told to stop. */
export async function eachOf<Job>(
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

/** Among many, a session that could not begin is one that failed. */
export function settled(outcome: RunOutcome, { fleet }: Pick<Plan, 'fleet'>): Outcome {
  if (outcome.type !== 'refused') return outcome;
  const [worker] = fleet;
  if (worker === undefined) throw new Error('Internal error: a fleet of nobody');
  const { message } = outcome.refusal;
  return { type: 'failed', worker, reason: message, evidence: '', recognised: true };
}

export function progressOf(io: Io, total: number, over: number, quiet: boolean): TaskProgress {
  return new TaskProgress(
    {
      ...{ block: { say: io.terminal.err, show: io.terminal.show }, zone: io.zone, quiet, total },
      ...{ style: style(io.terminal.colors.err), now: () => io.clock.now() },
      monotonic: () => io.clock.monotonic(),
    },
    over,
  );
}

/** Returns what ends it. */
export function drawEverySecond(io: Io, progress: TaskProgress, json: boolean): () => void {
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

/** 0 only when all are done; else what a person has to know first: a failure, then that everybody rests. */
export function worstOf(codes: readonly number[], left: number): number {
  if (left === 0) return EXIT.done;
  const order = [EXIT.failed, EXIT.unavailable, EXIT.exhausted, EXIT.timeout, EXIT.interrupted];
  return order.find((code) => codes.includes(code)) ?? EXIT.exhausted;
}
