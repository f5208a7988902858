import type { AttemptProgress } from '../core/session.ts';
import type { DurationMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { Adapter, Assignment } from './adapter.ts';
import type { Patience } from './watch.ts';

export interface AttemptOrder {
  readonly adapter: Adapter;
  readonly worker: Worker;
  readonly assignment: Assignment;
  readonly directory: string;
  readonly patience: Patience;
  /** Told to whoever watches: everybody who could be asked is unhealthy. */
  readonly lastResort: boolean;
  /** End it when nothing was printed for so long. */
  readonly idleMs: DurationMs | undefined;
  /** Aborted when the session is to stop: the child ends first. */
  readonly abort: AbortSignal;
  /** Told whenever there is more to remember of the attempt, should this process be killed. */
  readonly onProgress: (progress: AttemptProgress) => void;
}
