import { describe, expect, it } from 'vitest';
import type { Health, HealthCause } from '../../../src/core/health.ts';
import type { CooldownKind } from '../../../src/core/signal.ts';
import { epochMs, HOUR, SECOND } from '../../../src/core/time.ts';
import { choose } from '../../../src/fleet/choose.ts';
import { order } from '../../../src/fleet/order.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aSituation, aSpent, aWorker } from '../../rig/builders.ts';

const [a, b, c] = ['a', 'b', 'c'].map((id) => aWorker({ id })) as [W, W, W];
type W = ReturnType<typeof aWorker>;
const payPerUse = aWorker({ id: 'key', billing: 'api' });

const ill = ({ id }: W, cause: HealthCause = 'server-error', steps = 1, secondsAgo = 0): Health => {
  const at = epochMs(NOW - secondsAgo * SECOND);
  return { worker: id, troubles: { [cause]: { steps, at } }, triedAt: at };
};
const rest = ({ id, seat }: W, kind: CooldownKind = 'rate-limit') =>
  aCooldown({ target: { type: 'seat', seat }, worker: id, kind, until: epochMs(NOW + HOUR) });
const ids = (workers: readonly W[]) => workers.map(({ id }) => id);

describe('an unhealthy worker', () => {
  it('is passed over for the next, with its reason and the end of it', () => {
    const situation = aSituation({ fleet: [a, b], health: [ill(a, 'server-error', 2)] });
    expect(choose(situation, undefined)).toEqual({
      ...{ type: 'worker', worker: b, lastResort: false },
      skipped: [
        {
          ...{ worker: a, kind: 'server-error', reason: 'server error, 2 times' },
          ...{ until: NOW + 60 * SECOND, because: 'unhealthy' },
        },
      ],
    });
  });

  it('is asked as before once its time is over', () => {
    const health = [ill(a, 'server-error', 1, 30)];
    expect(choose(aSituation({ fleet: [a, b], health }), undefined)).toMatchObject({ worker: a });
  });

  it('keeps the session that is on it', () => {
    const situation = aSituation({ fleet: [a, b], health: [ill(a)] });
    expect(choose(situation, a.id)).toMatchObject({ worker: a, lastResort: false, skipped: [] });
  });

  it('is asked when the healthy have been spent, rest, or are not there', () => {
    const health = [ill(a)];
    for (const closed of [
      { spent: new Map([[b.id, aSpent()]]) },
      { cooldowns: [rest(b)] },
      { missing: new Map([[b.id, 'b is not installed']]) },
    ]) {
      const choice = choose(aSituation({ fleet: [a, b], health, ...closed }), undefined);
      expect(choice).toMatchObject({ type: 'worker', worker: a, lastResort: true });
    }
  });
});

describe('when all are unhealthy', () => {
  it('runs the least unhealthy: a stall before a server error, the sooner over, the fewer failures', () => {
    const fleet = [a, b, c];
    const ranked = (health: readonly Health[]) => ids(order(aSituation({ fleet, health })).candidates);
    expect(ranked([ill(a), ill(b, 'timeout', 5), ill(c, 'server-error', 1, 10)])).toEqual(['b', 'c', 'a']);
    expect(ranked([ill(a, 'server-error', 2, 30), ill(b), ill(c, 'timeout', 2)])).toEqual(['c', 'b', 'a']);
  });

  it('breaks a tie by who was not tried for longest', () => {
    const [first, second] = [ill(a), ill(b)];
    const health = [first, { ...second, triedAt: epochMs(NOW - 1) }];
    const choice = choose(aSituation({ fleet: [a, b], health }), undefined);
    expect(choice).toMatchObject({ worker: b, lastResort: true });
  });

  it.each(['rate-limit', 'out-of-credits', 'auth-failure'] as const)(
    'does not wake one that rests for %s, however ill the others are',
    (kind) => {
      const situation = aSituation({
        fleet: [a, b],
        cooldowns: [rest(a, kind)],
        health: [ill(b, 'server-error', 5)],
      });
      expect(choose(situation, a.id)).toMatchObject({ type: 'worker', worker: b, lastResort: true });
    },
  );

  it('spends no money over it: workers billed per use come after, healthy as they are', () => {
    const situation = aSituation({ fleet: [a, payPerUse], onQuota: 'api', health: [ill(a)] });
    expect(ids(order(situation).candidates)).toEqual(['a', 'key']);
    expect(choose(situation, undefined)).toMatchObject({ worker: a, lastResort: true });
  });

  it('does not count one that rests as ill: its rest is named, and is what is waited for', () => {
    const situation = aSituation({ fleet: [a], cooldowns: [rest(a)], health: [ill(a)] });
    expect(choose(situation, undefined)).toMatchObject({
      ...{ type: 'resting', earliest: { at: NOW + HOUR } },
      skipped: [{ because: 'resting' }],
    });
  });
});
