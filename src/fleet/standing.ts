import type { Unhealthy } from '../core/health.ts';
import type { KnownWorker } from '../core/worker.ts';
import type { Situation, Skipped } from './order.ts';
import { order } from './order.ts';

/** Where one worker stands now: its place among those who would be asked, or why it is not among them. */
export type Standing =
  | {
      readonly type: 'candidate';
      readonly worker: KnownWorker;
      /** From 1: who would be asked first. */
      readonly place: number;
      /** It is unhealthy, and stands behind those who are not. */
      readonly trouble: Unhealthy | undefined;
      /** It is unhealthy, and nobody healthy is there to be asked in its place. */
      readonly lastResort: boolean;
    }
  | { readonly type: 'skipped'; readonly worker: KnownWorker; readonly why: Skipped };

/** Everybody of the fleet, in the order in which they would be asked; then the others, the first back first. */
export function standings(situation: Situation): readonly Standing[] {
  const { candidates, ill, lastResorts, skipped } = order(situation);
  return [
    ...candidates.map((worker, index): Standing => ({
      ...{ type: 'candidate', worker, place: index + 1 },
      ...{ trouble: ill.get(worker.id), lastResort: lastResorts.has(worker.id) },
    })),
    ...skipped
      .toSorted((a, b) => backAt(a) - backAt(b))
      .map((why): Standing => ({ type: 'skipped', worker: why.worker, why })),
  ];
}

function backAt({ until }: Skipped): number {
  return until ?? Number.MAX_VALUE;
}
