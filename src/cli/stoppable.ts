import { abortForMany } from '../system/abort.ts';
import { systemClock } from '../system/clock.ts';
import { onSuspend } from '../system/suspend.ts';
import type { StopSignal } from '../system/process.ts';
import { exitNow, hasten, onStopSignals, STOP_SIGNALS } from '../system/process.ts';

/**
 * Does `work`, which a signal stops: the first one aborts it, so that its children are ended before we are; a second one
 * kills them without a word, and the work is still brought to its end, so that what is to be remembered is; a third one
 * ends everything at once. Resolves with the work's own exit code, or that of the first signal.
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
    (signal, count) => {
      if (count === 2) hasten();
      else exitNow(STOP_SIGNALS[signal]);
    },
  );
  const unsuspend = onSuspend(systemClock);
  const code = await work(stop.signal, stop);
  unsuspend();
  // An impatient one more, while the last of the output goes out, must not change the code.
  if (stoppedBy !== undefined) return STOP_SIGNALS[stoppedBy];
  takeOff();
  return code;
}
