import type { SessionId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';
import type { DurationMs } from '../core/time.ts';
import type { Outcome } from '../fleet/dispatch.ts';
import type { ToldEvent } from './event.ts';
import { EventQueue } from './event-queue.ts';
import type { Home } from './home.ts';
import type { Refusal } from './host.ts';
import type { SessionRun } from './play-session.ts';
import { playSession } from './play-session.ts';
import { stopper } from './stop.ts';
import { toldOutcome } from './told.ts';

/** How a run ended; `refused`: it did not begin. */
export type RunOutcome = Outcome | { readonly type: 'refused'; readonly refusal: Refusal };

/**
 * A session on its way. It goes on whether anybody watches or not; the `signal` it was started with stops it. Iterating
 * gives its events from the first to the last, once: a reader who leaves the loop hears no more, and one who is slow misses
 * some of what the agent says, never what happens to the session.
 */
export interface Run extends AsyncIterable<ToldEvent> {
  /** What `resume` takes. */
  readonly session: SessionId;
  /** Resolves when its last child is gone and the session is saved. It rejects for bugs only. */
  readonly outcome: Promise<RunOutcome>;
  /** Resolves with whether the session was saved as it is now, so that `resume` finds it. */
  readonly isSaved: () => Promise<boolean>;
}

export interface StartOptions {
  readonly session: SessionId;
  /** Ends the run; with a timeout's reason (`AbortSignal.timeout`) it counts as timed out. */
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: DurationMs | undefined;
  /** Called when it is over. */
  readonly leave: (() => void) | undefined;
  /** What has to be true before it begins. */
  readonly prepare: (abort: AbortSignal) => Promise<Result<SessionRun, Refusal>>;
}

export function startRun(home: Home, options: StartOptions): Run {
  const { host, memory } = home;
  const { session, signal, timeoutMs, leave, prepare } = options;
  const events = new EventQueue();

  let saved: Promise<boolean> | undefined;

  async function play(abort: AbortSignal): Promise<RunOutcome> {
    await home.ready();
    const run = await prepare(abort);
    if (!run.ok) return { type: 'refused', refusal: run.error };
    const { keepMs } = run.value.plan;
    const outcome = await playSession(home, run.value, abort, (event) => {
      // Once somebody is at work: nobody is kept waiting by what is old.
      if (event.type === 'attempt.started') home.tidy(keepMs);
      events.push(event);
    });
    home.tidy(keepMs);
    return toldOutcome(outcome);
  }

  async function playWithin(): Promise<RunOutcome> {
    const { abort, release } = stopper(host.clock, signal, timeoutMs);
    try {
      return await play(abort);
    } finally {
      release();
      saved = memory.store.saved(session);
      await saved;
      memory.store.forget(session);
      leave?.();
      events.end();
    }
  }

  return {
    ...{ session, outcome: playWithin(), isSaved: () => saved ?? memory.store.saved(session) },
    [Symbol.asyncIterator]: () => events.read(),
  };
}
