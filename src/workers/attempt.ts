import type { Event } from '../core/event.ts';
import type { AttemptProgress } from '../core/session.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { between, durationMs } from '../core/time.ts';
import type { StartChild } from '../system/child.ts';
import type { StartFailure } from '../system/spawn.ts';
import { secretRemover } from '../signals/secrets.ts';
import type { Clock } from '../system/clock.ts';
import type { Variables } from '../system/environment.ts';
import type { NewestReading } from './closed-window.ts';
import type { AttemptOrder } from './attempt-order.ts';
import { follow } from './follow.ts';
import { outcomeOf, reasonOf, signalSeen } from './attempt-events.ts';
import { withReading } from './closed-window.ts';
import { closingReadings } from './quota-readings.ts';
import { childEnvironment, expandHome } from './child-environment.ts';
import { discreet } from './discreet.ts';
import type { Ending } from './ending.ts';
import { cannotStart } from './start-failure.ts';
import { NOTHING_BEGUN } from '../core/session.ts';
import { Watch } from './watch.ts';

export interface AttemptEffects {
  readonly startChild: StartChild;
  readonly clock: Clock;
  readonly env: Variables;
  readonly home: string;
  readonly zone: string;
  /** The newest reading that the CLI itself left on disk. */
  readonly newestReading: NewestReading;
}

export interface EndedAttempt {
  readonly ending: Ending;
  readonly progress: AttemptProgress;
  /** How long its CLI had been waiting for a busy provider when it ended. */
  readonly busyMs: DurationMs;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
}

type EmitEvent = (event: Event) => void;

/** Runs one worker on one task, once: from the spawn until everything it started is gone. */
export async function attempt(
  order: AttemptOrder,
  effects: AttemptEffects,
  emit: EmitEvent,
): Promise<EndedAttempt> {
  const { adapter, worker, assignment, directory } = order;
  const { clock } = effects;
  const startedAt = clock.now();
  const command = adapter.command(assignment, worker);
  const [named, ...leading] = worker.command ?? [command.program];
  const program = expandHome(named, effects.home);
  const env = childEnvironment(effects.env, command.env, worker.env, effects.home);
  const args = [...leading, ...command.args];
  const started = await effects.startChild({ program, args, cwd: directory, env, stdin: command.stdin });
  if (!started.ok) return notStarted(order, started.error, startedAt, emit);

  const model = assignment.model ?? worker.model;
  const { pid } = started.value;
  emit({
    type: 'attempt.started',
    worker: worker.id,
    adapter: adapter.name,
    model,
    pid,
    lastResort: order.lastResort,
  });
  const reader = adapter.reader({
    model,
    // Asked for when a time of day is to be read, which in most attempts none is.
    get zone() {
      return env['TZ'] ?? effects.zone;
    },
  });
  const watch = new Watch(discreet(reader, secretRemover(env)), order.patience);
  const run = await follow(started.value, watch, order, clock, emit);
  const own = watch.end(run.exit, clock.now());
  // A task that was done before we stopped it is done.
  const judged: Ending = own.type === 'done' ? own : (run.stopped ?? own);
  const trouble = watch.trouble?.kind;
  const ending =
    judged.type === 'refused'
      ? { ...judged, signal: withReading(judged.signal, adapter, env, effects) }
      : judged.type === 'stopped'
        ? { ...judged, trouble }
        : judged;
  if (ending.type === 'refused') emit(signalSeen(worker, ending.signal));
  const over = { ending, worker, adapter, env, conversation: run.progress.conversation, startedAt };
  for (const reading of closingReadings(over, effects)) emit(reading);
  if (watch.unknown.length > 0) emit({ type: 'attempt.unknown', worker: worker.id, unknown: watch.unknown });
  const endedAt = clock.now();
  emit({
    type: 'attempt.ended',
    worker: worker.id,
    outcome: outcomeOf(ending),
    reason: reasonOf(ending, run.killedBecause),
    exitCode: run.exit.code,
    killedBecause: run.killedBecause,
    durationMs: between(startedAt, endedAt),
    ...{ seat: worker.seat, costUsd: run.costUsd },
  });
  return {
    ending,
    progress: run.progress,
    busyMs: watch.busyMs(clock.monotonic()),
    startedAt,
    endedAt,
  };
}

function notStarted(order: AttemptOrder, failure: StartFailure, at: EpochMs, emit: EmitEvent): EndedAttempt {
  const ending = cannotStart(order.adapter, order.worker, failure);
  if (ending.type === 'refused') emit(signalSeen(order.worker, ending.signal));
  emit({
    type: 'attempt.ended',
    worker: order.worker.id,
    outcome: outcomeOf(ending),
    reason: reasonOf(ending, undefined),
    exitCode: undefined,
    killedBecause: undefined,
    durationMs: durationMs(0),
  });
  return { ending, progress: NOTHING_BEGUN, busyMs: durationMs(0), startedAt: at, endedAt: at };
}
