import { describe, expect, it } from 'vitest';
import { durationMs, epochMs, MINUTE, SECOND } from '../../../src/core/time.ts';
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
