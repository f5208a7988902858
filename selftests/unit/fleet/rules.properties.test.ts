import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seatId } from '../../../src/core/ids.ts';
import type { QuotaReading } from '../../../src/core/quota.ts';
import { READING_SOURCES } from '../../../src/core/quota.ts';
import type { Rule } from '../../../src/core/rule.ts';
import { RULE_ACTIONS } from '../../../src/core/rule.ts';
import { durationMs, epochMs, HOUR } from '../../../src/core/time.ts';
import type { Choice } from '../../../src/fleet/choose.ts';
import { choose } from '../../../src/fleet/choose.ts';
import type { Situation } from '../../../src/fleet/order.ts';
import { order } from '../../../src/fleet/order.ts';
import { putBehind, weighRules } from '../../../src/fleet/rules.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anySituation } from '../../rig/any-situation.ts';
import { done, Play } from '../../rig/dispatching.ts';

/** Mostly what could match; now and then missing, absurd or hostile. */
const aSeat = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...['s1', 's2', 's3'].map(seatId)) },
  { weight: 1, arbitrary: fc.constantFrom(...['nobody', '__proto__'].map(seatId)) },
);
const aWindow = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('5h', '7d opus') },
  { weight: 1, arbitrary: fc.constantFrom('limit', '', '5h\ns2', '\u001b[2J', 'constructor') },
);
const aNumber = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 100 }) },
  { weight: 1, arbitrary: fc.constantFrom(undefined, Number.NaN, Infinity, -Infinity, -1, 101, 1e308) },
  { weight: 1, arbitrary: fc.double() },
);
const absurdInstant = fc.oneof(fc.double(), fc.constantFrom(Number.NaN, Infinity, -Infinity, 0));
const anInstant = (from: number, to: number) =>
  fc
    .oneof(
      {
        weight: 4,
        arbitrary: fc.integer({ min: from, max: to }).map((hours) => NOW + hours * HOUR),
      },
      { weight: 1, arbitrary: absurdInstant },
    )
    .map(epochMs);

const aReading: fc.Arbitrary<QuotaReading> = fc.record({
  ...{ seat: aSeat, window: aWindow, usedPercent: aNumber, source: fc.constantFrom(...READING_SOURCES) },
  resetAt: fc.oneof(fc.constant(undefined), anInstant(-1, 48)),
  observedAt: anInstant(-5, 0),
});

const aRule: fc.Arbitrary<Rule> = fc.record({
  when: fc.record({
    ...{ seat: aSeat, window: aWindow },
    usedPercent: fc.record({ gte: fc.integer({ min: 0, max: 80 }) }),
    freshWithin: fc.integer({ min: 2 * HOUR, max: 10 * HOUR }).map(durationMs),
  }),
  then: fc.constantFrom(...RULE_ACTIONS),
  note: fc.constant(undefined),
});

/** Half of the time nothing else keeps anybody from the work, so that rules have somebody to move. */
const aSituation: fc.Arbitrary<Situation> = fc
  .tuple(anySituation, fc.boolean())
  .map(([situation, isCalm]) =>
    isCalm ? { ...situation, cooldowns: [], missing: new Map(), spent: new Map() } : situation,
  );

const rulesAndReadings = fc.tuple(
  fc.array(aRule, { minLength: 2, maxLength: 6 }),
  fc.oneof(fc.array(aReading, { minLength: 6, maxLength: 12 }), fc.array(aReading, { maxLength: 2 })),
);

function typeOf(choice: Choice): string {
  return choice.type;
}

it('lets the same workers run as without rules, whatever was read or not', () => {
  let moved = 0;
  fc.assert(
    fc.property(aSituation, rulesAndReadings, fc.boolean(), (situation, [rules, readings], hasBegun) => {
      const weighed = weighRules(rules, readings, NOW);
      const plain = order(situation);
      const ruled = order({ ...situation, rules: weighed, hasBegun });
      if (putBehind(weighed, plain.candidates, situation.model, !hasBegun).size > 0) moved += 1;
      expect(new Set(ruled.candidates)).toEqual(new Set(plain.candidates));
      expect(ruled.candidates).toHaveLength(plain.candidates.length);
      expect(ruled.skipped).toEqual(plain.skipped);
      expect(ruled.lastResorts).toEqual(plain.lastResorts);
    }),
    { numRuns: 2_000 },
  );
  // Rules that never match prove nothing.
  expect(moved).toBeGreaterThan(30);
});

it('moves no session from its worker, and makes nobody wait or give up', () => {
  fc.assert(
    fc.property(aSituation, rulesAndReadings, (situation, [rules, readings]) => {
      const ruled = { ...situation, rules: weighRules(rules, readings, NOW), hasBegun: true };
      for (const preferred of [undefined, ...situation.fleet]) {
        const [before, after] = [choose(situation, preferred?.id), choose(ruled, preferred?.id)];
        expect(typeOf(after)).toBe(typeOf(before));
        if (before.type !== 'worker' || before.worker.id !== preferred?.id) continue;
        expect(after).toEqual(before);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('runs every task to the same end, also when readings never come', async () => {
  await fc.assert(
    fc.asyncProperty(
      aSituation,
      rulesAndReadings,
      fc.boolean(),
      async (situation, [rules, readings], hangs) => {
        const { fleet, cooldowns, health } = situation;
        const stage = { fleet, cooldowns, health, attempts: [done] };
        const readQuota = () => (hangs ? new Promise<never>(() => undefined) : Promise.resolve(readings));
        const plain = await new Play(stage).run();
        const ruled = await new Play({ ...stage, rules, readQuota }).run();
        expect(ruled.type).toBe(plain.type);
      },
    ),
    { numRuns: 300 },
  );
});
