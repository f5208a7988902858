import type { Policy } from '../core/policy.ts';
import type { DurationMs } from '../core/time.ts';
import type { Permissions, Worker } from '../core/worker.ts';
import type { Adapter } from '../workers/adapter.ts';

/** What a `run` was asked to do, resolved: nothing in it is a name any more. */
export interface RunPlan {
  readonly fleet: readonly Worker[];
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly policy: Policy;
  readonly permissions: Permissions;
  readonly model: string | undefined;
  readonly extraArgs: readonly string[];
  readonly directory: string;
  readonly idleMs: DurationMs | undefined;
}

export function adapterOf({ adapters }: Pick<RunPlan, 'adapters'>, worker: Pick<Worker, 'adapter'>): Adapter {
  const adapter = adapters.get(worker.adapter);
  if (adapter === undefined) throw new Error(`Internal error: the adapter ${worker.adapter} was not loaded`);
  return adapter;
}
