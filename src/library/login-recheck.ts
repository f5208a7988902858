import type { Cooldown } from '../core/cooldown.ts';
import type { Event } from '../core/event.ts';
import type { WorkerId } from '../core/ids.ts';
import type { Worker } from '../core/worker.ts';
import { gate, isActive } from '../fleet/gate.ts';
import type { CooldownStore } from '../store/cooldowns.ts';
import type { Probes } from '../store/probes.ts';
import { fingerprint } from '../system/fingerprint.ts';
import { readIfThere } from '../system/input.ts';
import { readCheck } from '../workers/check-answer.ts';
import type { CliCheck, CliCheckEffects } from '../workers/cli-check.ts';
import { checkCli, secretsOf } from '../workers/cli-check.ts';
import type { ProbeEffects } from '../workers/probe.ts';
import type { Plan } from './plan.ts';
import { adapterOf } from './plan.ts';

/** What looking at logins takes; everybody who looks is handed the same. */
export interface LoginLook {
  /** The check of a worker's CLI, shared with every process that asks within seconds. */
  readonly check: (worker: Worker) => Promise<CliCheck>;
  /** What changes when a person logs in; nothing can be read from it. */
  readonly credentials: (worker: Worker) => string;
  /** The same of what is there at the call; told when it is asked for, as that is seldom, and what it takes is loaded then. */
  readonly credentialsNow: (worker: Worker) => () => string;
}

export function loginLook(
  plan: Pick<Plan, 'adapters' | 'directory'>,
  effects: ProbeEffects,
  probes: Probes,
): LoginLook {
  const all: CliCheckEffects = { ...effects, readText };
  const credentialsNow = (worker: Worker): (() => string) => {
    const secrets = secretsOf(adapterOf(plan, worker), worker, all);
    return () => fingerprint(secrets);
  };
  const credentials = (worker: Worker): string => credentialsNow(worker)();
  return {
    ...{ credentials, credentialsNow },
    check: (worker) =>
      // Another configuration of the same name, or another login, is another question.
      probes.once(
        `cli-${worker.id}-${fingerprint([...(worker.command ?? []), credentials(worker)])}`,
        readCheck,
        () => checkCli(adapterOf(plan, worker), worker, plan.directory, all),
      ),
  };
}

function readText(path: string): string | undefined {
  const text = readIfThere(path);
  return text.ok ? text.value : undefined;
}

/**
 * Rests that a person ends by mending something, who should not have to wait or to say so: before every dispatch the CLI
 * of a worker that cannot run, or whose login was refused, is asked how it is. A pass ends `cli-unavailable`; it ends
 * `auth-failure` only where the credentials are others than those that were refused, as a login that looks good offline
 * is just what the provider may have refused. What an operator added is not ended by any of this.
 */
export function loginRecheck(
  fleet: readonly Worker[],
  { check, credentials }: Pick<LoginLook, 'check' | 'credentials'>,
  {
    store,
    emit,
    now,
  }: {
    readonly store: Pick<CooldownStore, 'clear'>;
    readonly emit: (event: Event) => void;
    readonly now: () => Cooldown['since'];
  },
): (cooldowns: readonly Cooldown[]) => Promise<readonly Cooldown[]> {
  const sessionBegan = now();
  const tried = new Map<WorkerId, string>();

  /** Whether there is any point in asking: each login is asked about once in a session. */
  function isDoubtful(
    worker: Worker,
    { kind, since, source, worker: metBy, ...cooldown }: Cooldown,
  ): boolean {
    if (source === 'operator') return false;
    // That it starts was seen when this session met it.
    if (kind === 'cli-unavailable') return since < sessionBegan && !tried.has(worker.id);
    if (kind !== 'auth-failure' || metBy !== worker.id || cooldown.credentials === undefined) return false;
    const current = credentials(worker);
    return current !== cooldown.credentials && tried.get(worker.id) !== current;
  }

  return async (cooldowns) => {
    let left = cooldowns;
    for (const worker of fleet) {
      const at = now();
      const own = left.filter((one) => isActive(one, at) && gate(worker, [one], at).type === 'resting');
      const doubtful = own.filter((one) => isDoubtful(worker, one));
      if (doubtful.length === 0) continue;
      tried.set(worker.id, credentials(worker));
      const answer = await check(worker);
      if (!answer.starts || answer.login.type === 'out') continue;
      for (const { target, kind } of doubtful) {
        const cleared = await store.clear({ target, kind, at, by: 'probe' });
        if (!cleared.ok) continue;
        left = left.filter((one) => one.kind !== kind || !own.includes(one));
        emit({ type: 'cooldown.cleared', worker: worker.id, by: 'probe' });
      }
    }
    return left;
  };
}
