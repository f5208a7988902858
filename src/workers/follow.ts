import type { Event } from '../core/event.ts';
import type { Exit, Line } from '../core/line.ts';
import type { AttemptProgress } from '../core/session.ts';
import { formatDuration, MINUTE } from '../core/time.ts';
import type { Child } from '../system/child.ts';
import type { Clock } from '../system/clock.ts';
import type { AttemptOrder } from './attempt-order.ts';
import { cutNote, eventOf } from './attempt-events.ts';
import type { Ending } from './ending.ts';
import { silenceOf } from './silence.ts';
import { Transcript } from './transcript.ts';
import type { Watch } from './watch.ts';

/**
 * How long a CLI may be silent after it said that its task is done. Some never exit, held open by an MCP server or a
 * background tool (anthropics/claude-code#25629, #50777); others still wait for a subagent, and print as it works.
 */
const LINGER = MINUTE;

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
  let lingers = false;
  const finished = new AbortController();
  const silence = silenceOf(clock, finished.signal);
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
    void silence.whenAsLongAs(idleMs, () => {
      end(`it printed nothing for ${formatDuration(idleMs)}`, { type: 'stopped', because: 'idle' });
    });
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
      void silence.whenAsLongAs(LINGER, () => {
        end('it had finished its task and did not exit');
      });
    }
  };

  const telling = () => watch.telling;
  for await (const { channel, lines } of child.chunks) {
    silence.heardNow();
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

/**
 * A child that was about to go by itself may be quicker than our signal: then it went by itself, with its own failure.
 * Zero is a CLI that tidies up when it is asked to end.
 */
function wasKilled({ code, signal }: Exit): boolean {
  return signal !== undefined || code === 0 || code === 128 + 15 || code === 128 + 9;
}
