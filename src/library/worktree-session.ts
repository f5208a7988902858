import type { SessionRecord } from '../core/session.ts';
import { NOTHING_BEGUN } from '../core/session.ts';
import { durationMs } from '../core/time.ts';
import type { Result } from '../core/result.ts';
import type { DispatchEffects } from '../fleet/dispatch.ts';
import type { Ending } from '../workers/ending.ts';
import type { Host, Refusal } from './host.ts';
import { openWorktree } from './worktree.ts';

/**
 * Attempts in the session's worktree, if it is to have one. It is made when the first of them is about to start, and the
 * session is on the disk by then: who finds nobody to work leaves none behind, and one that a killed secondwind has made
 * is some session's.
 */
export function inItsPlace(
  host: Host,
  session: SessionRecord,
  abort: AbortSignal,
  attempt: DispatchEffects['attempt'],
): DispatchEffects['attempt'] {
  let place: Promise<Result<void, Refusal>> | undefined;
  return async (...order) => {
    const entered = await (place ??= openWorktree(host, session, abort));
    if (entered.ok) return attempt(...order);
    const now = host.clock.now();
    const ending: Ending = abort.aborted
      ? { type: 'stopped', because: 'aborted' }
      : { type: 'failed', reason: entered.error.message, evidence: '', recognised: true };
    return { ending, progress: NOTHING_BEGUN, busyMs: durationMs(0), startedAt: now, endedAt: now };
  };
}
