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
import { order } from '../../../src/fleet/order.ts';
import { weighRules } from '../../../src/fleet/rules.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anySituation } from '../../rig/any-situation.ts';
import { done, Play } from '../../rig/dispatching.ts';

const aSeat = fc.constantFrom(...['s1', 's2', 's3', 'nobody', '__proto__'].map(seatId));
const aWindow = fc.constantFrom('5h', '7d', '7d opus', 'limit', '', '5h\ns2', '\u001b[2J', 'constructor');
/** Missing, plausible, absurd. */
const aNumber = fc.oneof(
  fc.constant(undefined),
  fc.double({ min: 0, max: 100 }),
  fc.double(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, -1, 1e308),
);
const anInstant = fc.oneof(
  fc.integer({ min: -48, max: 48 }).map((hours) => NOW + hours * HOUR),
  fc.double(),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, 0),
);

const aReading: fc.Arbitrary<QuotaReading> = fc.record({
  ...{ seat: aSeat, window: aWindow, usedPercent: aNumber, source: fc.constantFrom(...READING_SOURCES) },
  resetAt: fc.oneof(fc.constant(undefined), anInstant.map(epochMs)),
  observedAt: anInstant.map(epochMs),
});

const aRule: fc.Arbitrary<Rule> = fc.record({
  when: fc.record({
    ...{ seat: aSeat, window: aWindow },
    usedPercent: fc.record({ gte: fc.double({ min: 0, max: 200, noNaN: true }) }),
    freshWithin: fc.integer({ min: 0, max: 100 * HOUR }).map(durationMs),
  }),
  then: fc.constantFrom(...RULE_ACTIONS),
  note: fc.constant(undefined),
});

const rulesAndReadings = fc.tuple(fc.array(aRule, { maxLength: 4 }), fc.array(aReading, { maxLength: 8 }));

function typeOf(choice: Choice): string {
  return choice.type;
}

it('lets the same workers run as without rules, whatever was read or not', () => {
  fc.assert(
    fc.property(anySituation, rulesAndReadings, fc.boolean(), (situation, [rules, readings], hasBegun) => {
      const plain = order(situation);
      const ruled = order({ ...situation, rules: weighRules(rules, readings, NOW), hasBegun });
      expect(new Set(ruled.candidates)).toEqual(new Set(plain.candidates));
      expect(ruled.candidates).toHaveLength(plain.candidates.length);
      expect(ruled.skipped).toEqual(plain.skipped);
      expect(ruled.lastResorts).toEqual(plain.lastResorts);
    }),
    { numRuns: 2_000 },
  );
});

it('moves no session from its worker, and makes nobody wait or give up', () => {
  fc.assert(
    fc.property(anySituation, rulesAndReadings, (situation, [rules, readings]) => {
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
      anySituation,
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
