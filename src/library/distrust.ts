import type { Event } from '../core/event.ts';
import type { WorkerId } from '../core/ids.ts';
import { durationMs, MINUTE } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { DispatchEffects } from '../fleet/dispatch.ts';
import type { Skipped } from '../fleet/order.ts';
import type { Renewal } from '../fleet/renewal.ts';
import { isActive, rests } from '../fleet/gate.ts';
import { canBeAsked } from '../workers/quota-probe.ts';
import type { Host } from './host.ts';
import type { LivenessTools } from './liveness.ts';
import { lookAlive } from './liveness.ts';
import type { Plan } from './plan.ts';
import { adapterOf } from './plan.ts';

/** How long a rest is believed without another look: what was met a moment ago needs none. */
const BELIEVED = durationMs(10 * MINUTE);

/**
 * Free looks at quotas in a run, each worker once: at whoever is about to be asked (`--preflight`), and, when the whole
 * fleet rests, whether room is back somewhere (DESIGN 5, bounded distrust).
 */
export function distrust(
  host: Host,
  plan: Plan,
  tools: LivenessTools,
  emit: (event: Event) => void,
): Pick<DispatchEffects, 'preflight' | 'lookForRoom'> {
  const asked = new Set<WorkerId>();

  async function look(worker: Worker): Promise<Renewal | undefined> {
    if (asked.has(worker.id) || !canBeAsked(adapterOf(plan, worker), worker)) return undefined;
    asked.add(worker.id);
    const { renewal } = await lookAlive(host, plan, worker, tools);
    for (const { target, kind, until, source, reason } of renewal.cooldowns) {
      const model = target.type === 'model' ? target.model : undefined;
      emit({
        type: 'cooldown.recorded',
        worker: worker.id,
        seat: worker.seat,
        model,
        kind,
        until,
        source,
        reason,
      });
    }
    const isOpen = renewal.clearances.length > 0 && renewal.cooldowns.length === 0;
    if (isOpen) emit({ type: 'cooldown.cleared', worker: worker.id, by: 'probe' });
    return renewal;
  }

  async function isOldRest({ worker, because, kind }: Skipped): Promise<boolean> {
    if (because !== 'resting' || (kind !== 'rate-limit' && kind !== 'out-of-credits')) return false;
    const now = host.clock.now();
    const own = (await tools.store.readFor([worker])).filter(
      (one) => isActive(one, now) && rests(one, worker, plan.model ?? worker.model),
    );
    return own.some(({ since, source }) => source !== 'operator' && now - since > BELIEVED);
  }

  return {
    preflight: async (worker) => {
      if (plan.preflight && plan.policy.cooldowns) await look(worker);
    },
    lookForRoom: async (skipped) => {
      if (!plan.policy.cooldowns) return false;
      const doubtful = new Set<WorkerId>();
      for (const one of skipped) if (await isOldRest(one)) doubtful.add(one.worker.id);
      const renewals = await Promise.all(plan.fleet.filter(({ id }) => doubtful.has(id)).map(look));
      return renewals.some(
        (renewal) => renewal !== undefined && renewal.clearances.length > renewal.cooldowns.length,
      );
    },
  };
}
