import type { Event } from '../core/event.ts';
import type { Exit, Line } from '../core/line.ts';
import type { AttemptProgress } from '../core/session.ts';
import type { DurationMs } from '../core/time.ts';
import { durationMs, formatDuration, MINUTE, SECOND } from '../core/time.ts';
import type { Child } from '../system/child.ts';
import type { Clock } from '../system/clock.ts';
import type { AttemptOrder } from './attempt-order.ts';
import { cutNote, eventOf } from './attempt-events.ts';
import type { Ending } from './ending.ts';
import { Transcript } from './transcript.ts';
import type { Watch } from './watch.ts';

/**
 * How long a CLI may be silent after it said that its task is done. Some never exit, held open by an MCP server or a
 * background tool (anthropics/claude-code#25629, #50777); others still wait for a subagent, and print as it works.
 */
const LINGER = MINUTE;

/** Whoever wakes so much later than asked for was not running. */
const WOKEN_LATE = durationMs(SECOND);

/** A child that was read to its end. */
export interface Run {
  readonly exit: Exit;
  readonly progress: AttemptProgress;
  readonly stopped: Ending | undefined;
  readonly killedBecause: string | undefined;
  /** What it cost by its CLI's own account, where it gives one. */
  readonly costUsd: number | undefined;
}

/** Reads a child to its end. The first reason to end it wins; what it prints after that counts for nothing. */
export async function follow(
  child: Child,
  watch: Watch,
  order: AttemptOrder,
  clock: Clock,
  emit: (event: Event) => void,
): Promise<Run> {
  const { worker, idleMs, abort, onProgress } = order;
  const transcript = new Transcript();
  let conversation: string | undefined;
  let stopped: Ending | undefined;
  let killedBecause: string | undefined;
  let costUsd: number | undefined;
  let lastLineAt = clock.monotonic();
  const heardNow = (): void => {
    lastLineAt = clock.monotonic();
  };
  let lingers = false;
  const finished = new AbortController();
  const progress = (): AttemptProgress => ({
    committed: watch.committed,
    conversation,
    ...transcript.summary(),
  });
  const told = { committed: false, all: true };

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
      heardNow,
      clock,
      finished.signal,
      () => {
        end(`it printed nothing for ${formatDuration(idleMs)}`, { type: 'stopped', because: 'idle' });
      },
    );
  }

  const take = (line: Line): void => {
    if (killedBecause !== undefined) return;
    if (line.cut === true) emit({ type: 'attempt.note', worker: worker.id, text: cutNote(line) });
    const { observations, end: signal } = watch.push(line);
    for (const observation of observations) {
      transcript.add(observation);
      if (observation.type === 'conversation') conversation = observation.id;
      if (observation.type === 'conversation' || observation.type === 'tool') told.all = false;
      if (observation.type === 'cost') costUsd = observation.usd;
      const event = eventOf(observation, worker, transcript);
      // Of a retry that we do not let happen there is nothing to tell.
      if (event !== undefined && !(event.type === 'attempt.retrying' && signal !== undefined)) emit(event);
    }
    if (told.committed !== watch.committed) told.all = false;
    told.committed = watch.committed;
    if (signal !== undefined) end(signal.reason);
    if (watch.finished && !lingers) {
      lingers = true;
      void whenIdle(
        LINGER,
        () => lastLineAt,
        heardNow,
        clock,
        finished.signal,
        () => {
          end('it had finished its task and did not exit');
        },
      );
    }
  };

  const telling = () => watch.telling;
  for await (const { channel, lines } of child.chunks) {
    heardNow();
    for (const line of channel === 'stdout' ? lines(telling) : lines()) take(line);
    // What was read together is told of together.
    if (!told.all) onProgress(progress());
    told.all = true;
  }
  const exit = await child.exited;
  // Whoever it left behind goes with it.
  await child.end();
  finished.abort();
  abort.removeEventListener('abort', onAbort);
  return {
    exit,
    progress: progress(),
    stopped,
    killedBecause: wasKilled(exit) ? killedBecause : undefined,
    costUsd,
  };
}

async function whenIdle(
  idleMs: DurationMs,
  lastLineAt: () => DurationMs,
  heardNow: () => void,
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
    const since = clock.monotonic();
    await clock.sleep(durationMs(left), finished);
    // Stopped, or asleep with the whole machine: what was printed meanwhile could not be read, so the silence begins anew.
    if (clock.monotonic() - since - left > WOKEN_LATE) heardNow();
  }
}

/**
 * A child that was about to go by itself may be quicker than our signal: then it went by itself, with its own failure.
 * Zero is a CLI that tidies up when it is asked to end.
 */
function wasKilled({ code, signal }: Exit): boolean {
  return signal !== undefined || code === 0 || code === 128 + 15 || code === 128 + 9;
}
