import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unhealthy } from '../../../src/core/health.ts';
import { choose } from '../../../src/fleet/choose.ts';
import { gate } from '../../../src/fleet/gate.ts';
import type { Situation } from '../../../src/fleet/order.ts';
import { order } from '../../../src/fleet/order.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anyHealth, anySituation, aRest } from '../../rig/any-situation.ts';

function always(holds: (situation: Situation) => void): void {
  fc.assert(fc.property(anySituation, holds), { numRuns: 2_000 });
}

function unhealthyOf({ fleet, health = [], now }: Situation): Situation['fleet'] {
  return fleet.filter(({ id }) =>
    unhealthy(
      health.find(({ worker }) => worker === id),
      now,
    ),
  );
}

it('names every worker of the fleet exactly once, as a candidate or as skipped with a reason', () => {
  always((situation) => {
    const { candidates, skipped } = order(situation);
    const named = [...candidates, ...skipped.map(({ worker }) => worker)].map(({ id }) => id).sort();
    expect(named).toEqual(situation.fleet.map(({ id }) => id).sort());
    expect(skipped.every(({ reason }) => reason !== '')).toBe(true);
  });
});

it('chooses somebody whenever there is a candidate, and says why not otherwise', () => {
  always((situation) => {
    const { candidates } = order(situation);
    for (const preferred of [undefined, ...situation.fleet]) {
      const choice = choose(situation, preferred?.id);
      expect(choice.type === 'worker').toBe(candidates.length > 0);
      if (choice.type === 'worker')
        expect([...candidates, ...unhealthyOf(situation)]).toContain(choice.worker);
      else expect(choice.skipped).toHaveLength(situation.fleet.length);
    }
  });
});

it('never chooses anybody whose gate is closed, unless told to ignore cooldowns', () => {
  always((situation) => {
    const choice = choose(situation, situation.fleet[0]?.id);
    if (choice.type !== 'worker' || situation.ignoreCooldowns) return;
    expect(gate(choice.worker, situation.cooldowns, NOW, situation.model).type).toBe('open');
  });
});

it('never chooses a worker that is missing, spent, or billed per use without leave', () => {
  always((situation) => {
    const choice = choose(situation, situation.fleet[0]?.id);
    if (choice.type !== 'worker') return;
    const { worker } = choice;
    const spent = situation.spent.get(worker.id);
    expect(situation.missing.has(worker.id)).toBe(false);
    expect(spent === undefined || (spent.until ?? Infinity) <= NOW).toBe(true);
    const isReserve = worker.billing === 'api' && situation.fleet.some(({ billing }) => billing !== 'api');
    expect(isReserve && situation.onQuota !== 'api').toBe(false);
  });
});

it('waits for the earliest of those that come back by themselves, and that one is open then', () => {
  always((situation) => {
    const choice = choose(situation, undefined);
    if (choice.type !== 'resting' || choice.earliest === undefined) return;
    const { worker, at } = choice.earliest;
    const ends = choice.skipped
      .filter(({ kind }) => kind !== 'auth-failure' && kind !== 'cli-unavailable')
      .flatMap(({ until }) => until ?? []);
    expect(at).toBe(Math.min(...ends));
    expect(at).toBeGreaterThan(NOW);
    if (!situation.ignoreCooldowns)
      expect(gate(worker, situation.cooldowns, at, situation.model).type).toBe('open');
  });
});

it('opens to nobody else for one more cooldown, but to the unhealthy for want of anybody healthy', () => {
  fc.assert(
    fc.property(anySituation, aRest, (situation, more) => {
      const ill = order(situation).skipped.filter(({ because }) => because === 'unhealthy');
      const before = [...order(situation).candidates, ...ill.map(({ worker }) => worker)];
      const after = order({ ...situation, cooldowns: [...situation.cooldowns, more] }).candidates;
      expect(before).toEqual(expect.arrayContaining([...after]));
    }),
    { numRuns: 1_000 },
  );
});

it('neither waits for health nor gives up over it: whoever could run without it can run with it', () => {
  fc.assert(
    fc.property(anySituation, anyHealth, (situation, health) => {
      const without = choose({ ...situation, health: [] }, undefined);
      const choice = choose({ ...situation, health }, undefined);
      expect(choice.type).toBe(without.type);
      if (choice.type !== 'worker') expect(choice).toEqual(without);
    }),
    { numRuns: 2_000 },
  );
});

it('asks an unhealthy worker only as the last resort of its group, says so, and then the least unhealthy first', () => {
  always((situation) => {
    const { candidates, lastResorts, skipped } = order(situation);
    const ill = new Set(unhealthyOf(situation).map(({ id }) => id));
    for (const group of [
      candidates.filter(({ billing }) => billing !== 'api'),
      candidates.filter(({ billing }) => billing === 'api'),
    ]) {
      const isIll = group.map(({ id }) => ill.has(id));
      expect(new Set(isIll).size).toBeLessThanOrEqual(1);
      expect(group.map(({ id }) => lastResorts.has(id))).toEqual(isIll);
    }
    for (const { worker, because } of skipped) if (because === 'unhealthy') expect(ill).toContain(worker.id);
    const choice = choose(situation, undefined);
    if (choice.type === 'worker') expect(choice.lastResort).toBe(ill.has(choice.worker.id));
  });
});

it('lets a session stay with its worker whatever others met with the same provider', () => {
  always((situation) => {
    for (const { id } of order({ ...situation, health: [] }).candidates) {
      expect(choose(situation, id)).toMatchObject({ type: 'worker', worker: { id } });
    }
  });
});
