import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Cooldown } from '../../../src/core/cooldown.ts';
import type { Event } from '../../../src/core/event.ts';
import type { Health } from '../../../src/core/health.ts';
import { HEALTH_CAUSES } from '../../../src/core/health.ts';
import type { Policy } from '../../../src/core/policy.ts';
import { HOUR, SECOND } from '../../../src/core/time.ts';
import { aWorker } from '../../rig/builders.ts';
import type { PlayedAttempt } from '../../rig/dispatching.ts';
import { done, inHours, Play, refused } from '../../rig/dispatching.ts';

/*
 * A run of forty turns in which a spent daily quota answered 429 ninety-five times, among eight real failures of a
 * backend. One counter for both called the provider dead, and 22 turns failed for want of a candidate, while the same
 * provider went on to answer. Here the same mix meets two ledgers.
 */

const TURNS = 40;
const REFUSALS = 95;
/** Which of the third tier's answers were failures of its backend. */
const FAILURES = [2, 3, 5, 8, 13, 14, 15, 21];

/** The first tier through three projects, whose quota for the day is spent; a backup whose backend fails; a second tier that answers. */
const tierOne = ['flash-1', 'flash-2', 'flash-3'].map((id) => aWorker({ id, adapter: 'gemini' }));
const backup = aWorker({ id: 'gemma', adapter: 'gemini' });
const tierTwo = aWorker({ id: 'flash-lite', adapter: 'gemini' });
const fleet = [...tierOne, backup, tierTwo];

interface Told {
  readonly outcomes: readonly string[];
  readonly events: readonly Event[];
  readonly asked: ReadonlyMap<string, number>;
  readonly health: readonly Health[];
}

async function forty(
  answer: (worker: string, time: number, turn: number) => PlayedAttempt,
  policy: Partial<Policy> = {},
  between = 20 * SECOND,
): Promise<Told> {
  let cooldowns: readonly Cooldown[] = [];
  let health: readonly Health[] = [];
  const asked = new Map<string, number>();
  const outcomes: string[] = [];
  const events: Event[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const attempt: PlayedAttempt = (worker, session) => {
      const time = (asked.get(worker.id) ?? 0) + 1;
      asked.set(worker.id, time);
      return answer(worker.id, time, turn)(worker, session);
    };
    const play = new Play({ fleet, attempts: [attempt], cooldowns, health, policy });
    play.clock.pass(turn * between);
    outcomes.push((await play.run()).type);
    events.push(...play.events);
    ({ cooldowns, health } = play);
  }
  return { outcomes, events, asked, health };
}

const isTierOne = (worker: string) => worker.startsWith('flash-') && worker !== 'flash-lite';
const quota = refused({ kind: 'rate-limit', reason: 'daily quota', resetAt: inHours(11) });
const broken = refused({ kind: 'server-error', reason: 'the provider failed' });

/** Whom health ever kept from being asked, or was ever on record for. */
function calledIll({ events, health }: Told): ReadonlySet<string> {
  const passedOver = events.flatMap((event) =>
    event.type === 'worker.skipped' && HEALTH_CAUSES.some((cause) => cause === event.kind)
      ? [event.worker]
      : [],
  );
  return new Set([...passedOver, ...health.map(({ worker }) => worker)]);
}

describe('forty turns on a spent quota among real failures', () => {
  it('all end with an answer, though cooldowns are not obeyed and all 95 refusals are met', async () => {
    let refusals = 0;
    let failures = 0;
    const told = await forty(
      (worker, time) => {
        if (isTierOne(worker) && refusals < REFUSALS) {
          refusals += 1;
          return quota;
        }
        if (worker !== backup.id || !FAILURES.includes(time)) return done;
        failures += 1;
        return broken;
      },
      { ignoreCooldowns: true },
      // Long enough for the backup to be asked again after each failure.
      6 * 60 * SECOND,
    );
    expect({ refusals, failures }).toEqual({ refusals: REFUSALS, failures: FAILURES.length });
    expect(told.outcomes).toEqual(Array.from({ length: TURNS }, () => 'done'));
    expect([...calledIll(told)].filter((worker) => worker !== backup.id)).toEqual([]);
  });

  it('ask each spent seat once when cooldowns are obeyed, and never wait', async () => {
    const told = await forty((worker, time) =>
      isTierOne(worker) ? quota : worker === backup.id && FAILURES.includes(time) ? broken : done,
    );
    expect(told.outcomes).toEqual(Array.from({ length: TURNS }, () => 'done'));
    expect(tierOne.map(({ id }) => told.asked.get(id))).toEqual([1, 1, 1]);
    expect(told.events.filter(({ type }) => type === 'wait.started')).toEqual([]);
    expect([...calledIll(told)].filter((worker) => worker !== backup.id)).toEqual([]);
  });

  it('go on when every other worker has just failed: the least unhealthy answers, as a last resort', async () => {
    // Two tiers are down by turns, and whoever is asked second in a turn answers.
    const told = await forty((worker, _time, turn) =>
      isTierOne(worker) ? quota : (turn % 2 === 0) === (worker === backup.id) ? broken : done,
    );
    expect(told.outcomes).toEqual(Array.from({ length: TURNS }, () => 'done'));
    expect([...calledIll(told)].sort()).toEqual([tierTwo.id, backup.id]);
  });

  it('end with an answer whenever somebody would give one, whatever the others meet', async () => {
    const meets = fc.constantFrom('quota', 'broken', 'answers');
    const turns = fc.array(fc.array(meets, { minLength: fleet.length, maxLength: fleet.length }), {
      ...{ minLength: TURNS, maxLength: TURNS },
    });
    await fc.assert(
      fc.asyncProperty(turns, fc.integer({ min: 0, max: HOUR }), async (meetings, between) => {
        const told = await forty(
          (worker, _time, turn) => {
            const index = fleet.findIndex(({ id }) => id === worker);
            const met = index === turn % fleet.length ? 'answers' : meetings[turn]?.[index];
            return met === 'quota' ? quota : met === 'broken' ? broken : done;
          },
          { ignoreCooldowns: true },
          between,
        );
        expect(new Set(told.outcomes)).toEqual(new Set(['done']));
      }),
      { numRuns: 30 },
    );
  });
});
