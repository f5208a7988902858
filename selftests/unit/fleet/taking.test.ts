import { describe, expect, it } from 'vitest';
import type { SeatId } from '../../../src/core/ids.ts';
import { durationMs, epochMs, MINUTE, SECOND } from '../../../src/core/time.ts';
import type { Worker } from '../../../src/core/worker.ts';
import { placesOf } from '../../../src/library/places.ts';
import type { SeatLoad } from '../../../src/fleet/load.ts';
import { Session } from '../../../src/fleet/session.ts';
import type { DispatchOrder, TakingEffects } from '../../../src/fleet/taking.ts';
import { isStillOpen, take } from '../../../src/fleet/taking.ts';
import { waitForPlace } from '../../../src/fleet/waiting.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aPolicy, aSession, aWorker } from '../../rig/builders.ts';
import { done, Play, refused } from '../../rig/dispatching.ts';
import { FakeClock } from '../../rig/fake-clock.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

/** What sessions of one process need to choose, over real leases. */
function aHome(fleet: readonly Worker[]) {
  const home = tempFolder();
  const clock = new FakeClock();
  const order: DispatchOrder = {
    ...{ session: aSession(), fleet, model: undefined, policy: aPolicy(), spread: true },
  };
  const somebody = () => {
    const places = placesOf({ stateHome: home, clock: systemClock });
    const session = new Session(aSession(), { clock, emit: () => undefined, save: () => undefined });
    const effects: TakingEffects = {
      ...{ clock, random: () => 0, abort: new AbortController().signal, emit: () => undefined },
      readCooldowns: () => Promise.resolve([]),
      readHealth: () => Promise.resolve([]),
      missing: () => new Map(),
      ...{ loads: places.loads, reserve: places.reserve, giveBack: places.giveBack },
    };
    return { places, session, effects, take: () => take(order, session, effects) };
  };
  return { order, somebody };
}

describe('taking', () => {
  it('gives the last place to one of the sessions that ask for it at once', async () => {
    const { somebody } = aHome([aWorker({ id: 'a', maxConcurrent: 1 })]);
    const choices = await Promise.all(Array.from({ length: 5 }, () => somebody().take()));
    expect(choices.filter((choice) => choice?.type === 'worker')).toHaveLength(1);
    // The others were beaten to it, or saw it taken.
    for (const choice of choices) expect(['worker', 'busy', undefined]).toContain(choice?.type);
  });

  it('spreads sessions that begin at once over the seats', async () => {
    const { somebody } = aHome(['a', 'b', 'c'].map((id) => aWorker({ id })));
    const choices = await Promise.all(Array.from({ length: 6 }, () => somebody().take()));
    const chosen = choices.map((choice) => (choice?.type === 'worker' ? choice.worker.id : '-'));
    expect(chosen.sort()).toEqual(['a', 'a', 'b', 'b', 'c', 'c']);
  });

  it('has a place again when an attempt is over, and when one does not start after all', async () => {
    const { somebody } = aHome([aWorker({ id: 'a', maxConcurrent: 1 })]);
    const [first, second] = [somebody(), somebody()];
    await first.take();
    first.effects.giveBack();
    expect(await second.take()).toMatchObject({ type: 'worker' });
    second.places.lease().release();
    expect(await first.take()).toMatchObject({ type: 'worker' });
    // A session that takes another place leaves the one it had.
    expect(await first.take()).toMatchObject({ type: 'busy' });
  });

  it('lets a session wait for its own busy seat, though another one is free', async () => {
    const a = aWorker({ id: 'a', maxConcurrent: 1 });
    const { somebody } = aHome([a, aWorker({ id: 'b' })]);
    const [other, own] = [somebody(), somebody()];
    const told = { prompt: '', resume: undefined, how: 'prompt' as const, cliHome: undefined };
    own.session.begin(a, told, { model: undefined, lastResort: false });
    expect(await other.take()).toMatchObject({ worker: { id: 'a' } });
    expect(await own.take()).toMatchObject({ type: 'busy', worker: { id: 'a' } });
  });

  it('counts what an attempt has said of itself, and nothing of one that is over', async () => {
    const { somebody } = aHome([aWorker({ id: 'a' })]);
    const one = somebody();
    await one.take();
    const lease = one.places.lease();
    const load = (): SeatLoad | undefined => one.effects.loads().get('a' as SeatId);
    expect(load()).toEqual({ running: 1, proven: 0 });
    lease.startedAs(process.pid);
    lease.prove();
    lease.prove();
    expect(load()).toEqual({ running: 1, proven: 1 });
    lease.release();
    lease.prove();
    lease.startedAs(process.pid);
    expect(one.effects.loads().size).toBe(0);
  });
});

