import type { Worker } from '../core/worker.ts';
import type { Situation, Skipped } from './order.ts';
import { order } from './order.ts';

/**
 * Everybody who can be given a task of their own now, in the fleet's order: whose gate is open and whose program is
 * there. Who is unhealthy is asked all the same, since nobody stands in for anybody; who is busy is waited for.
 */
export function available(situation: Situation): {
  readonly workers: readonly Worker[];
  readonly skipped: readonly Skipped[];
} {
  const { candidates, skipped } = order(situation);
  const isAvailable = ({ because }: Skipped): boolean => because === 'unhealthy' || because === 'busy';
  const all = new Set([...candidates, ...skipped.filter(isAvailable).map(({ worker }) => worker)]);
  return {
    workers: situation.fleet.filter((worker) => all.has(worker)),
    skipped: skipped.filter((one) => !isAvailable(one)),
  };
}
