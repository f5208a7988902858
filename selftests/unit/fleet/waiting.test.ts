import { describe, expect, it } from 'vitest';
import { DEFAULT_RESTS } from '../../../src/core/policy.ts';
import { durationMs, epochMs, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import { holdDelay } from '../../../src/fleet/waiting.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';
import type { PlayedAttempt } from '../../rig/dispatching.ts';
import { done, inHours, Play, refused } from '../../rig/dispatching.ts';

const a = aWorker({ id: 'a' });
const b = aWorker({ id: 'b', adapter: 'codex' });
const sum = (parts: readonly number[]): number => parts.reduce((total, part) => total + part, 0);

describe('a hold', () => {
  it('gives the same worker time, twice as much each time, up to half a minute', async () => {
    const busy = Array.from({ length: 8 }, () => refused({ kind: 'overloaded' }));
    const play = new Play({ fleet: [a, b], attempts: [...busy, done], random: 1 });
    await play.run();
    expect(play.started).toEqual(Array.from({ length: 9 }, () => 'a'));
    expect(play.clock.slept).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(play.cooldowns).toEqual([]);
    expect(play.eventsOf('session.ended')).toMatchObject([{ heldMs: 91_500, switchCount: 0 }]);
  });

  it.each([0, 0.3, 0.999])('waits at least half of it, however the dice fall: %f', (random) => {
    for (const count of [0, 1, 5, 6, 50]) {
      const full = holdDelay(count, 1);
      expect(holdDelay(count, random)).toBeGreaterThanOrEqual(full / 2);
      expect(holdDelay(count, random)).toBeLessThanOrEqual(full);
    }
  });

  it('stays within its budget in total, then the next worker goes on', async () => {
    const play = new Play({
      fleet: [a, b],
      policy: { holdMs: durationMs(5 * MINUTE) },
      attempts: [
        (worker, session) => (worker.id === a.id ? refused({ kind: 'overloaded' }) : done)(worker, session),
      ],
      random: 1,
    });
    expect(await play.run()).toMatchObject({ type: 'done', worker: b });
    expect(sum(play.clock.slept)).toBeLessThanOrEqual(5 * MINUTE);
    expect(sum(play.clock.slept)).toBeGreaterThan(4 * MINUTE);
    expect(play.eventsOf('session.ended')[0]?.heldMs).toBe(sum(play.clock.slept));
  });

  it("counts what the CLI's own retries have waited", async () => {
    const busy: PlayedAttempt = (worker, session) => ({
      ...refused({ kind: 'overloaded' })(worker, session),
      busyMs: durationMs(10 * SECOND),
    });
    const play = new Play({
      fleet: [a, b],
      policy: { holdMs: durationMs(25 * SECOND) },
      attempts: [busy, busy, busy, done],
    });
    expect(await play.run()).toMatchObject({ type: 'done', worker: b });
    expect(play.started).toEqual(['a', 'a', 'a', 'b']);
  });

  it('counts for the session, not for each worker', async () => {
    const play = new Play({
      fleet: [a, b],
      policy: { holdMs: durationMs(MINUTE) },
      attempts: [refused({ kind: 'overloaded' })],
    });
    expect(await play.run()).toMatchObject({ type: 'exhausted', earliest: undefined });
    expect(sum(play.clock.slept)).toBeLessThanOrEqual(MINUTE);
  });

  it('never ends before the moment that the provider named', async () => {
    const resetAt = epochMs(NOW + 90 * SECOND);
    const play = new Play({ fleet: [a], attempts: [refused({ kind: 'overloaded', resetAt }), done] });
    await play.run();
    expect(play.clock.now()).toBe(resetAt);
  });

  it.each([
    ['nothing can recover within it', { resetAt: inHours(1) }, 20 * MINUTE],
    ['there is none', {}, 0],
  ])('is not even begun when %s', async (_why, signal, hold) => {
    const play = new Play({
      fleet: [a, b],
      policy: { holdMs: durationMs(hold) },
      attempts: [refused({ kind: 'overloaded', ...signal }), done],
    });
    expect(await play.run()).toMatchObject({ type: 'done', worker: b });
    expect(play.clock.slept).toEqual([]);
    expect(play.eventsOf('hold.started')).toEqual([]);
  });

  it('ends at once when the session is stopped', async () => {
    const abort = new AbortController();
    const stop: PlayedAttempt = (worker, session) => {
      abort.abort('SIGINT');
      return refused({ kind: 'overloaded' })(worker, session);
    };
    const play = new Play({ fleet: [a], abort, attempts: [stop, done] });
    expect(await play.run()).toMatchObject({ type: 'stopped', because: 'interrupted' });
    expect(play.clock.slept).toEqual([]);
  });
});

describe('a wait', () => {
  const wait = { onQuota: 'wait' } as const;

  it('ends at the reset of the first who comes back, and that one goes on', async () => {
    const attempts = [refused({ resetAt: inHours(5) }), refused({ resetAt: inHours(2) }), done];
    const play = new Play({ fleet: [a, b], policy: wait, attempts });
    expect(await play.run()).toMatchObject({ type: 'done', worker: b });
    expect(play.clock.now()).toBe(inHours(2));
    expect(play.eventsOf('wait.ended')).toMatchObject([{ waitedMs: 2 * HOUR }]);
  });

  it('is spread over five seconds, so that waiting runs do not come back as one', async () => {
    const play = new Play({
      fleet: [a],
      policy: wait,
      attempts: [refused({ resetAt: inHours(2) }), done],
      random: 1,
    });
    await play.run();
    expect(play.clock.now()).toBe(inHours(2) + 5_000);
  });

  it('is over within a second of a rest that somebody cleared', async () => {
    const play = new Play({ fleet: [a], policy: wait, attempts: [refused({ resetAt: inHours(2) }), done] });
    play.clock.whenSleeping((slept) => {
      if (slept === 60) play.cooldowns = [];
    });
    expect(await play.run()).toMatchObject({ type: 'done' });
    expect(play.clock.now() - NOW).toBe(60 * SECOND);
  });

  it('is not begun when it could not end within --max-wait', async () => {
    const maxWaitMs = durationMs(HOUR);
    const attempts = [refused({ resetAt: inHours(2) }), done];
    const play = new Play({ fleet: [a], policy: { ...wait, maxWaitMs }, attempts });
    expect(await play.run()).toMatchObject({ type: 'exhausted', earliest: { at: inHours(2) } });
    expect(play.clock.slept).toEqual([]);
  });

  it('is begun when the reset comes within --max-wait, wherever the dice put its end', async () => {
    const maxWaitMs = durationMs(2 * HOUR);
    const attempts = [refused({ resetAt: inHours(2) }), done];
    const play = new Play({ fleet: [a], policy: { ...wait, maxWaitMs }, attempts, random: 1 });
    expect(await play.run()).toMatchObject({ type: 'done' });
    expect(play.clock.now()).toBe(inHours(2));
  });

  it('has --max-wait in total, though it waits again and again', async () => {
    const maxWaitMs = durationMs(3 * HOUR);
    const again: PlayedAttempt = (worker, session) =>
      refused({ resetAt: epochMs(play.clock.now() + HOUR) })(worker, session);
    const play = new Play({ fleet: [a], policy: { ...wait, maxWaitMs }, attempts: [again] });
    expect(await play.run()).toMatchObject({ type: 'exhausted' });
    expect(play.clock.monotonic()).toBe(3 * HOUR);
    expect(play.started).toHaveLength(4);
  });

  it('ends by its budget when the wall clock is set back', async () => {
    const maxWaitMs = durationMs(3 * HOUR);
    const play = new Play({
      fleet: [a],
      policy: { ...wait, maxWaitMs },
      attempts: [refused({ resetAt: inHours(2) }), done],
    });
    play.clock.whenSleeping((slept) => {
      if (slept === 1) play.clock.setWall(NOW - 12 * HOUR);
    });
    expect(await play.run()).toMatchObject({ type: 'exhausted' });
    expect(play.clock.monotonic()).toBe(3 * HOUR);
  });

  it('is over at once on a laptop that slept past the reset', async () => {
    const play = new Play({ fleet: [a], policy: wait, attempts: [refused({ resetAt: inHours(2) }), done] });
    play.clock.whenSleeping((slept) => {
      if (slept === 1) play.clock.setWall(inHours(9));
    });
    expect(await play.run()).toMatchObject({ type: 'done' });
    expect(play.clock.monotonic()).toBe(SECOND);
  });

  it('stops when the session is stopped', async () => {
    const abort = new AbortController();
    const attempts = [refused({ resetAt: inHours(2) }), done];
    const play = new Play({ fleet: [a], policy: wait, attempts, abort });
    play.clock.whenSleeping((slept) => {
      if (slept === 3) abort.abort('SIGTERM');
    });
    expect(await play.run()).toEqual({ type: 'stopped', because: 'interrupted' });
    expect(play.clock.monotonic()).toBe(3 * SECOND);
  });

  it.each([
    ['a person has to log in', { kind: 'auth-failure' }, 'unavailable'],
    ['a spend cap has no end', { kind: 'out-of-credits', untilCleared: true }, 'exhausted'],
    ['the provider is broken', { kind: 'server-error' }, 'exhausted'],
  ] as const)('is not begun when %s', async (_why, signal, type) => {
    const play = new Play({ fleet: [a], policy: wait, attempts: [refused(signal), done] });
    expect((await play.run()).type).toBe(type);
    expect(play.clock.slept).toEqual([]);
  });
});

describe('a refusal that comes again', () => {
  it('does not send two workers round in circles, however soon each is said to be back', async () => {
    const soon: PlayedAttempt = (worker, session) => {
      play.clock.pass(2 * SECOND);
      return refused({ resetAt: epochMs(play.clock.now() + SECOND) })(worker, session);
    };
    const play = new Play({ fleet: [a, b], attempts: [soon] });
    expect(await play.run()).toMatchObject({ type: 'exhausted' });
    expect(play.started).toEqual(['a', 'b', 'a', 'b']);
  });

  it.each([
    ['a rest of no length', {}],
    ['a reset of just now', { resetAt: epochMs(NOW - SECOND) }],
  ])('does not start a worker again and again over %s', async (_what, signal) => {
    const rests = { ...DEFAULT_RESTS, 'rate-limit': durationMs(0) };
    const play = new Play({ fleet: [a], policy: { rests }, attempts: [refused(signal)] });
    expect(await play.run()).toMatchObject({ type: 'exhausted' });
    expect(play.started.length).toBeLessThanOrEqual(2);
  });

  it('slows a waiting session down to one try in half an hour', async () => {
    const soon: PlayedAttempt = (worker, session) =>
      refused({ resetAt: epochMs(play.clock.now() + SECOND) })(worker, session);
    const maxWaitMs = durationMs(24 * HOUR);
    const play = new Play({ fleet: [a], policy: { onQuota: 'wait', maxWaitMs }, attempts: [soon] });
    expect(await play.run()).toMatchObject({ type: 'exhausted' });
    expect(play.started.length).toBeLessThan(60);
    expect(play.clock.monotonic()).toBeLessThanOrEqual(24 * HOUR);
  });
});

describe('a rest that is not on record', () => {
  it.each([
    ['the disk is full', { isFull: true }],
    ['cooldowns are switched off', { isFull: true, policy: { cooldowns: false, ignoreCooldowns: true } }],
    ['cooldowns are not obeyed', { policy: { ignoreCooldowns: true } }],
  ])('is remembered by the session itself when %s', async (_why, stage) => {
    const play = new Play({ fleet: [a, b], ...stage, attempts: [refused({ resetAt: inHours(2) }), done] });
    expect(await play.run()).toMatchObject({ type: 'done', worker: b });
    expect(play.started).toEqual(['a', 'b']);
    expect(play.eventsOf('cooldown.not-recorded')).toHaveLength('isFull' in stage ? 1 : 0);
  });

  it('ends the session as exhausted when it holds for all, instead of going on for ever', async () => {
    const play = new Play({ fleet: [a, b], isFull: true, attempts: [refused({ resetAt: inHours(2) })] });
    expect(await play.run()).toMatchObject({ type: 'exhausted', earliest: { worker: a, at: inHours(2) } });
    expect(play.started).toEqual(['a', 'b']);
  });

  it('is waited for like any other', async () => {
    const attempts = [refused({ resetAt: inHours(2) }), done];
    const play = new Play({ fleet: [a], isFull: true, policy: { onQuota: 'wait' }, attempts });
    expect(await play.run()).toMatchObject({ type: 'done' });
    expect(play.clock.now()).toBe(inHours(2));
  });
});
