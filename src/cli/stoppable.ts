import { abortForMany } from '../system/abort.ts';
import type { StopSignal } from '../system/process.ts';
import { exitNow, onStopSignals, STOP_SIGNALS } from '../system/process.ts';

/**
 * Does `work`, which a signal stops: the first one aborts it, so that its children are ended before we are, a second
 * one ends everything at once. Resolves with the work's own exit code, or that of the signal.
 */
export async function stoppable(
  work: (abort: AbortSignal, stop: AbortController) => Promise<number>,
): Promise<number> {
  const stop = abortForMany();
  let stoppedBy: StopSignal | undefined;
  const takeOff = onStopSignals(
    (signal) => {
      stoppedBy = signal;
      stop.abort(signal);
    },
    (signal) => exitNow(STOP_SIGNALS[signal]),
  );
  const code = await work(stop.signal, stop);
  takeOff();
  return stoppedBy === undefined ? code : STOP_SIGNALS[stoppedBy];
}
