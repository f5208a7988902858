import type { DurationMs } from '../core/time.ts';
import { abortForMany } from '../system/abort.ts';
import type { StopSignal } from '../system/process.ts';
import { exitNow, onStopSignals, STOP_SIGNALS } from '../system/process.ts';
import { endAbandoned } from './effects.ts';
import { hooksOver } from './hooks.ts';
import type { Io } from './io.ts';

/**
 * Does `work`, which starts children, so that it can be stopped: by a signal, which ends the children first, at once
 * by a second one, or by `timeout`. Resolves with the exit code: the work's own, or that of the signal.
 */
export async function supervise(
  io: Io,
  timeout: DurationMs | undefined,
  work: (abort: AbortSignal) => Promise<number>,
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
  if (timeout !== undefined) {
    void io.clock.sleep(timeout, stop.signal).then(() => {
      stop.abort('timeout');
    });
  }
  // A refusal in the small hours must find the code that records it, whatever was upgraded meanwhile.
  await Promise.all([
    import('../store/state-update.ts'),
    import('../store/cooldown-schema.ts'),
    import('../store/session-schema.ts'),
  ]);
  const left = await endAbandoned(io);
  if (left > 0)
    io.terminal.err(
      `secondwind: ended what ${String(left)} earlier attempt${left === 1 ? '' : 's'} had left running.\n`,
    );
  const code = await work(stop.signal);
  await hooksOver(io.clock);
  takeOff();
  // Lets a sleeping timeout go.
  stop.abort('over');
  return stoppedBy === undefined ? code : STOP_SIGNALS[stoppedBy];
}
