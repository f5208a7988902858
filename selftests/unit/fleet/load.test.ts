import { describe, expect, it } from 'vitest';
import { seatId } from '../../../src/core/ids.ts';
import { epochMs, MINUTE } from '../../../src/core/time.ts';
import { order } from '../../../src/fleet/order.ts';
import type { Loads } from '../../../src/fleet/load.ts';
import { byLoad, isLimited, whyFull } from '../../../src/fleet/load.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aSituation, aWorker } from '../../rig/builders.ts';

const worker = aWorker({ id: 'a', seat: 's' });
const ended = (minutesAgo: number) =>
  aCooldown({ target: { type: 'seat', seat: seatId('s') }, until: epochMs(NOW - minutesAgo * MINUTE) });
const load = (running: number, proven: number, seat = 's'): Loads =>
  new Map([[seatId(seat), { running, proven }]]);

describe("a user's own limit", () => {
  const limited = aWorker({ id: 'a', seat: 's', maxConcurrent: 2 });

  it.each([
    [0, true],
    [1, true],
    [2, false],
    [3, false],
  ])('with %i running has room: %s', (running, hasRoom) => {
    expect(whyFull(limited, load(running, running), [], NOW) === undefined).toBe(hasRoom);
  });

  it('is on the seat: what runs on another counts for nothing', () => {
    expect(whyFull(limited, load(9, 9, 'other'), [], NOW)).toBeUndefined();
  });

  it('is nobody else’s: without one there is room for all', () => {
    expect(whyFull(worker, load(50, 0), [], NOW)).toBeUndefined();
    expect(isLimited(worker, [], NOW)).toBe(false);
    expect(isLimited(limited, [], NOW)).toBe(true);
  });
});

describe('a window that has just opened', () => {
  it.each([
    { running: 0, proven: 0, more: true },
    { running: 1, proven: 0, more: false },
    { running: 1, proven: 1, more: true },
    { running: 2, proven: 1, more: false },
    { running: 2, proven: 2, more: true },
    { running: 3, proven: 2, more: true },
    { running: 4, proven: 2, more: false },
  ])('lets one ahead, then as many more as are let in: $running run, $proven proven', (drawn) => {
    const { running, proven, more } = drawn;
    expect(whyFull(worker, load(running, proven), [ended(1)], NOW) === undefined).toBe(more);
  });

  it.each([
    ['just now', ended(0), true],
    ['nine minutes ago', ended(9), true],
    ['ten minutes ago', ended(10), false],
    ['on another seat', aCooldown({ until: epochMs(NOW - MINUTE) }), false],
    ['for want of credits', { ...ended(1), kind: 'out-of-credits' as const }, false],
    ['not yet', ended(-1), false],
    ['never by itself', { ...ended(1), until: undefined }, false],
  ])('is one whose rest ended %s: %#', (_when, cooldown, isOne) => {
    expect(isLimited(worker, [cooldown], NOW)).toBe(isOne);
    expect(whyFull(worker, load(1, 0), [cooldown], NOW) !== undefined).toBe(isOne);
  });

  it('is not felt by who ignores cooldowns', () => {
    const situation = aSituation({ fleet: [worker], cooldowns: [ended(1)], loads: load(1, 0) });
    expect(order(situation)).toMatchObject({ candidates: [], skipped: [{ because: 'busy' }] });
    expect(order({ ...situation, ignoreCooldowns: true }).candidates).toEqual([worker]);
  });

  it('of one model is felt by who asks for that model alone', () => {
    const opus = aCooldown({
      ...ended(1),
      target: { type: 'model', seat: seatId('s'), model: 'opus' },
    });
    const situation = aSituation({ fleet: [worker], cooldowns: [opus], loads: load(1, 0) });
    expect(order({ ...situation, model: 'opus' }).candidates).toEqual([]);
    expect(order({ ...situation, model: 'sonnet' }).candidates).toEqual([worker]);
  });
});

it('puts the least loaded seats first, and leaves equals as they were', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => aWorker({ id })) as [
    typeof worker,
    typeof worker,
    typeof worker,
  ];
  const loads: Loads = new Map([[seatId('a'), { running: 1, proven: 0 }]]);
  expect(byLoad([a, b, c], loads)).toEqual([b, c, a]);
  expect(order(aSituation({ fleet: [a, b, c], loads, spread: true })).candidates).toEqual([b, c, a]);
  expect(order(aSituation({ fleet: [a, b, c], loads })).candidates).toEqual([a, b, c]);
});
