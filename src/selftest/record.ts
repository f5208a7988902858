import type { Exit } from '../core/line.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { durationMs } from '../core/time.ts';
import type { CapturedLine } from '../fleet/replay.ts';
import type { StartChild } from '../system/child.ts';
import type { SpawnCommand, StartFailure } from '../system/spawn.ts';
import type { Clock } from '../system/clock.ts';

export interface RecordOrder extends SpawnCommand {
  /** When it is ended, should it not end by itself; `undefined`: never. */
  readonly limit: DurationMs | undefined;
  /** Once it has printed something: how long it may then be silent before it is ended. */
  readonly quiet?: DurationMs;
  readonly abort: AbortSignal;
  readonly onLine?: (line: CapturedLine) => void;
}

/** A run as it was: every line with its time, and the end. */
export interface Recording {
  readonly startedAt: EpochMs;
  readonly lines: readonly CapturedLine[];
  readonly wallMs: DurationMs;
  /** `undefined`: it was still running, and was ended by us. */
  readonly exit: Exit | undefined;
}

/** Runs a program and writes down what it prints, on which channel and how long after its start. */
export async function recordRun(
  order: RecordOrder,
  { startChild, clock }: { readonly startChild: StartChild; readonly clock: Clock },
): Promise<Result<Recording, StartFailure>> {
  const startedAt = clock.now();
  const begun = clock.monotonic();
  const { program, args, cwd, env, stdin } = order;
  const started = await startChild({ program, args, cwd, env, stdin });
  if (!started.ok) return err(started.error);
  const child = started.value;
  const over = new AbortController();
  const stopped = new AbortController();
  const stop = (): void => {
    stopped.abort();
    void child.end();
  };
  order.abort.addEventListener('abort', stop, { once: true });
  if (order.abort.aborted) stop();
  if (order.limit !== undefined) {
    void clock.sleep(order.limit, over.signal).then(() => {
      if (!over.signal.aborted) stop();
    });
  }
  const lines: CapturedLine[] = [];
  let lastAt: DurationMs | undefined;
  if (order.quiet !== undefined) void whenQuiet(order.quiet, () => lastAt, stop, over.signal, clock);
  for await (const { channel, text, monotonic } of child.lines) {
    // What it says once it is told to end is no part of its run.
    if (stopped.signal.aborted) continue;
    lastAt = monotonic;
    const line = { t: durationMs(Math.round(monotonic - begun)), channel, text };
    lines.push(line);
    order.onLine?.(line);
  }
  const exit = await child.exited;
  over.abort();
  order.abort.removeEventListener('abort', stop);
  const wallMs = durationMs(Math.round(clock.monotonic() - begun));
  return ok({ startedAt, lines, wallMs, exit: stopped.signal.aborted ? undefined : exit });
}

async function whenQuiet(
  quiet: DurationMs,
  lastAt: () => DurationMs | undefined,
  then: () => void,
  over: AbortSignal,
  clock: Clock,
): Promise<void> {
  for (;;) {
    const since = lastAt();
    const left = since === undefined ? quiet : since + quiet - clock.monotonic();
    if (left <= 0) {
      then();
      return;
    }
    await clock.sleep(durationMs(left), over);
    if (over.aborted) return;
  }
}
