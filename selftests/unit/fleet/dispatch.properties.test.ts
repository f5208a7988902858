import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DEFAULT_RESTS, ON_QUOTA } from '../../../src/core/policy.ts';
import type { Signal } from '../../../src/core/signal.ts';
import { SIGNAL_KINDS } from '../../../src/core/signal.ts';
import { DAY, durationMs, epochMs, MINUTE } from '../../../src/core/time.ts';
import { gate } from '../../../src/fleet/gate.ts';
import type { Ending } from '../../../src/workers/ending.ts';
import { aSignal, aWorker } from '../../rig/builders.ts';
import type { PlayedAttempt, Stage } from '../../rig/dispatching.ts';
import { Play } from '../../rig/dispatching.ts';

interface Scene {
  /** How long the attempt takes. */
  readonly takes: number;
  readonly committed: boolean;
  /** What is refused, with the reset so long after the end; `undefined`: the attempt is done. */
  readonly refuses: { readonly signal: Signal; readonly resetsIn: number | undefined } | undefined;
}

const aScene: fc.Arbitrary<Scene> = fc.record({
  takes: fc.integer({ min: 0, max: 10 * MINUTE }),
  committed: fc.boolean(),
  refuses: fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    {
      weight: 9,
      arbitrary: fc.record({
        signal: fc
          .record({
            kind: fc.constantFrom(...SIGNAL_KINDS),
            scope: fc.constantFrom<Signal['scope'][]>('seat', 'model:opus', 'workspace'),
            untilCleared: fc.boolean(),
          })
          .map(aSignal),
        resetsIn: fc.oneof(
          fc.constant(undefined),
          fc.integer({ min: -3_600_000, max: 3 * MINUTE }),
          fc.integer({ min: 0, max: 10 * DAY }),
        ),
      }),
    },
  ),
});

const aFleet = fc
  .array(
    fc.record({
      seat: fc.constantFrom('s1', 's2', 's3'),
      model: fc.constantFrom(undefined, 'opus', 'sonnet'),
      workspace: fc.constantFrom(undefined, 'acme'),
      billing: fc.constantFrom(undefined, 'api' as const),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((workers) => workers.map((worker, index) => aWorker({ ...worker, id: `w${String(index)}` })));

const aStage = fc.record({
  fleet: aFleet,
  scenes: fc.array(aScene, { minLength: 1, maxLength: 8 }),
  onQuota: fc.constantFrom(...ON_QUOTA),
  maxWait: fc.integer({ min: 0, max: DAY }),
  hold: fc.integer({ min: 0, max: 10 * MINUTE }),
  rest: fc.constantFrom(0, 1, 1_000, 30 * MINUTE),
  isFull: fc.boolean(),
  ignoreCooldowns: fc.boolean(),
  random: fc.double({ min: 0, max: 1, noNaN: true }),
});

type AStage = typeof aStage extends fc.Arbitrary<infer Value> ? Value : never;

/** A session whose every start is looked at by `atStart`. */
function play(drawn: AStage, atStart: (play: Play, worker: Stage['fleet'][number]) => void): Play {
  const { fleet, scenes, onQuota, maxWait, hold, rest, isFull, ignoreCooldowns, random } = drawn;
  const perform =
    ({ takes, committed, refuses }: Scene): PlayedAttempt =>
    (worker) => {
      atStart(played, worker);
      played.clock.pass(takes);
      return { progress: { committed }, ending: endingOf(refuses, played.clock.now()) };
    };
  const policy = {
    ...{ onQuota, maxWaitMs: durationMs(maxWait), holdMs: durationMs(hold), ignoreCooldowns },
    rests: { ...DEFAULT_RESTS, 'rate-limit': durationMs(rest), 'connection-failure': durationMs(rest) },
  };
  const played = new Play({ fleet, attempts: scenes.map(perform), policy, isFull, random });
  return played;
}

function endingOf(refuses: Scene['refuses'], now: number): Ending {
  if (refuses === undefined) return { type: 'done', text: 'All done.' };
  const { signal, resetsIn } = refuses;
  return {
    type: 'refused',
    signal: { ...signal, resetAt: resetsIn === undefined ? undefined : epochMs(now + resetsIn) },
  };
}

it('ends, whatever the workers meet, and never starts one whose gate is closed', async () => {
  await fc.assert(
    fc.asyncProperty(aStage, async (drawn) => {
      const played = play(drawn, ({ cooldowns, clock }, worker) => {
        if (!drawn.ignoreCooldowns) expect(gate(worker, cooldowns, clock.now()).type).toBe('open');
      });
      // `Play` throws at an attempt beyond any that a session may need.
      const outcome = await played.run();
      expect(played.eventsOf('session.ended')).toHaveLength(1);
      if (outcome.type === 'exhausted') expect(outcome.skipped).toHaveLength(drawn.fleet.length);
    }),
    { numRuns: 1_000 },
  );
});

it('never sends the bare task again once work was begun', async () => {
  await fc.assert(
    fc.asyncProperty(aStage, async (drawn) => {
      const played = play(drawn, () => undefined);
      await played.run();
      const begun = drawn.scenes.findIndex(({ committed }) => committed);
      if (begun === -1) return;
      expect(played.handovers.slice(begun + 1)).not.toContain('prompt');
    }),
    { numRuns: 300 },
  );
});

it('keeps holds and waits within their budgets, and counts what it did', async () => {
  await fc.assert(
    fc.asyncProperty(aStage, async (drawn) => {
      const played = play(drawn, () => undefined);
      await played.run();
      const total = (parts: readonly number[]): number => parts.reduce((sum, part) => sum + part, 0);
      const waited = total(played.eventsOf('wait.ended').map(({ waitedMs }) => waitedMs));
      const [ended] = played.eventsOf('session.ended');
      expect(waited).toBeLessThanOrEqual(drawn.maxWait);
      expect(ended?.heldMs).toBeLessThanOrEqual(drawn.hold);
      expect(total(played.clock.slept)).toBe(waited + (ended?.heldMs ?? 0));
      expect(ended?.switchCount).toBe(played.eventsOf('handoff').length);
      const changes = played.started.filter((id, index) => index > 0 && id !== played.started[index - 1]);
      expect(changes).toHaveLength(ended?.switchCount ?? -1);
    }),
    { numRuns: 300 },
  );
});
