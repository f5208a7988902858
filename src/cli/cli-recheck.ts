import type { Cooldown } from '../core/cooldown.ts';
import type { Event } from '../core/event.ts';
import { gate, isActive } from '../fleet/gate.ts';
import type { CooldownStore } from '../store/cooldowns.ts';
import type { AttemptEffects } from '../workers/attempt.ts';
import { canStart } from '../workers/probe.ts';
import type { RunPlan } from './run-plan.ts';
import { adapterOf } from './run-plan.ts';

/**
 * `cli-unavailable` rests for a day, but whoever mends the CLI should not have to wait or to say so: before every
 * dispatch it is started once for its version, and a pass ends the rest. Once per cooldown and session, and never for
 * one that this session met itself: that it starts was seen then.
 */
export function cliRecheck(
  plan: RunPlan,
  effects: AttemptEffects,
  store: CooldownStore,
  emit: (event: Event) => void,
): (cooldowns: readonly Cooldown[]) => Promise<readonly Cooldown[]> {
  const sessionBegan = effects.clock.now();
  const tried = new Set<string>();

  return async (cooldowns) => {
    const now = effects.clock.now();
    const doubtful = cooldowns.filter(
      ({ kind, since, worker }) => kind === 'cli-unavailable' && since < sessionBegan && !tried.has(worker),
    );
    let ended: readonly Cooldown[] = [];
    for (const worker of plan.fleet) {
      const own = doubtful.find(
        (cooldown) => isActive(cooldown, now) && gate(worker, [cooldown], now).type === 'resting',
      );
      if (own === undefined) continue;
      tried.add(own.worker);
      if (!(await canStart(adapterOf(plan, worker), worker, plan.directory, effects))) continue;
      const cleared = await store.clear({
        target: own.target,
        kind: 'cli-unavailable',
        at: now,
        by: 'probe',
      });
      if (!cleared.ok) continue;
      ended = [...ended, ...doubtful.filter((cooldown) => gate(worker, [cooldown], now).type === 'resting')];
      emit({ type: 'cooldown.cleared', worker: worker.id, by: 'probe' });
    }
    return cooldowns.filter((cooldown) => !ended.includes(cooldown));
  };
}
