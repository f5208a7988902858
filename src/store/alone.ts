import type { Result } from '../core/result.ts';
import { err } from '../core/result.ts';
import type { DurationMs } from '../core/time.ts';
import type { Clock } from '../system/clock.ts';
import { prepareTarget } from '../system/state-folder.ts';
import { causeOf, isSystemError } from '../system/system-error.ts';

/** Does `work` while no other process does the work of that path; fails, without having begun, when it never is our turn. */
export async function whileAlone<Value>(
  path: string,
  options: { readonly clock: Clock; readonly waitAtMost: DurationMs },
  work: () => Promise<Value>,
): Promise<Result<Value, string>> {
  let target: string;
  try {
    target = prepareTarget(path);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return err(causeOf(error));
  }
  // Who only looks takes no lock, and loads none.
  const { withLock } = await import('../system/lock.ts');
  const outcome = await withLock(target, options, work);
  return outcome.ok ? outcome : err(outcome.error.message);
}
