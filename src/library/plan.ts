import type { OnQuota, Policy } from '../core/policy.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { Rule } from '../core/rule.ts';
import type { DurationMs } from '../core/time.ts';
import type { Permissions, Worker } from '../core/worker.ts';
import { roster } from '../fleet/roster.ts';
import { absolutePath, isDirectory } from '../system/input.ts';
import { findProgram } from '../system/which.ts';
import type { Adapter } from '../workers/adapter.ts';
import { ADAPTER_NAMES, loadAdapter } from '../workers/registry.ts';
import { EXIT } from './exit-codes.ts';
import type { Hooks } from './hooks.ts';
import type { Io, Refusal } from './io.ts';
import type { Settings } from './settings.ts';
import { askedFor, commaList, permissionsOf, policyOf, readSettings } from './settings.ts';

/** What a `run` was asked to do, resolved: nothing in it is a name any more. */
export interface RunPlan {
  readonly fleet: readonly Worker[];
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly policy: Policy;
  readonly permissions: Permissions;
  readonly model: string | undefined;
  /** A free look at a worker's quota before it is given the task. */
  readonly preflight: boolean;
  readonly extraArgs: readonly string[];
  readonly directory: string;
  readonly idleMs: DurationMs | undefined;
  /** Commands to run at events, of the operator's own file only. */
  readonly hooks: Hooks;
  /** The workers asked for by name, where they were. */
  readonly named: readonly string[] | undefined;
  readonly rules?: readonly Rule[];
  /** How often the windows are asked for while it lasts; `undefined`: never. */
  readonly pollMs?: DurationMs | undefined;
}

/** The options that `run` and `resume` share. */
export interface PlanFlags {
  readonly workers?: string;
  readonly cd?: string;
  readonly model?: string;
  readonly permissions?: Permissions;
  readonly onQuota?: OnQuota;
  readonly maxWait?: DurationMs;
  readonly hold?: DurationMs;
  readonly patience?: DurationMs;
  readonly timeout?: DurationMs;
  readonly idleTimeout?: DurationMs;
  readonly ignoreCooldown?: boolean;
  readonly preflight?: boolean;
  readonly handoff?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

export async function planRun(
  io: Io,
  flags: PlanFlags,
  extraArgs: readonly string[],
): Promise<Result<RunPlan, Refusal>> {
  const directory = absolutePath(flags.cd ?? '.', io.directory);
  if (!isDirectory(directory)) {
    return err({ code: EXIT.usage, message: `--cd: there is no directory ${directory}.` });
  }
  const settings = readSettings(io.stateHome, directory);
  if (!settings.ok) return settings;
  const policy = policyOf(settings.value, flags, io.env);
  if (!policy.ok) return policy;
  const fleet = fleetOf(io, settings.value, flags);
  if (!fleet.ok) return fleet;
  const names = [...new Set(fleet.value.map(({ adapter }) => adapter))];
  const adapters = new Map(
    await Promise.all(names.map(async (name) => [name, await loadAdapter(name)] as const)),
  );
  return ok({
    ...{ fleet: fleet.value, adapters, policy: policy.value, directory, extraArgs },
    permissions: permissionsOf(settings.value, flags.permissions),
    model: flags.model,
    preflight: flags.preflight ?? false,
    idleMs: flags.idleTimeout,
    hooks: settings.value.user.on ?? {},
    ...{ rules: settings.value.user.rules ?? [], pollMs: settings.value.user.quota?.poll },
    named: flags.workers === undefined ? undefined : commaList(flags.workers),
  });
}

function fleetOf(io: Io, settings: Settings, flags: PlanFlags): Result<readonly Worker[], Refusal> {
  const { names, by } = askedFor(
    settings,
    flags.workers === undefined ? undefined : commaList(flags.workers),
    io.env,
  );
  const code = by === '--workers' ? EXIT.usage : EXIT.configuration;
  if (names?.length === 0)
    return err({ code, message: `${by}: expected the names of workers, comma separated, and found none.` });
  const fleet = roster({
    ...{ configured: settings.user.workers, adapters: ADAPTER_NAMES, asked: names },
    // Every adapter's program has its adapter's name; `adapter.program` is what runs.
    isInstalled: (name) => findProgram(name, io.env['PATH'] ?? '', io.directory).type === 'found',
  });
  if (fleet.ok) return fleet;
  const { name, known } = fleet.error;
  return err({ code, message: `${by}: there is no worker '${name}'; there are ${known.join(', ')}.` });
}

export function adapterOf({ adapters }: Pick<RunPlan, 'adapters'>, worker: Pick<Worker, 'adapter'>): Adapter {
  const adapter = adapters.get(worker.adapter);
  if (adapter === undefined) throw new Error(`Internal error: the adapter ${worker.adapter} was not loaded`);
  return adapter;
}
