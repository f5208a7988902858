import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { Worker } from '../core/worker.ts';
import { roster } from '../fleet/roster.ts';
import { ADAPTER_NAMES } from '../workers/registry.ts';
import type { Io } from './io.ts';
import type { Refusal } from '../library/host.ts';
import { whyNoWorker } from '../library/plan.ts';
import { readSettings } from '../library/settings.ts';

/** The worker of that name, as the configuration of this place says it. */
export async function findWorker(io: Io, name: string): Promise<Result<Worker, Refusal>> {
  const settings = await readSettings(io.stateHome, io.directory);
  if (!settings.ok) return settings;
  const configured = settings.value.user.workers;
  const fleet = roster({ configured, adapters: ADAPTER_NAMES, asked: [name], isInstalled: () => false });
  if (!fleet.ok) return err({ reason: 'usage', message: whyNoWorker(fleet.error) });
  const [worker] = fleet.value;
  return worker === undefined
    ? err({ reason: 'usage', message: 'expected the name of a worker.' })
    : ok(worker);
}
