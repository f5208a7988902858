import { describe, expect, it } from 'vitest';
import { DEFAULT_RESTS } from '../../../src/core/policy.ts';
import { durationMs, epochMs, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';
import type { PlayedAttempt } from '../../rig/dispatching.ts';
import { done, inHours, Play, refused } from '../../rig/dispatching.ts';

const a = aWorker({ id: 'a' });
const b = aWorker({ id: 'b', adapter: 'codex' });

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
    const play = new Play({ fleet: [a], policy: wait, attempts: [refused(signal), refused(signal), done] });
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

  it('gives up workers that are refused again and again, however long each takes to be', async () => {
    // While the fourth is at work the first one's pause passes: there is nothing to wait for, and no budget to be spent.
    const fleet = ['a', 'b', 'c', 'd'].map((id) => aWorker({ id }));
    const slow: PlayedAttempt = (worker, session) => {
      play.clock.pass(8 * MINUTE);
      return refused()(worker, session);
    };
    const play = new Play({ fleet, policy: { onQuota: 'wait', ignoreCooldowns: true }, attempts: [slow] });
    expect(await play.run()).toMatchObject({ type: 'exhausted', earliest: undefined });
    expect(
      play
        .eventsOf('attempt.note')
        .slice(-4)
        .map(({ text }) => text),
    ).toEqual(fleet.map(() => 'was refused again, so this session does not ask it any more'));
  });

  it('slows a waiting session down to one try in half an hour', async () => {
    const soon: PlayedAttempt = (worker, session) =>
      refused({ resetAt: epochMs(play.clock.now() + SECOND) })(worker, session);
    const maxWaitMs = durationMs(24 * HOUR);
    const play = new Play({ fleet: [a], policy: { onQuota: 'wait', maxWaitMs }, attempts: [soon] });
    expect(await play.run()).toMatchObject({ type: 'exhausted' });
    expect(play.started.length).toBeLessThan(60);
    expect(play.clock.monotonic()).toBeLessThanOrEqual(24 * HOUR);
    // Its waits are longer than the rests that it tells of, so it says why.
    const notes = play.eventsOf('attempt.note').map(({ text }) => text);
    const saying = (length: string) => `was refused again, so this session does not ask it for ${length}`;
    expect(notes.slice(0, 3)).toEqual(['1m', '2m', '4m'].map(saying));
    expect(notes).toHaveLength(play.started.length - 1);
  });
});

describe('a rest that is not on record', () => {
  it.each([
    ['the disk is full', { isFull: true }],
    ['cooldowns are switched off', { policy: { cooldowns: false, ignoreCooldowns: true } }],
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
