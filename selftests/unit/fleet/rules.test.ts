import { describe, expect, it } from 'vitest';
import { durationMs, epochMs, HOUR, MINUTE } from '../../../src/core/time.ts';
import { order } from '../../../src/fleet/order.ts';
import { describeRule, putBehind, ruleEvent, weighRules } from '../../../src/fleet/rules.ts';
import type { QuotaReading } from '../../../src/core/quota.ts';
import type { Rule } from '../../../src/core/rule.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aReading, aRule } from '../../rig/a-reading.ts';
import { aSituation, aWorker } from '../../rig/builders.ts';
import { done, Play, refused } from '../../rig/dispatching.ts';

const work = aWorker({ id: 'work' });
const spare = aWorker({ id: 'spare' });
const full = aReading({ usedPercent: 92 });

function outcome(rule: Rule, readings: readonly QuotaReading[], now = NOW): string | undefined {
  return weighRules([rule], readings, now)[0]?.outcome;
}

/** Who stands behind whom when the session is new, or has begun. */
function candidates(rules: readonly Rule[], readings: readonly QuotaReading[], hasBegun = false) {
  const fleet = [work, spare];
  const weighed = weighRules(rules, readings, NOW);
  return order(aSituation({ fleet, rules: weighed, hasBegun })).candidates.map(({ id }) => id);
}

describe('a rule', () => {
  it.each<[string, readonly QuotaReading[]]>([
    ['matched', [full]],
    ['matched', [aReading({ usedPercent: 90 })]],
    ['below', [aReading({ usedPercent: 89.9 })]],
    ['no-reading', []],
    ['no-reading', [aReading({ usedPercent: 92, seat: 'another' })]],
    ['no-reading', [aReading({ usedPercent: 92, window: '7d' })]],
    ['unknown', [aReading({ usedPercent: undefined })]],
    ['unknown', [aReading({ usedPercent: Number.NaN })]],
    ['unknown', [aReading({ usedPercent: -5 })]],
    // What a vendor means in another unit is no fuller window.
    ['unknown', [aReading({ usedPercent: 9_200 })]],
    ['stale', [aReading({ usedPercent: 92, observedAt: epochMs(NOW - 16 * MINUTE) })]],
    ['matched', [aReading({ usedPercent: 92, observedAt: epochMs(NOW - 15 * MINUTE) })]],
    ['reset', [aReading({ usedPercent: 92, resetAt: epochMs(NOW - 1) })]],
    ['future', [aReading({ usedPercent: 92, observedAt: epochMs(NOW + HOUR) })]],
  ])('is %s over %j', (expected, readings) => {
    expect(outcome(aRule(), readings)).toBe(expected);
  });

  it('puts the workers of its seat behind the others when it matches', () => {
    expect(candidates([aRule()], [full])).toEqual(['spare', 'work']);
    expect(candidates([aRule()], [aReading()])).toEqual(['work', 'spare']);
  });

  it('with avoid-new-sessions says nothing once a session has begun', () => {
    const rule = aRule({ then: 'avoid-new-sessions' });
    expect(candidates([rule], [full], false)).toEqual(['spare', 'work']);
    expect(candidates([rule], [full], true)).toEqual(['work', 'spare']);
    expect(candidates([aRule()], [full], true)).toEqual(['spare', 'work']);
  });

  it('about a window of one model concerns nobody who asks for another', () => {
    const fleet = ['opus', 'sonnet', undefined].map((model) =>
      aWorker({ id: model ?? 'any', seat: 'work', model }),
    );
    const weighed = weighRules(
      [aRule({ window: '7d opus' })],
      [aReading({ window: '7d opus', usedPercent: 95 })],
      NOW,
    );
    expect([...putBehind(weighed, fleet, undefined, true)]).toEqual(['opus', 'any']);
    expect([...putBehind(weighed, fleet, 'sonnet', true)]).toEqual([]);
  });

  it('does not put a subscription behind what is billed per use', () => {
    const api = aWorker({ id: 'api', billing: 'api' });
    const rules = weighRules([aRule()], [full], NOW);
    const { candidates: asked } = order(aSituation({ fleet: [work, api], rules, onQuota: 'api' }));
    expect(asked.map(({ id }) => id)).toEqual(['work', 'api']);
  });

  it.each([
    [[full], 'matches: 5h is at 92 %, seen 0s ago: keep it for the evening'],
    [[aReading()], 'does not match: 5h is at 50 %, seen 0s ago'],
    [[], 'does not match: there is no reading of that window'],
    [
      [aReading({ observedAt: epochMs(NOW - HOUR) })],
      'does not match: its reading is older than 15m, seen 1h ago',
    ],
    [[aReading({ resetAt: NOW })], 'does not match: the window has begun anew since its last reading'],
    [[aReading({ usedPercent: undefined })], 'does not match: how full the window is was not told'],
    [[aReading({ observedAt: epochMs(NOW + HOUR) })], 'does not match: its reading is dated in the future'],
  ])('says what it saw, and why it does or does not match (%#)', (readings, expected) => {
    const [weighed] = weighRules([aRule({ note: 'keep it for the evening' })], readings, NOW);
    if (weighed === undefined) throw new Error('no rule');
    const rule = 'rule 1 (prefer-others when 5h of seat work is at 90 % or more)';
    expect(describeRule(weighed, NOW)).toBe(`${rule} ${expected}`);
  });

  it('is told with its value', () => {
    const [weighed] = weighRules([aRule({ note: 'why' })], [full], NOW);
    expect(weighed && ruleEvent(weighed, [work.id])).toEqual({
      ...{ type: 'rule', rule: 1, seat: 'work', window: '5h', then: 'prefer-others', gte: 90 },
      ...{ outcome: 'matched', usedPercent: 92, observedAt: NOW, note: 'why', behind: ['work'] },
    });
  });
});

