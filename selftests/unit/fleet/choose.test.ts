import { describe, expect, it } from 'vitest';
import { seatId, workerId } from '../../../src/core/ids.ts';
import type { CooldownKind } from '../../../src/core/signal.ts';
import { epochMs, HOUR } from '../../../src/core/time.ts';
import { choose } from '../../../src/fleet/choose.ts';
import { order } from '../../../src/fleet/order.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aSignal, aSituation, aSpent, aWorker } from '../../rig/builders.ts';

const [a, b, c] = ['a', 'b', 'c'].map((id) => aWorker({ id })) as [W, W, W];
type W = ReturnType<typeof aWorker>;
const payPerUse = aWorker({ id: 'key', billing: 'api' });

const rest = (worker: W, hours: number | undefined, kind: CooldownKind = 'rate-limit') =>
  aCooldown({
    target: { type: 'seat', seat: worker.seat },
    worker: worker.id,
    kind,
    until: hours === undefined ? undefined : epochMs(NOW + hours * HOUR),
  });
const ids = (workers: readonly { readonly id: string }[]) => workers.map(({ id }) => id);

describe('the order of the fleet', () => {
  it('is its own when nobody rests', () => {
    expect(order(aSituation({ fleet: [b, a, c] }))).toEqual({
      ...{ candidates: [b, a, c], ill: new Map(), lastResorts: new Set(), skipped: [] },
    });
  });

  it('passes over whoever rests, with the reason and the end, and goes on with the others', () => {
    const { candidates, skipped } = order(aSituation({ fleet: [a, b], cooldowns: [rest(a, 2)] }));
    expect(candidates).toEqual([b]);
    expect(skipped).toEqual([
      { worker: a, kind: 'rate-limit', reason: 'five-hour limit', until: NOW + 2 * HOUR, because: 'resting' },
    ]);
  });

  it('passes over a sibling on the same seat, and no other seat of the same CLI', () => {
    const sibling = aWorker({ id: 'sibling', seat: a.seat });
    const fleet = [a, sibling, b];
    expect(order(aSituation({ fleet, cooldowns: [rest(a, 1)] })).candidates).toEqual([b]);
  });

  it('takes the resting as well when told to ignore cooldowns', () => {
    const situation = aSituation({ fleet: [a, b], cooldowns: [rest(a, 2)], ignoreCooldowns: true });
    expect(order(situation).candidates).toEqual([a, b]);
  });

  it('passes over a program that is not there before anything else', () => {
    const missing = new Map([[a.id, 'claude is not installed']]);
    const situation = aSituation({ fleet: [a, b], missing, cooldowns: [rest(a, 2)], ignoreCooldowns: true });
    expect(order(situation).skipped).toEqual([
      {
        ...{ worker: a, kind: 'cli-unavailable', reason: 'claude is not installed', until: undefined },
        because: 'missing',
      },
    ]);
  });

  it.each([
    { says: 'until its time has come', until: NOW + 1, skipped: true },
    { says: 'no longer when its time has come', until: NOW + 0, skipped: false },
    { says: 'for the whole session', until: undefined, skipped: true },
  ])('passes over what was spent in this session $says', ({ until, skipped }) => {
    const spent = new Map([[a.id, aSpent({ until: until === undefined ? undefined : epochMs(until) })]]);
    expect(ids(order(aSituation({ fleet: [a, b], spent })).candidates)).toEqual(skipped ? ['b'] : ['a', 'b']);
  });

  it('says of a worker that is spent for the session that it does not come back, though it also rests', () => {
    const spent = new Map([[a.id, aSpent()]]);
    const { skipped } = order(aSituation({ fleet: [a], spent, cooldowns: [rest(a, 1)] }));
    expect(skipped).toMatchObject([{ because: 'spent', until: undefined }]);
  });
});

describe('workers billed per use', () => {
  it.each(['stop', 'wait'] as const)('are left alone with --on-quota %s, and it says why', (onQuota) => {
    const { candidates, skipped } = order(aSituation({ fleet: [payPerUse, a], onQuota }));
    expect(candidates).toEqual([a]);
    expect(skipped).toMatchObject([{ worker: payPerUse, because: 'reserve', kind: undefined }]);
    expect(skipped[0]?.reason).toContain('--on-quota api');
  });

  it('come last with --on-quota api, wherever the fleet names them', () => {
    expect(ids(order(aSituation({ fleet: [payPerUse, a, b], onQuota: 'api' })).candidates)).toEqual([
      ...['a', 'b', 'key'],
    ]);
  });

  it('run when there is nobody else in the fleet, as somebody named them', () => {
    expect(order(aSituation({ fleet: [payPerUse] })).candidates).toEqual([payPerUse]);
  });

  it('rest like everybody else', () => {
    const situation = aSituation({ fleet: [a, payPerUse], onQuota: 'api', cooldowns: [rest(payPerUse, 1)] });
    expect(order(situation).candidates).toEqual([a]);
  });
});

