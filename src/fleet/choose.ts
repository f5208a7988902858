import type { EpochMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { Situation, Skipped } from './order.ts';
import { earliest, order } from './order.ts';

/** Who takes the task now. Never an empty answer: everybody who was passed over is in it, with the reason. */
export type Choice =
  | { readonly type: 'worker'; readonly worker: Worker; readonly skipped: readonly Skipped[] }
  /** Somebody comes back: by itself at `earliest`, or (`undefined`) when a person clears it or the provider recovers. */
  | { readonly type: 'resting'; readonly skipped: readonly Skipped[]; readonly earliest: Return | undefined }
  /** None is installed, or none is logged in. */
  | { readonly type: 'nobody'; readonly skipped: readonly Skipped[] };

export interface Return {
  readonly worker: Worker;
  readonly at: EpochMs;
}

/** `preferred` is the worker that the session is on: it stays there until hard evidence moves it. */
export function choose(situation: Situation, preferred: Worker | undefined): Choice {
  const { candidates, skipped } = order(situation);
  const worker = candidates.find(({ id }) => id === preferred?.id) ?? candidates[0];
  if (worker !== undefined) return { type: 'worker', worker, skipped };
  if (skipped.every(isForPersons)) return { type: 'nobody', skipped };
  const first = earliest(skipped.filter((one) => !isForPersons(one)));
  return {
    type: 'resting',
    skipped,
    earliest: first?.until === undefined ? undefined : { worker: first.worker, at: first.until },
  };
}

/** Not installed or not logged in: the length of its rest is no promise that it comes back. */
function isForPersons({ kind }: Skipped): boolean {
  return kind === 'cli-unavailable' || kind === 'auth-failure';
}
