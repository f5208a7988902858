import type { Event } from '../core/event.ts';
import type { Exit } from '../core/line.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { between, durationMs, formatDuration, MINUTE } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { Child, StartChild, StartFailure } from '../system/child.ts';
import type { Clock } from '../system/clock.ts';
import type { Variables } from '../system/environment.ts';
import type { Adapter, Assignment } from './adapter.ts';
import type { NewestReading } from './closed-window.ts';
import { cutNote, eventOf, outcomeOf, reasonOf, signalSeen } from './attempt-events.ts';
import { withReading } from './closed-window.ts';
import { childEnvironment, expandHome } from './child-environment.ts';
import type { Ending } from './ending.ts';
import { cannotStart } from './start-failure.ts';
import { Transcript } from './transcript.ts';
import type { Patience } from './watch.ts';
import { Watch } from './watch.ts';

export interface AttemptOrder {
  readonly adapter: Adapter;
  readonly worker: Worker;
  readonly assignment: Assignment;
  readonly directory: string;
  readonly patience: Patience;
  /** End it when nothing was printed for so long. */
  readonly idleMs: DurationMs | undefined;
  /** Aborted when the session is to stop: the child ends first. */
  readonly abort: AbortSignal;
}

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
  /** Work was begun: the same prompt must not be sent again. */
  readonly committed: boolean;
  /** The CLI's own conversation, where it named one. */
  readonly conversation: string | undefined;
  readonly transcript: Transcript;
  /** How long its CLI had been waiting for a busy provider when it ended. */
  readonly busyMs: DurationMs;
  readonly startedAt: EpochMs;
  readonly endedAt: EpochMs;
}

/**
 * How long a CLI may be silent after it said that its task is done. Some never exit, held open by an MCP server or a
 * background tool (anthropics/claude-code#25629, #50777); others still wait for a subagent, and print as it works.
 */
const LINGER = MINUTE;

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
  });
  const watch = new Watch(adapter.reader({ zone: env['TZ'] ?? effects.zone, model }), order.patience);
  const run = await follow(started.value, watch, order, clock, emit);
  const own = watch.end(run.exit, clock.now());
  // A task that was done before we stopped it is done.
  const judged: Ending = own.type === 'done' ? own : (run.stopped ?? own);
  const ending =
    judged.type === 'refused'
      ? { ...judged, signal: withReading(judged.signal, adapter, env, effects) }
      : judged;
  if (ending.type === 'refused') emit(signalSeen(worker, ending.signal));
  const endedAt = clock.now();
  emit({
    type: 'attempt.ended',
    worker: worker.id,
    outcome: outcomeOf(ending),
    reason: reasonOf(ending, run.killedBecause),
    exitCode: run.exit.code,
    killedBecause: run.killedBecause,
    durationMs: between(startedAt, endedAt),
  });
  const { conversation, transcript } = run;
  return {
    ending,
    committed: watch.committed,
    conversation,
    transcript,
    busyMs: watch.busyMs(clock.monotonic()),
    startedAt,
    endedAt,
  };
}

interface Run {
  readonly exit: Exit;
  readonly conversation: string | undefined;
  readonly transcript: Transcript;
  readonly stopped: Ending | undefined;
  readonly killedBecause: string | undefined;
}

/** Reads a child to its end. The first reason to end it wins; what it prints after that counts for nothing. */
async function follow(
  child: Child,
  watch: Watch,
  order: AttemptOrder,
  clock: Clock,
  emit: EmitEvent,
): Promise<Run> {
  const { worker, idleMs, abort } = order;
  const transcript = new Transcript();
  let conversation: string | undefined;
  let stopped: Ending | undefined;
  let killedBecause: string | undefined;
  let lastLineAt = clock.monotonic();
  let lingers = false;
  const finished = new AbortController();

  const end = (because: string, ending?: Ending): void => {
    if (killedBecause !== undefined) return;
    killedBecause = because;
    stopped = ending;
    void child.end();
  };
  const onAbort = (): void => {
    end(abort.reason === 'timeout' ? 'the time for the task is up' : 'secondwind was told to stop', {
      type: 'stopped',
      because: 'aborted',
    });
  };
  abort.addEventListener('abort', onAbort, { once: true });
  if (abort.aborted) onAbort();
  if (idleMs !== undefined) {
    void whenIdle(
      idleMs,
      () => lastLineAt,
      clock,
      finished.signal,
      () => {
        end(`it printed nothing for ${formatDuration(idleMs)}`, { type: 'stopped', because: 'idle' });
      },
    );
  }

  for await (const line of child.lines) {
    lastLineAt = clock.monotonic();
    if (killedBecause !== undefined) continue;
    if (line.cut === true) emit({ type: 'attempt.note', worker: worker.id, text: cutNote(line) });
    const { observations, end: signal } = watch.push(line);
    for (const observation of observations) {
      transcript.add(observation);
      if (observation.type === 'conversation') conversation = observation.id;
      const event = eventOf(observation, worker, transcript);
      // Of a retry that we do not let happen there is nothing to tell.
      if (event !== undefined && !(event.type === 'attempt.retrying' && signal !== undefined)) emit(event);
    }
    if (signal !== undefined) end(signal.reason);
    if (watch.finished && !lingers) {
      lingers = true;
      void whenIdle(
        LINGER,
        () => lastLineAt,
        clock,
        finished.signal,
        () => {
          end('it had finished its task and did not exit');
        },
      );
    }
  }
  const exit = await child.exited;
  // Whoever it left behind goes with it.
  await child.end();
  finished.abort();
  abort.removeEventListener('abort', onAbort);
  return {
    exit,
    conversation,
    transcript,
    stopped,
    killedBecause: wasKilled(exit) ? killedBecause : undefined,
  };
}

async function whenIdle(
  idleMs: DurationMs,
  lastLineAt: () => DurationMs,
  clock: Clock,
  finished: AbortSignal,
  then: () => void,
): Promise<void> {
  for (;;) {
    const left = lastLineAt() + idleMs - clock.monotonic();
    if (finished.aborted) return;
    if (left <= 0) {
      then();
      return;
    }
    await clock.sleep(durationMs(left), finished);
  }
}

/**
 * A child that was about to go by itself may be quicker than our signal: then it went by itself, with its own failure.
 * Zero is a CLI that tidies up when it is asked to end.
 */
function wasKilled({ code, signal }: Exit): boolean {
  return signal !== undefined || code === 0 || code === 128 + 15 || code === 128 + 9;
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
  const nothing = {
    committed: false,
    conversation: undefined,
    transcript: new Transcript(),
    busyMs: durationMs(0),
  };
  return { ending, ...nothing, startedAt: at, endedAt: at };
}
