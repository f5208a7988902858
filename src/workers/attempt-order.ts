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
  /** End it when nothing was printed for so long. */
  readonly idleMs: DurationMs | undefined;
  /** Aborted when the session is to stop: the child ends first. */
  readonly abort: AbortSignal;
}
