import type { OnQuota } from '../core/policy.ts';
import type { DurationMs } from '../core/time.ts';
import type { Permissions } from '../core/worker.ts';
import type { FleetOptions } from '../library/options.ts';
import { commaList } from '../library/settings.ts';

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

export function optionsOf(flags: PlanFlags, extraArgs: readonly string[] = []): FleetOptions {
  const { cd, workers, model, permissions, onQuota, ignoreCooldown, preflight, handoff } = flags;
  return {
    directory: cd,
    workers: workers === undefined ? undefined : commaList(workers),
    ...{ model, permissions, onQuota, preflight, handoff, extraArgs, ignoreCooldowns: ignoreCooldown },
    ...{ maxWaitMs: flags.maxWait, holdMs: flags.hold, patienceMs: flags.patience },
    ...{ timeoutMs: flags.timeout, idleTimeoutMs: flags.idleTimeout },
  };
}
