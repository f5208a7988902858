import type { Situation } from '../fleet/order.ts';
import { weighRules } from '../fleet/rules.ts';
import { cooldownsOf } from './cooldowns.ts';
import { missing } from './effects.ts';
import { healthOf } from './health.ts';
import type { Host } from './host.ts';
import { seatLoads } from './places.ts';
import { quotaOf } from './quota.ts';
import type { Plan } from './plan.ts';

/** What a `run` would see at this moment before its first choice; whoever shows who may run asks here. */
export async function situationOf(host: Host, plan: Plan): Promise<Situation> {
  const { fleet, model, policy, rules = [] } = plan;
  return {
    ...{ fleet, model, onQuota: policy.onQuota, ignoreCooldowns: policy.ignoreCooldowns },
    cooldowns: policy.cooldowns ? await cooldownsOf(host).readFor(fleet) : [],
    health: await healthOf(host).read(),
    missing: missing(host, plan),
    rules: weighRules(rules, rules.length === 0 ? [] : await quotaOf(host).read(), host.clock.now()),
    ...{ now: host.clock.now(), spent: new Map(), loads: seatLoads(host.stateHome), spread: false },
  };
}
