import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Clearance, Cooldown, CooldownTarget } from '../../../src/core/cooldown.ts';
import { seatId } from '../../../src/core/ids.ts';
import type { CooldownState } from '../../../src/core/merge.ts';
import { isCovered, join, NOTHING_KNOWN, prune } from '../../../src/core/merge.ts';
import type { EpochMs } from '../../../src/core/time.ts';
import { DAY, epochMs } from '../../../src/core/time.ts';
import { aClearance, aCooldown, NOW } from '../../rig/a-cooldown.ts';

// Few values, so that records meet: same target, same instant, same end.
const target = fc.constantFrom<CooldownTarget>(
  { type: 'seat', seat: seatId('work') },
  { type: 'model', seat: seatId('work'), model: 'opus' },
);
const kind = fc.constantFrom('rate-limit' as const, 'auth-failure' as const);
const instant = fc.integer({ min: 0, max: 8 }).map((hours) => epochMs(NOW + hours));
const cooldown: fc.Arbitrary<Cooldown> = fc
  .record({
    target,
    kind,
    since: instant,
    until: fc.option(instant, { nil: undefined }),
    reason: fc.constantFrom('a', 'b'),
  })
  .map(aCooldown);
const clearance: fc.Arbitrary<Clearance> = fc
  .record({
    target: fc.option(target, { nil: undefined }),
    kind: fc.option(kind, { nil: undefined }),
    at: instant,
    by: fc.constantFrom('probe' as const, 'operator' as const),
  })
  .map(aClearance);
const state: fc.Arbitrary<CooldownState> = fc
  .record({
    cooldowns: fc.array(cooldown, { maxLength: 6 }),
    clearances: fc.array(clearance, { maxLength: 3 }),
  })
  .map((parts) => join(parts, NOTHING_KNOWN));

function endOfRest({ cooldowns }: CooldownState, of: Cooldown): number {
  const same = cooldowns.filter((other) =>
    isCovered(other, aClearance({ target: of.target, kind: of.kind })),
  );
  return Math.max(-Infinity, ...same.map(({ until }) => until ?? Infinity));
}

describe('joining what two processes know', () => {
  it('comes to the same in either order', () => {
    fc.assert(
      fc.property(state, state, (a, b) => {
        expect(join(a, b)).toEqual(join(b, a));
      }),
    );
  });

  it('comes to the same in any grouping', () => {
    fc.assert(
      fc.property(state, state, state, (a, b, c) => {
        expect(join(join(a, b), c)).toEqual(join(a, join(b, c)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('changes nothing when it is done again', () => {
    fc.assert(
      fc.property(state, state, (a, b) => {
        const once = join(a, b);
        expect(join(once, b)).toEqual(once);
        expect(join(once, once)).toEqual(once);
      }),
    );
  });

  it('never shortens a rest by a record', () => {
    fc.assert(
      fc.property(state, cooldown, (before, added) => {
        const after = join(before, { cooldowns: [added], clearances: [] });
        for (const one of before.cooldowns) {
          expect(endOfRest(after, one)).toBeGreaterThanOrEqual(endOfRest(before, one));
        }
      }),
    );
  });

  it('rests until the longest end of all evidence that no clearance is newer than', () => {
    fc.assert(
      fc.property(fc.array(cooldown), fc.array(clearance), (cooldowns, clearances) => {
        const joined = cooldowns
          .map((one): CooldownState => ({ cooldowns: [one], clearances: [] }))
          .concat(clearances.map((one) => ({ cooldowns: [], clearances: [one] })))
          .reduce(join, NOTHING_KNOWN);
        const standing = cooldowns.filter(
          (one) => !clearances.some((other) => isCovered(one, other) && one.since <= other.at),
        );
        for (const one of cooldowns) {
          expect(endOfRest(joined, one)).toBe(endOfRest({ cooldowns: standing, clearances: [] }, one));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps a shorter record that is newer, for when the longer one is cleared', () => {
    const long = aCooldown({ since: NOW, until: epochMs(NOW + 5 * DAY) });
    const newer = aCooldown({ since: epochMs(NOW + 10), until: epochMs(NOW + DAY) });
    const both = join({ cooldowns: [long], clearances: [] }, { cooldowns: [newer], clearances: [] });
    const cleared = join(both, { cooldowns: [], clearances: [aClearance({ at: epochMs(NOW + 5) })] });
    expect(cleared.cooldowns).toEqual([newer]);
  });
});

describe('pruning', () => {
  it('drops what ended more than a day ago and keeps what is still obeyed', () => {
    const ended = aCooldown({ since: epochMs(NOW - 3 * DAY), until: epochMs(NOW - 2 * DAY) });
    const justEnded = aCooldown({ kind: 'auth-failure', until: epochMs(NOW - 1) });
    const untilCleared = aCooldown({
      kind: 'out-of-credits',
      since: epochMs(NOW - 90 * DAY),
      until: undefined,
    });
    const known = { cooldowns: [ended, justEnded, untilCleared], clearances: [] };
    expect(prune(known, NOW).cooldowns).toEqual([justEnded, untilCleared]);
  });

  it('never changes when the rests end that are left', () => {
    const later = fc.integer({ min: 1, max: 20 }).map((days) => epochMs(NOW + days * DAY));
    fc.assert(
      fc.property(state, state, later, (a, b, now: EpochMs) => {
        expect(prune(join(prune(a, now), b), now).cooldowns).toEqual(prune(join(a, b), now).cooldowns);
      }),
    );
  });
});