describe('a start', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => aWorker({ id, adapter: id })) as [Worker, Worker, Worker];

  it('is not made on a seat that was refused since it was chosen', async () => {
    const play = new Play({
      fleet: [a, b, c],
      attempts: [refused({}, true), done],
      handover: {
        // Another process meets the limit of b while the work is told to it.
        workTreeChanges: () => {
          const until = epochMs(NOW + 60 * MINUTE);
          if (play.cooldowns.length === 1)
            play.cooldowns = [
              ...play.cooldowns,
              aCooldown({ target: { type: 'seat', seat: b.seat }, worker: b.id, until }),
            ];
          return Promise.resolve(undefined);
        },
      },
    });
    expect(await play.run()).toMatchObject({ type: 'done', worker: c });
    expect(play.started).toEqual(['a', 'c']);
    expect(play.eventsOf('handoff')).toMatchObject([{ from: 'a', to: 'c' }]);
    expect(play.eventsOf('worker.skipped')).toMatchObject([{ worker: 'b' }]);
    expect(play.saved.at(-1)).toMatchObject({ switchCount: 1, attempts: [{ worker: 'a' }, { worker: 'c' }] });
  });

  it('is made all the same by who ignores cooldowns', async () => {
    const { order, somebody } = aHome([a]);
    const effects = {
      ...somebody().effects,
      readCooldowns: () => Promise.resolve([aCooldown({ target: { type: 'seat', seat: a.seat } })]),
    };
    expect(await isStillOpen(a, order, effects)).toBe(false);
    expect(await isStillOpen(a, { ...order, policy: aPolicy({ ignoreCooldowns: true }) }, effects)).toBe(
      true,
    );
  });
});

describe('waiting for a place', () => {
  const worker = aWorker();
  const waiting = (maxWait: number | undefined, isFree: () => boolean, abort = new AbortController()) => {
    const clock = new FakeClock();
    const session = new Session(aSession(), { clock, emit: () => undefined, save: () => undefined });
    const effects = { clock, random: () => 0, abort: abort.signal, emit: () => undefined };
    const budget = maxWait === undefined ? undefined : durationMs(maxWait);
    return {
      clock,
      session,
      over: () => waitForPlace(session, worker, budget, () => Promise.resolve(isFree()), effects),
    };
  };

  it('ends within a quarter of a second of there being one', async () => {
    const { clock, session, over } = waiting(undefined, () => clock.monotonic() >= 10 * SECOND);
    expect(await over()).toBe(true);
    expect(clock.monotonic()).toBeLessThanOrEqual(10 * SECOND + 250);
    expect(session.record).toMatchObject({ state: 'running', waitedMs: clock.monotonic() });
  });

  it('ends with its budget, whatever the wall clock does', async () => {
    const { clock, over } = waiting(MINUTE + 100, () => false);
    clock.whenSleeping(() => {
      clock.setWall(NOW - 60 * MINUTE);
    });
    expect(await over()).toBe(false);
    expect(clock.monotonic()).toBe(MINUTE + 100);
  });

  it('ends when the session is stopped', async () => {
    const abort = new AbortController();
    const { clock, over } = waiting(undefined, () => false, abort);
    clock.whenSleeping((slept) => {
      if (slept === 4) abort.abort('SIGINT');
    });
    expect(await over()).toBe(false);
    expect(clock.monotonic()).toBe(SECOND);
  });
});
