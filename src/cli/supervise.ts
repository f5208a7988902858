import type { Home } from '../library/home.ts';
import { stoppable } from './stoppable.ts';

/** Does `work`, which runs sessions in this home; a signal stops it. Resolves with the exit code, when no hook is at work any more. */
export function supervise(home: Home, work: (abort: AbortSignal) => Promise<number>): Promise<number> {
  return stoppable(async (abort) => {
    const code = await work(abort);
    await home.close();
    return code;
  });
}
