import fc from 'fast-check';
import type { Cooldown } from '../../src/core/cooldown.ts';
import type { Health, Trouble } from '../../src/core/health.ts';
import { seatId, workerId } from '../../src/core/ids.ts';
import { ON_QUOTA } from '../../src/core/policy.ts';
import { COOLDOWN_KINDS } from '../../src/core/signal.ts';
import { epochMs, HOUR, MINUTE } from '../../src/core/time.ts';
import type { Situation } from '../../src/fleet/order.ts';
import { aCooldown, NOW } from './a-cooldown.ts';
import { aSignal, aWorker } from './builders.ts';

const SEATS = ['s1', 's2', 's3'] as const;
const MODELS = ['opus', 'claude-opus-4-5', 'sonnet'] as const;
const anInstant = fc.integer({ min: -3, max: 9 }).map((hours) => epochMs(NOW + hours * HOUR));
const aWorkerId = fc.integer({ min: 0, max: 5 }).map((index) => workerId(`w${String(index)}`));

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

export const aRest: fc.Arbitrary<Cooldown> = fc
  .record({
    target: aTarget,
    worker: aWorkerId,
    kind: fc.constantFrom(...COOLDOWN_KINDS),
    until: fc.oneof(anInstant, fc.constant(undefined)),
  })
  .map((overrides) => aCooldown(overrides));

const aTrouble: fc.Arbitrary<Trouble> = fc.record({
  steps: fc.integer({ min: 1, max: 6 }),
  at: fc.integer({ min: -6 * MINUTE, max: MINUTE }).map((ago) => epochMs(NOW + ago)),
});

/** Mostly somebody who is unhealthy at this moment. */
export const anyHealth: fc.Arbitrary<readonly Health[]> = fc.uniqueArray(
  fc
    .record({
      worker: aWorkerId,
      troubles: fc.record({ 'server-error': aTrouble, timeout: aTrouble }, { requiredKeys: [] }),
      triedAt: fc.constant(NOW),
    })
    .map((health): Health => health as Health),
  { selector: ({ worker }) => worker, maxLength: 6 },
);

export const anySituation: fc.Arbitrary<Situation> = fc.record({
  fleet: aFleet,
  cooldowns: fc.array(aRest, { maxLength: 6 }),
  health: anyHealth,
  now: fc.constant(NOW),
  model: fc.constantFrom(undefined, ...MODELS),
  loads: fc.constant(new Map()),
  spread: fc.boolean(),
  onQuota: fc.constantFrom(...ON_QUOTA),
  ignoreCooldowns: fc.boolean(),
  missing: fc
    .uniqueArray(aWorkerId)
    .map((workers) => new Map(workers.map((worker) => [worker, 'not installed']))),
  spent: fc
    .array(fc.tuple(aWorkerId, fc.oneof(anInstant, fc.constant(undefined))), { maxLength: 3 })
    .map(
      (entries) =>
        new Map(
          entries.map(([worker, until]) => [worker, { signal: aSignal({ kind: 'server-error' }), until }]),
        ),
    ),
});
