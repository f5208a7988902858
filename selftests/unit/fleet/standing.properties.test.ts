import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Situation } from '../../../src/fleet/order.ts';
import { standings } from '../../../src/fleet/standing.ts';
import { standingJson } from '../../../src/cli/standing-words.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anySituation } from '../../rig/any-situation.ts';
import type { PlayedAttempt } from '../../rig/dispatching.ts';
import { done, Play, refused } from '../../rig/dispatching.ts';

/** What a session does that begins in this situation. */
async function run(situation: Situation, attempts: readonly PlayedAttempt[]): Promise<Play> {
  const { fleet, cooldowns, health, missing, model, onQuota, ignoreCooldowns } = situation;
  const policy = { onQuota, ignoreCooldowns, maxWaitMs: undefined };
  const stage = { fleet, cooldowns, health, attempts, policy, missing: () => missing };
  const play = new Play(model === undefined ? stage : { ...stage, model });
  await play.run();
  return play;
}

/** A new session has met nothing yet, and a wait would only bring it to another situation. */
const anyBeginning = anySituation
  .filter(({ onQuota }) => onQuota !== 'wait')
  .map((situation): Situation => ({ ...situation, spent: new Map(), spread: false }));

const placesIn = (situation: Situation) =>
  standings(situation).flatMap((one) => (one.type === 'candidate' ? [one.worker.id] : []));

it('shows first whom a run starts, and nobody when it starts nobody', async () => {
  await fc.assert(
    fc.asyncProperty(anyBeginning, async (situation) => {
      const play = await run(situation, [done]);
      expect(play.started).toEqual(placesIn(situation).slice(0, 1));
    }),
    { numRuns: 500 },
  );
});

it('shows the order in which a run goes on when one after the other cannot do it', async () => {
  await fc.assert(
    fc.asyncProperty(anyBeginning, async (situation) => {
      const play = await run(situation, [refused({ kind: 'server-error' })]);
      expect(play.started).toEqual(placesIn(situation));
    }),
    { numRuns: 500 },
  );
});

it('shows of everybody else what a run says of them: the same reason and the same end', async () => {
  await fc.assert(
    fc.asyncProperty(anyBeginning, async (situation) => {
      const play = await run(situation, [done]);
      const shown = standings(situation).flatMap((one) =>
        one.type === 'skipped'
          ? [{ worker: one.worker.id, kind: one.why.kind, reason: one.why.reason, until: one.why.until }]
          : [],
      );
      const candidates = new Set(
        standings(situation).flatMap((one) => (one.type === 'candidate' ? [one.worker.id] : [])),
      );
      const said = play
        .eventsOf('worker.skipped')
        .filter(({ worker }) => !candidates.has(worker))
        .map(({ worker, kind, reason, until }) => ({ worker, kind, reason, until }));
      const byWorker = (a: { worker: string }, b: { worker: string }) => (a.worker < b.worker ? -1 : 1);
      expect(said.toSorted(byWorker)).toEqual(shown.toSorted(byWorker));
    }),
    { numRuns: 500 },
  );
});

it('shows everybody once, in the same words for a person and for a script, and whoever is back first before the others', () => {
  fc.assert(
    fc.property(anyBeginning, (situation) => {
      const all = standings(situation);
      expect(all.map(({ worker }) => worker.id).toSorted()).toEqual(
        situation.fleet.map(({ id }) => id).toSorted(),
      );
      const rows = all.map((one) => standingJson(one, NOW));
      const left = rows
        .filter(({ place }) => place === null)
        .map(({ remainingMs }) => Number(remainingMs ?? Infinity));
      expect(left).toEqual(left.toSorted((a, b) => a - b));
      expect(rows.map(({ place }) => place).filter((place) => place !== null)).toEqual(
        placesIn(situation).map((_, index) => index + 1),
      );
    }),
    { numRuns: 500 },
  );
});
