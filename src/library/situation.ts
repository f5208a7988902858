import type { Situation } from '../fleet/order.ts';
import { weighRules } from '../fleet/rules.ts';
import { cooldownsOf } from './cooldowns.ts';
import { missing } from './effects.ts';
import { healthOf } from './health.ts';
import type { Io } from './io.ts';
import { seatLoads } from './places.ts';
import { quotaOf } from './quota.ts';
import type { RunPlan } from './run-plan.ts';

/** What a `run` would see at this moment before its first choice; whoever shows who may run asks here. */
export async function situationOf(io: Io, plan: RunPlan): Promise<Situation> {
  const { fleet, model, policy, rules = [] } = plan;
  return {
    ...{ fleet, model, onQuota: policy.onQuota, ignoreCooldowns: policy.ignoreCooldowns },
    cooldowns: policy.cooldowns ? await cooldownsOf(io).read() : [],
    health: await healthOf(io).read(),
    missing: missing(io, plan),
    rules: weighRules(rules, rules.length === 0 ? [] : await quotaOf(io).read(), io.clock.now()),
    ...{ now: io.clock.now(), spent: new Map(), loads: seatLoads(io.stateHome), spread: false },
  };
}
