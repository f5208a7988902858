import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Cooldown } from '../../../src/core/cooldown.ts';
import { seatId, workerId } from '../../../src/core/ids.ts';
import { ON_QUOTA } from '../../../src/core/policy.ts';
import { COOLDOWN_KINDS } from '../../../src/core/signal.ts';
import { epochMs, HOUR } from '../../../src/core/time.ts';
import { choose } from '../../../src/fleet/choose.ts';
import { gate } from '../../../src/fleet/gate.ts';
import type { Situation } from '../../../src/fleet/order.ts';
import { order } from '../../../src/fleet/order.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aSignal, aWorker } from '../../rig/builders.ts';

const SEATS = ['s1', 's2', 's3'] as const;
const MODELS = ['opus', 'claude-opus-4-5', 'sonnet'] as const;
const anInstant = fc.integer({ min: -3, max: 9 }).map((hours) => epochMs(NOW + hours * HOUR));

const aFleet = fc
  .array(
    fc.record({
      seat: fc.constantFrom(...SEATS),
      model: fc.constantFrom(undefined, ...MODELS),
      workspace: fc.constantFrom(undefined, 'acme'),
      billing: fc.constantFrom(undefined, 'subscription' as const, 'api' as const),
    }),
    { maxLength: 6 },
  )
  .map((workers) => workers.map((worker, index) => aWorker({ ...worker, id: `w${String(index)}` })));

const aTarget = fc.oneof(
  fc.constantFrom(...SEATS).map((seat) => ({ type: 'seat' as const, seat: seatId(seat) })),
  fc
    .tuple(fc.constantFrom(...SEATS), fc.constantFrom(...MODELS))
    .map(([seat, model]) => ({ type: 'model' as const, seat: seatId(seat), model })),
  fc.constant({ type: 'workspace' as const, workspace: 'acme' }),
);

const aRest: fc.Arbitrary<Cooldown> = fc
  .record({
    target: aTarget,
    worker: fc.integer({ min: 0, max: 5 }).map((index) => workerId(`w${String(index)}`)),
    kind: fc.constantFrom(...COOLDOWN_KINDS),
    until: fc.oneof(anInstant, fc.constant(undefined)),
  })
  .map((overrides) => aCooldown(overrides));

const anySituation: fc.Arbitrary<Situation> = fc.record({
  fleet: aFleet,
  cooldowns: fc.array(aRest, { maxLength: 6 }),
  now: fc.constant(NOW),
  model: fc.constantFrom(undefined, ...MODELS),
  onQuota: fc.constantFrom(...ON_QUOTA),
  ignoreCooldowns: fc.boolean(),
  missing: fc
    .uniqueArray(fc.integer({ min: 0, max: 5 }))
    .map((indices) => new Map(indices.map((index) => [workerId(`w${String(index)}`), 'not installed']))),
  spent: fc
    .array(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.oneof(anInstant, fc.constant(undefined))), {
      maxLength: 3,
    })
    .map(
      (entries) =>
        new Map(
          entries.map(([index, until]) => [
            workerId(`w${String(index)}`),
            { signal: aSignal({ kind: 'server-error' }), until },
          ]),
        ),
    ),
});

function always(holds: (situation: Situation) => void): void {
  fc.assert(fc.property(anySituation, holds), { numRuns: 2_000 });
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
      const choice = choose(situation, preferred);
      expect(choice.type === 'worker').toBe(candidates.length > 0);
      if (choice.type === 'worker') expect(candidates).toContain(choice.worker);
      else expect(choice.skipped).toHaveLength(situation.fleet.length);
    }
  });
});

it('never chooses anybody whose gate is closed, unless told to ignore cooldowns', () => {
  always((situation) => {
    const choice = choose(situation, situation.fleet[0]);
    if (choice.type !== 'worker' || situation.ignoreCooldowns) return;
    expect(gate(choice.worker, situation.cooldowns, NOW, situation.model).type).toBe('open');
  });
});

it('never chooses a worker that is missing, spent, or billed per use without leave', () => {
  always((situation) => {
    const choice = choose(situation, situation.fleet[0]);
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
