import type { WorkerId } from '../core/ids.ts';
import type { EpochMs } from '../core/time.ts';
import type { KnownWorker, Worker } from '../core/worker.ts';
import type { Order, Situation, Skipped } from './order.ts';
import { earliest, order, passedOver } from './order.ts';

/** Who takes the task now. Never an empty answer: everybody who was passed over is in it, with the reason. */
export type Choice =
  | {
      readonly type: 'worker';
      readonly worker: Worker;
      /** It is unhealthy, and chosen because so is everybody who could take the task instead. */
      readonly lastResort: boolean;
      readonly skipped: readonly Skipped[];
    }
  /** Somebody comes back: by itself at `earliest`, or (`undefined`) when a person clears it or the provider recovers. */
  | { readonly type: 'resting'; readonly skipped: readonly Skipped[]; readonly earliest: Return | undefined }
  /** Somebody may take it as soon as one of the attempts that run now is further on, or over. */
  | { readonly type: 'busy'; readonly worker: KnownWorker; readonly skipped: readonly Skipped[] }
  /** None is installed, or none is logged in. */
  | { readonly type: 'nobody'; readonly skipped: readonly Skipped[] };

export interface Return {
  readonly worker: KnownWorker;
  readonly at: EpochMs;
}

/**
 * `preferred` is the worker that the session is on: it stays there until hard evidence moves it, and what others met
 * with the same provider is not that.
 */
export function choose(situation: Situation, preferred: WorkerId | undefined): Choice {
  const ranked = order(situation);
  const { candidates, lastResorts, skipped } = ranked;
  const busy = skipped.filter(({ because }) => because === 'busy').map(({ worker }) => worker);
  const own = busy.find(({ id }) => id === preferred);
  if (own !== undefined) return { type: 'busy', worker: own, skipped };
  const worker = candidates.find(({ id }) => id === preferred) ?? candidates[0];
  if (worker !== undefined) {
    const lastResort = lastResorts.has(worker.id);
    const over = worker.id === preferred ? [] : inFrontOf(worker, situation, ranked);
    return { type: 'worker', worker, lastResort, skipped: [...skipped, ...over] };
  }
  const [first] = busy;
  if (first !== undefined) return { type: 'busy', worker: first, skipped };
  if (skipped.every(isForPersons)) return { type: 'nobody', skipped };
  const next = earliest(skipped.filter((one) => !isForPersons(one)));
  return {
    type: 'resting',
    skipped,
    earliest: next?.until === undefined ? undefined : { worker: next.worker, at: next.until },
  };
}

/** The unhealthy who would have been asked before `chosen`, had it been for the fleet's order alone. */
function inFrontOf(chosen: Worker, { fleet }: Situation, { candidates, ill }: Order): readonly Skipped[] {
  return candidates.flatMap((worker) => {
    const trouble = ill.get(worker.id);
    const isInFront = fleet.indexOf(worker) < fleet.indexOf(chosen);
    return trouble !== undefined && isInFront ? [passedOver(worker, trouble)] : [];
  });
}

/** Not installed or not logged in: the length of its rest is no promise that it comes back. */
function isForPersons({ kind }: Skipped): boolean {
  return kind === 'cli-unavailable' || kind === 'auth-failure';
}
