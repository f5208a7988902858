import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cooldown } from '../../../src/core/cooldown.ts';
import { believed, join, NOTHING_KNOWN } from '../../../src/core/merge.ts';
import { DEFAULT_RESTS } from '../../../src/core/policy.ts';
import { DAY, epochMs, HOUR, SECOND } from '../../../src/core/time.ts';
import { gate } from '../../../src/fleet/gate.ts';
import { renewalOf } from '../../../src/fleet/renewal.ts';
import type { QuotaAnswer, QuotaWindow } from '../../../src/workers/quota-answer.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aRest } from '../../rig/any-situation.ts';
import { aWorker } from '../../rig/builders.ts';

const worker = aWorker({ id: 'codex', seat: 'home' });
const ASKED = epochMs(NOW - 3 * SECOND);

const aWindow = (overrides: Partial<QuotaWindow> = {}): QuotaWindow => ({
  ...{
    name: 'five-hour limit',
    scope: 'seat',
    usedPercent: 40,
    resetAt: epochMs(NOW + HOUR),
    isClosed: false,
  },
  ...overrides,
});
const closed = (hours: number | undefined, more: Partial<QuotaWindow> = {}) =>
  aWindow({
    usedPercent: 100,
    isClosed: true,
    resetAt: hours === undefined ? undefined : epochMs(NOW + hours * HOUR),
    ...more,
  });
const seen = (...windows: readonly QuotaWindow[]): QuotaAnswer => ({
  type: 'seen',
  windows,
  credits: undefined,
});
const credits = (isEmpty: boolean): QuotaAnswer => ({
  type: 'seen',
  windows: [],
  credits: { isEmpty, words: '0.00 CNY left' },
});
const resting = (overrides: Partial<Cooldown> = {}): Cooldown =>
  aCooldown({
    target: { type: 'seat', seat: worker.seat },
    worker: worker.id,
    since: epochMs(NOW - HOUR),
    ...overrides,
  });

/** The cooldowns that are left, after what a look saw was written as a store does it. */
function after(known: readonly Cooldown[], answer: QuotaAnswer): readonly Cooldown[] {
  const { clearances, cooldowns } = renewalOf(worker, answer, known, {
    askedAt: ASKED,
    now: NOW,
    rests: DEFAULT_RESTS,
  });
  const before = { ...NOTHING_KNOWN, cooldowns: known };
  return believed(join(join(before, { ...NOTHING_KNOWN, cooldowns }), { ...NOTHING_KNOWN, clearances }), NOW);
}

describe('a look that sees room', () => {
  it('ends the rest of the seat', () => {
    expect(after([resting()], seen(aWindow(), aWindow({ name: 'weekly limit' })))).toEqual([]);
  });

  it('ends the rest of the model that it saw, and no other', () => {
    const opus = resting({ target: { type: 'model', seat: worker.seat, model: 'opus' } });
    expect(after([opus, resting()], seen(aWindow({ scope: 'model:opus' })))).toEqual([resting()]);
  });

  it.each<[string, Partial<Cooldown>]>([
    ['for money', { kind: 'out-of-credits' }],
    ['for a login', { kind: 'auth-failure' }],
    ['that an operator added', { source: 'operator' }],
    ['that was met since the look began', { since: NOW }],
    ['of another seat', { target: { type: 'seat', seat: aWorker({ id: 'x' }).seat } }],
  ])('leaves a rest %s', (_what, overrides) => {
    expect(after([resting(overrides)], seen(aWindow()))).toEqual([resting(overrides)]);
  });
});

describe('a look that sees a closed window', () => {
  it.each([
    ['longer', 9],
    ['shorter', 2],
  ])('makes the rest as long as the newer reset says, be it %s', (_how, hours) => {
    expect(after([resting({ until: epochMs(NOW + 5 * HOUR) })], seen(closed(hours)))).toMatchObject([
      { until: NOW + hours * HOUR, source: 'probe', reason: 'five-hour limit', kind: 'rate-limit' },
    ]);
  });

  it('rests a seat of which nothing was known', () => {
    expect(after([], seen(aWindow(), closed(3, { name: 'weekly limit' })))).toMatchObject([
      { target: { type: 'seat', seat: 'home' }, until: NOW + 3 * HOUR, reason: 'weekly limit' },
    ]);
  });

  it('rests until the last of several closed windows opens', () => {
    expect(after([], seen(closed(3), closed(90, { name: 'weekly limit' })))).toMatchObject([
      { until: NOW + 90 * HOUR },
    ]);
  });

  it('rests a model alone when only its window is closed', () => {
    const known = after(
      [resting()],
      seen(aWindow(), closed(3, { scope: 'model:opus', name: 'weekly Opus limit' })),
    );
    expect(known).toMatchObject([{ target: { type: 'model', model: 'opus' }, until: NOW + 3 * HOUR }]);
  });

  it('leaves the rest as it is when it names no reset', () => {
    expect(after([resting()], seen(closed(undefined)))).toEqual([resting()]);
  });
});

describe('a balance', () => {
  it('that is empty rests the seat for as long as money does, before a run is wasted on it', () => {
    expect(after([], credits(true))).toMatchObject([
      { kind: 'out-of-credits', until: NOW + DAY, source: 'probe', reason: '0.00 CNY left' },
    ]);
  });

  it('that is funded ends the rest, also one until cleared', () => {
    expect(after([resting({ kind: 'out-of-credits', until: undefined })], credits(false))).toEqual([]);
  });
});

it('changes nothing when it saw nothing', () => {
  fc.assert(
    fc.property(fc.array(aRest), (known) => {
      expect(
        renewalOf(worker, { type: 'unknown', why: 'slow' }, known, {
          askedAt: ASKED,
          now: NOW,
          rests: DEFAULT_RESTS,
        }),
      ).toEqual({
        ...{ clearances: [], cooldowns: [] },
      });
    }),
  );
});

it('opens the gate exactly when no window of the seat is closed, whatever quota was resting before', () => {
  const windows = fc.array(
    fc
      .record({ isClosed: fc.boolean(), hours: fc.integer({ min: 1, max: 150 }) })
      .map(({ isClosed, hours }) => (isClosed ? closed(hours) : aWindow())),
    { minLength: 1, maxLength: 4 },
  );
  const rests = fc.array(
    fc.integer({ min: -5, max: 150 }).map((hours) => resting({ until: epochMs(NOW + hours * HOUR) })),
  );
  fc.assert(
    fc.property(windows, rests, (read, known) => {
      const answer = gate(worker, after(known, seen(...read)), NOW);
      const longest = Math.max(...read.filter(({ isClosed }) => isClosed).map(({ resetAt }) => resetAt ?? 0));
      expect(answer.type === 'open' ? -Infinity : answer.until).toBe(longest);
    }),
  );
});
