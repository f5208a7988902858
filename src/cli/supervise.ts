import type { DurationMs } from '../core/time.ts';
import { endAbandoned } from './effects.ts';
import { hooksOver } from './hooks.ts';
import type { Io } from './io.ts';
import { stoppable } from './stoppable.ts';

/**
 * Does `work`, which starts the children of sessions: a signal stops it, and so does `timeout`. First it ends what an
 * earlier secondwind that was killed has left running. Resolves with the exit code.
 */
export function supervise(
  io: Io,
  timeout: DurationMs | undefined,
  work: (abort: AbortSignal) => Promise<number>,
): Promise<number> {
  return stoppable(async (abort, stop) => {
    if (timeout !== undefined) {
      void io.clock.sleep(timeout, abort).then(() => {
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
    const code = await work(abort);
    await hooksOver(io.clock);
    // Lets a sleeping timeout go.
    stop.abort('over');
    return code;
  });
}
