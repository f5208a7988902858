import type { DurationMs } from '../core/time.ts';
import { durationMs } from '../core/time.ts';
import type { Clock } from './clock.ts';

// Ctrl-Z: our children lead sessions of their own, so the terminal's SIGTSTP stops nobody but us, and an agent would go on
// with what a person has just stopped.

/** Somebody who is stopped with this process, and goes on with it. */
interface Companion {
  readonly stop: () => void;
  readonly goOn: () => void;
}

const companions = new Set<Companion>();
let suspended = 0;

/** Returns how to take it off again. */
export function stoppedWithUs(companion: Companion): () => void {
  companions.add(companion);
  return () => companions.delete(companion);
}

/** For how long this process has been stopped from its terminal, in all. */
function suspendedMs(): DurationMs {
  return durationMs(suspended);
}

/** The monotonic clock without the time for which this process was stopped from its terminal. */
export function awakeTime(
  clock: Pick<Clock, 'monotonic'>,
  stoppedFor: () => DurationMs = suspendedMs,
): () => DurationMs {
  return () => durationMs(clock.monotonic() - stoppedFor());
}

/** From now on Ctrl-Z stops whoever is to be stopped with us first, and then us; `fg` and `bg` let all go on. Returns how to undo that. */
export function onSuspend(clock: Pick<Clock, 'monotonic'>): () => void {
  const suspend = (): void => {
    for (const { stop } of companions) stop();
    const since = clock.monotonic();
    // By the system's own handling, which stops nobody whom no shell could let go on.
    process.off('SIGTSTP', suspend);
    process.kill(process.pid, 'SIGTSTP');
    process.on('SIGTSTP', suspend);
    suspended += clock.monotonic() - since;
    for (const { goOn } of companions) goOn();
  };
  process.on('SIGTSTP', suspend);
  return () => process.off('SIGTSTP', suspend);
}

/** Sleeps as a clock does, but only the time counts in which this process is not stopped. */
export async function sleepAwake(
  clock: Pick<Clock, 'monotonic' | 'sleep'>,
  duration: DurationMs,
  signal: AbortSignal | undefined,
  stoppedFor?: () => DurationMs,
): Promise<void> {
  // Not what it was stopped for once more: a stop that outlasts the sleep takes only the rest of it.
  const awake = awakeTime(clock, stoppedFor);
  const until = awake() + duration;
  for (let left: number = duration; left > 0 && signal?.aborted !== true; left = until - awake())
    await clock.sleep(durationMs(left), signal);
}
