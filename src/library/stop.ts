import type { DurationMs } from '../core/time.ts';
import { abortForMany } from '../system/abort.ts';
import type { Clock } from '../system/clock.ts';
import { sleepAwake } from '../system/suspend.ts';

/** What stops a run. */
interface Stopper {
  readonly abort: AbortSignal;
  /** Lets go of the caller's signal and of the timer. */
  readonly release: () => void;
}

/** One signal out of the caller's and the time allowed; its reason says which it was, in the words that a session's end goes by. */
export function stopper(
  clock: Clock,
  signal: AbortSignal | undefined,
  timeoutMs: DurationMs | undefined,
): Stopper {
  const [stop, over] = [abortForMany(), new AbortController()];
  const forget =
    signal &&
    whenAborted(signal, () => {
      stop.abort(isTimeout(signal.reason) ? 'timeout' : 'interrupted');
    });
  if (timeoutMs !== undefined)
    void sleepAwake(clock, timeoutMs, over.signal).then(() => {
      if (!over.signal.aborted) stop.abort('timeout');
    });
  return {
    abort: stop.signal,
    release: () => {
      over.abort();
      forget?.();
    },
  };
}

/** Whom each signal stops. One listener of ours is on it: the signal is the caller's, and Node warns on stderr from the eleventh on. */
const stops = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `stop` when the signal is aborted, at once if it is. Returns how to forget that. */
function whenAborted(signal: AbortSignal, stop: () => void): () => void {
  if (signal.aborted) {
    stop();
    return () => undefined;
  }
  const known = stops.get(signal);
  const all = known ?? new Set();
  if (known === undefined) {
    stops.set(signal, all);
    signal.addEventListener('abort', onAbort, { once: true });
  }
  all.add(stop);
  return () => {
    all.delete(stop);
    if (all.size > 0) return;
    signal.removeEventListener('abort', onAbort);
    stops.delete(signal);
  };
}

function onAbort(this: AbortSignal): void {
  for (const stop of stops.get(this) ?? []) stop();
}

function isTimeout(reason: unknown): boolean {
  return reason === 'timeout' || (reason instanceof DOMException && reason.name === 'TimeoutError');
}
