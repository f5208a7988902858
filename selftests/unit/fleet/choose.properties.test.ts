import fc from 'fast-check';
import { expect, it } from 'vitest';
import { leastUnhealthyFirst, unhealthy } from '../../../src/core/health.ts';
import { choose } from '../../../src/fleet/choose.ts';
import { gate } from '../../../src/fleet/gate.ts';
import type { Situation } from '../../../src/fleet/order.ts';
import { order } from '../../../src/fleet/order.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anyHealth, anySituation, aRest } from '../../rig/any-situation.ts';

function always(holds: (situation: Situation) => void): void {
  fc.assert(fc.property(anySituation, holds), { numRuns: 2_000 });
}

function unhealthyOf({ fleet, health, now }: Situation): Situation['fleet'] {
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
      if (choice.type === 'worker') expect(candidates).toContain(choice.worker);
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

it('opens to nobody else for one more cooldown', () => {
  fc.assert(
    fc.property(anySituation, aRest, (situation, more) => {
      const before = order(situation).candidates;
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

it('asks the unhealthy after the healthy of their group, and says when nobody healthy is there', () => {
  always((situation) => {
    const { candidates, ill, lastResorts } = order(situation);
    const known = new Set(unhealthyOf(situation).map(({ id }) => id));
    expect([...ill.keys()].toSorted()).toEqual(
      candidates.flatMap(({ id }) => (known.has(id) ? [id] : [])).toSorted(),
    );
    const hasReserve = situation.fleet.some(({ billing }) => billing !== 'api');
    const isReserve = (billing: string | undefined) => hasReserve && billing === 'api';
    const groups = [false, true].map((reserve) =>
      candidates.filter(({ billing }) => isReserve(billing) === reserve),
    );
    expect(groups.flat()).toEqual(candidates);
    for (const group of groups) {
      const isIll = group.map(({ id }) => ill.has(id));
      expect(isIll).toEqual(isIll.toSorted((a, b) => Number(a) - Number(b)));
      expect(group.map(({ id }) => lastResorts.has(id))).toEqual(
        isIll.map((one) => one && isIll[0] === true),
      );
      const troubles = group.flatMap(({ id }) => ill.get(id) ?? []);
      expect(troubles).toEqual(troubles.toSorted(leastUnhealthyFirst));
    }
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