describe('the choice', () => {
  it('is the first candidate', () => {
    expect(choose(aSituation({ fleet: [a, b] }), undefined)).toEqual({
      ...{ type: 'worker', worker: a, lastResort: false, skipped: [] },
    });
  });

  it('stays with the worker that the session is on', () => {
    expect(choose(aSituation({ fleet: [a, b, c] }), b.id)).toMatchObject({ type: 'worker', worker: b });
  });

  it('leaves the worker that the session is on once that one rests', () => {
    const situation = aSituation({ fleet: [a, b, c], cooldowns: [rest(b, 1)] });
    expect(choose(situation, b.id)).toMatchObject({ type: 'worker', worker: a });
  });

  it('is to wait for the first who comes back when all rest', () => {
    const cooldowns = [rest(a, 3), rest(b, 1), rest(c, undefined)];
    expect(choose(aSituation({ fleet: [a, b, c], cooldowns }), a.id)).toMatchObject({
      type: 'resting',
      earliest: { worker: b, at: NOW + HOUR },
    });
  });

  it('counts a worker with two limits as back when the last of them ends', () => {
    const cooldowns = [rest(a, 1), rest(a, 4), rest(b, 3)];
    expect(choose(aSituation({ fleet: [a, b], cooldowns }), undefined)).toMatchObject({
      earliest: { worker: b, at: NOW + 3 * HOUR },
    });
  });

  it('names no time when nobody comes back by itself', () => {
    const situation = aSituation({ fleet: [a, payPerUse], cooldowns: [rest(a, undefined)] });
    expect(choose(situation, undefined)).toMatchObject({ type: 'resting', earliest: undefined });
  });

  it('does not wait for a login or an installation, whatever the length of its rest', () => {
    const cooldowns = [rest(a, 1, 'auth-failure'), rest(b, 4), rest(c, 2, 'cli-unavailable')];
    expect(choose(aSituation({ fleet: [a, b, c], cooldowns }), undefined)).toMatchObject({
      type: 'resting',
      earliest: { worker: b, at: NOW + 4 * HOUR },
    });
  });

  it('is nobody when none is installed or logged in', () => {
    const situation = aSituation({
      fleet: [a, b],
      cooldowns: [rest(b, 1, 'auth-failure')],
      missing: new Map([[a.id, 'claude is not installed']]),
    });
    const choice = choose(situation, undefined);
    expect(choice.type).toBe('nobody');
    expect(ids(choice.skipped.map(({ worker }) => worker))).toEqual(['a', 'b']);
  });

  it('is nobody when the fleet is empty', () => {
    expect(choose(aSituation({ fleet: [] }), undefined)).toEqual({ type: 'nobody', skipped: [] });
  });

  it('is not nobody when one of them merely met a provider that is down', () => {
    const spent = new Map([[a.id, aSpent({ signal: aSignal({ kind: 'server-error' }) })]]);
    const missing = new Map([[b.id, 'codex is not installed']]);
    expect(choose(aSituation({ fleet: [a, b], spent, missing }), undefined).type).toBe('resting');
  });
});

describe('the scope of a limit', () => {
  it('leaves the seat its other models', () => {
    const opus = aWorker({ id: 'opus', seat: 'work', model: 'opus' });
    const sonnet = aWorker({ id: 'sonnet', seat: 'work', model: 'claude-sonnet-5' });
    const target = { type: 'model' as const, seat: seatId('work'), model: 'opus' };
    const cooldowns = [aCooldown({ target, worker: workerId('opus') })];
    const fleet = [opus, sonnet];
    expect(choose(aSituation({ fleet, cooldowns }), opus.id)).toMatchObject({ worker: sonnet });
    expect(choose(aSituation({ fleet, cooldowns, model: 'opus' }), opus.id).type).toBe('resting');
  });

  it('closes every seat of a workspace at once', () => {
    const [x, y] = ['x', 'y'].map((id) => aWorker({ id, workspace: 'acme' }));
    const cooldowns = [aCooldown({ target: { type: 'workspace', workspace: 'acme' } })];
    const fleet = [x, y, a].flatMap((one) => one ?? []);
    expect(choose(aSituation({ fleet, cooldowns }), undefined)).toMatchObject({ worker: a });
  });
});
