import type { Policy } from '../core/policy.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { Rule } from '../core/rule.ts';
import { didYouMean } from '../core/similar.ts';
import type { DurationMs } from '../core/time.ts';
import type { Permissions, Worker } from '../core/worker.ts';
import type { UnknownWorker } from '../fleet/roster.ts';
import { roster } from '../fleet/roster.ts';
import { retentionOf } from '../store/retention.ts';
import { absolutePath, isDirectory } from '../system/input.ts';
import { findProgram } from '../system/which.ts';
import type { Adapter } from '../workers/adapter.ts';
import { ADAPTER_NAMES, loadAdapter } from '../workers/registry.ts';
import type { Hooks } from './hooks.ts';
import type { Host, Refusal } from './host.ts';
import type { FleetOptions } from './options.ts';
import { checkOptions } from './check-options.ts';
import type { Settings } from './settings.ts';
import { askedFor, permissionsOf, policyOf, readSettings } from './settings.ts';

/** What a fleet is asked to do, resolved: nothing in it is a name any more. */
export interface Plan {
  readonly fleet: readonly Worker[];
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly policy: Policy;
  readonly permissions: Permissions;
  readonly model: string | undefined;
  /** A free look at a worker's quota before it is given the task. */
  readonly preflight: boolean;
  readonly extraArgs: readonly string[];
  readonly directory: string;
  readonly timeoutMs: DurationMs | undefined;
  readonly idleMs: DurationMs | undefined;
  /** Commands to run at events, of the operator's own file only. */
  readonly hooks: Hooks;
  /** The workers asked for by name, where they were. */
  readonly named: readonly string[] | undefined;
  readonly rules?: readonly Rule[];
  /** How often the windows are asked for while it lasts; `undefined`: never. */
  readonly pollMs?: DurationMs | undefined;
  /** How long what was done is remembered. */
  readonly keepMs: DurationMs;
}

export async function planOf(host: Host, options: FleetOptions): Promise<Result<Plan, Refusal>> {
  const checked = checkOptions(options);
  if (!checked.ok) return checked;
  const { model, preflight = false, extraArgs = [], timeoutMs, idleTimeoutMs } = checked.value;
  const directory = absolutePath(options.directory ?? '.', host.directory);
  if (!isDirectory(directory))
    return err({ reason: 'usage', option: 'directory', message: `there is no directory ${directory}.` });
  const settings = await readSettings(host.stateHome, directory);
  if (!settings.ok) return settings;
  const policy = policyOf(settings.value, checked.value, host.env);
  if (!policy.ok) return policy;
  const fleet = fleetOf(host, settings.value, options.workers);
  if (!fleet.ok) return fleet;
  const names = [...new Set(fleet.value.map(({ adapter }) => adapter))];
  const adapters = new Map(
    await Promise.all(names.map(async (name) => [name, await loadAdapter(name)] as const)),
  );
  return ok({
    ...{ fleet: fleet.value, adapters, policy: policy.value, directory, extraArgs },
    permissions: permissionsOf(settings.value, options.permissions),
    ...{ model, preflight, timeoutMs, idleMs: idleTimeoutMs },
    hooks: settings.value.user.on ?? {},
    ...{ rules: settings.value.user.rules ?? [], pollMs: settings.value.user.quota?.poll },
    keepMs: retentionOf(settings.value.user.retentionDays),
    named: options.workers,
  });
}

function fleetOf(
  host: Host,
  settings: Settings,
  option: readonly string[] | undefined,
): Result<readonly Worker[], Refusal> {
  const { names, by } = askedFor(settings, option, host.env);
  const refused = (what: string): Result<never, Refusal> =>
    by === undefined
      ? err({ reason: 'usage', option: 'workers', message: what })
      : err({ reason: 'configuration', message: `${by}: ${what}` });
  if (names?.length === 0) return refused('expected the names of workers, comma separated, and found none.');
  const fleet = roster({
    ...{ configured: settings.user.workers, adapters: ADAPTER_NAMES, asked: names },
    // Every adapter's program has its adapter's name; `adapter.program` is what runs.
    isInstalled: (name) => findProgram(name, host.env['PATH'] ?? '', host.directory).type === 'found',
  });
  if (fleet.ok) return fleet;
  return refused(whyNoWorker(fleet.error));
}

export function whyNoWorker({ name, known }: UnknownWorker): string {
  return `there is no worker '${name}'${didYouMean(name, known)}; there are ${known.join(', ')}.`;
}

export function adapterOf({ adapters }: Pick<Plan, 'adapters'>, worker: Pick<Worker, 'adapter'>): Adapter {
  const adapter = adapters.get(worker.adapter);
  if (adapter === undefined) throw new Error(`Internal error: the adapter ${worker.adapter} was not loaded`);
  return adapter;
}