describe('a session under a rule', () => {
  it('begins with another worker, and tells of the rule before it does', async () => {
    const play = new Play({
      ...{ fleet: [work, spare], attempts: [done], rules: [aRule()] },
      readQuota: () => Promise.resolve([full]),
    });
    await play.run();
    expect(play.started).toEqual(['spare']);
    expect(play.eventsOf('rule')).toMatchObject([{ outcome: 'matched', usedPercent: 92, behind: ['work'] }]);
  });

  it('runs on the only worker there is, whatever the rule says', async () => {
    const play = new Play({
      ...{ fleet: [work], attempts: [done], rules: [aRule(), aRule({ then: 'avoid-new-sessions' })] },
      readQuota: () => Promise.resolve([full]),
    });
    expect((await play.run()).type).toBe('done');
    expect(play.eventsOf('rule').map(({ behind }) => behind)).toEqual([[], []]);
  });

  it('is told that a rule about a seat that nobody here is on moves nobody', async () => {
    const play = new Play({
      ...{ fleet: [spare], attempts: [done], rules: [aRule()] },
      readQuota: () => Promise.resolve([full]),
    });
    await play.run();
    expect(play.eventsOf('rule')).toMatchObject([{ outcome: 'matched', behind: [] }]);
  });

  it('is not moved from the worker that it is on', async () => {
    let looks = 0;
    const overloaded = refused({ kind: 'overloaded', reason: 'overloaded' });
    const play: Play = new Play({
      ...{ fleet: [work, spare], attempts: [overloaded, done], rules: [aRule()] },
      // Room at first; by the second attempt the window is nearly full.
      readQuota: () =>
        Promise.resolve([
          aReading({ usedPercent: (looks += 1) === 1 ? 10 : 95, observedAt: play.clock.now() }),
        ]),
    });
    await play.run();
    expect(play.started).toEqual(['work', 'work']);
    expect(play.eventsOf('rule')).toMatchObject([{ outcome: 'below' }, { outcome: 'matched', behind: [] }]);
  });

  it('does not wait for readings that never come', async () => {
    const play = new Play({
      ...{ fleet: [work, spare], attempts: [done], rules: [aRule()] },
      readQuota: () => new Promise(() => undefined),
    });
    await play.run();
    expect(play.started).toEqual(['work']);
    expect(play.clock.now() - NOW).toBeLessThan(durationMs(1_000));
    expect(play.eventsOf('rule')).toMatchObject([{ outcome: 'no-reading' }]);
  });

  it('reads nothing where there are no rules', async () => {
    const play = new Play({
      ...{ fleet: [work], attempts: [done] },
      readQuota: () => Promise.reject(new Error('nobody asked for it')),
    });
    expect((await play.run()).type).toBe('done');
    expect(play.events.map(({ type }) => type)).not.toContain('rule');
  });
});
