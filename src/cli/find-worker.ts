import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { didYouMean } from '../core/similar.ts';
import type { Worker } from '../core/worker.ts';
import { roster } from '../fleet/roster.ts';
import { ADAPTER_NAMES } from '../workers/registry.ts';
import type { Io } from './io.ts';
import type { Refusal } from '../library/host.ts';
import { readSettings } from '../library/settings.ts';

/** The worker of that name, as the configuration of this place says it. */
export async function findWorker(io: Io, name: string): Promise<Result<Worker, Refusal>> {
  const settings = await readSettings(io.stateHome, io.directory);
  if (!settings.ok) return settings;
  const configured = settings.value.user.workers;
  const fleet = roster({ configured, adapters: ADAPTER_NAMES, asked: [name], isInstalled: () => false });
  if (!fleet.ok) {
    const { known } = fleet.error;
    const message = `there is no worker '${name}'${didYouMean(name, known)}; there are ${known.join(', ')}.`;
    return err({ reason: 'usage', message });
  }
  const [worker] = fleet.value;
  return worker === undefined
    ? err({ reason: 'usage', message: 'expected the name of a worker.' })
    : ok(worker);
}
