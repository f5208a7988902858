import { describe, expect, it } from 'vitest';
import { seatId } from '../../../src/core/ids.ts';
import { HOUR } from '../../../src/core/time.ts';
import { aCooldown } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';
import type { PlayedAttempt } from '../../rig/dispatching.ts';
import { done, inHours, Play, refused } from '../../rig/dispatching.ts';

const a = aWorker({ id: 'a' });
const b = aWorker({ id: 'b', adapter: 'codex' });

describe('a session', () => {
  it('is over when its first worker is done, with its answer', async () => {
    const play = new Play({ fleet: [a, b], attempts: [done] });
    expect(await play.run()).toEqual({ type: 'done', worker: a, text: 'All done.' });
    expect(play.started).toEqual(['a']);
    expect(play.eventsOf('session.ended')).toMatchObject([
      { outcome: 'done', worker: 'a', switchCount: 0, text: 'All done.', heldMs: 0 },
    ]);
  });

  it('puts the rest on record before the next worker starts', async () => {
    const play = new Play({ fleet: [a, b], attempts: [refused({ resetAt: inHours(2) }), done] });
    await play.run();
    expect(play.steps.map(({ type }) => type)).toEqual(['attempt', 'recorded', 'attempt']);
    expect(play.started).toEqual(['a', 'b']);
    expect(play.cooldowns).toMatchObject([{ worker: 'a', until: inHours(2), target: { seat: 'a' } }]);
    expect(play.eventsOf('cooldown.recorded')).toMatchObject([{ worker: 'a', until: inHours(2) }]);
  });

  it('counts a change of worker as it hands over, and stays where it is until it must', async () => {
    const c = aWorker({ id: 'c' });
    const play = new Play({ fleet: [a, b, c], attempts: [refused(), refused(), done] });
    await play.run();
    expect(play.eventsOf('handoff')).toMatchObject([
      { from: 'a', to: 'b', how: 'prompt' },
      { from: 'b', to: 'c', how: 'prompt' },
    ]);
    expect(play.eventsOf('session.ended')).toMatchObject([{ switchCount: 2, worker: 'c' }]);
  });

  it('stays with the second worker though the first is back already', async () => {
    const late: PlayedAttempt = (worker, session) => {
      play.clock.pass(3 * HOUR);
      return refused({ kind: 'overloaded' })(worker, session);
    };
    const play = new Play({
      fleet: [a, b],
      attempts: [refused({ resetAt: inHours(1) }), late, done],
      random: 1,
    });
    await play.run();
    expect(play.started).toEqual(['a', 'b', 'b']);
  });

  it('ends with the failure of its worker, and asks nobody else', async () => {
    const failed = { type: 'failed', reason: 'bad model', evidence: 'x', recognised: true } as const;
    const play = new Play({ fleet: [a, b], attempts: [() => ({ ending: failed })] });
    expect(await play.run()).toEqual({ ...failed, worker: a });
    expect(play.started).toEqual(['a']);
    expect(play.cooldowns).toEqual([]);
  });

  it('passes a broken provider on to the next worker, and rests nobody for it', async () => {
    const play = new Play({ fleet: [a, b], attempts: [refused({ kind: 'server-error' }), done] });
    await play.run();
    expect(play.started).toEqual(['a', 'b']);
    expect(play.cooldowns).toEqual([]);
  });

  it('starts none that rests, named or not, and tells once of each', async () => {
    const resting = aCooldown({ target: { type: 'seat', seat: seatId('a') }, until: inHours(3) });
    const play = new Play({ fleet: [a, b], cooldowns: [resting], attempts: [refused(), done] });
    await play.run();
    expect(play.started).toEqual(['b']);
    expect(play.eventsOf('worker.skipped')).toMatchObject([{ worker: 'a', until: inHours(3) }]);
  });

  it('is exhausted when all rest: it names each and the first who comes back', async () => {
    const attempts = [refused({ resetAt: inHours(5) }), refused({ resetAt: inHours(2) })];
    const play = new Play({ fleet: [a, b], attempts });
    expect(await play.run()).toMatchObject({
      type: 'exhausted',
      skipped: [
        { worker: a, until: inHours(5) },
        { worker: b, until: inHours(2) },
      ],
      earliest: { worker: b, at: inHours(2) },
    });
    expect(play.eventsOf('session.ended')).toMatchObject([{ outcome: 'exhausted', retryAt: inHours(2) }]);
  });

  it('is unavailable when nobody is installed or logged in, and starts nobody', async () => {
    const play = new Play({
      fleet: [a],
      missing: () => new Map([[a.id, 'not installed']]),
      attempts: [done],
    });
    expect(await play.run()).toMatchObject({ type: 'unavailable' });
    expect(play.started).toEqual([]);
  });

  it('finds a program that was installed while another worker ran', async () => {
    let isInstalled = false;
    const play = new Play({
      fleet: [b, a],
      missing: () => new Map(isInstalled ? [] : [[b.id, 'codex is not installed']]),
      attempts: [
        (worker, session) => {
          isInstalled = true;
          return refused()(worker, session);
        },
        done,
      ],
    });
    await play.run();
    expect(play.started).toEqual(['a', 'b']);
  });

  it.each([
    ['timeout', 'timeout'],
    ['SIGINT', 'interrupted'],
  ])('ends as it was stopped, by %s', async (reason, because) => {
    const abort = new AbortController();
    const stop: PlayedAttempt = () => {
      abort.abort(reason);
      return { ending: { type: 'stopped', because: 'aborted' } };
    };
    const play = new Play({ fleet: [a, b], abort, attempts: [stop] });
    expect(await play.run()).toEqual({ type: 'stopped', because });
    expect(play.started).toEqual(['a']);
  });

  it('ends when its worker fell silent, and asks nobody else', async () => {
    const play = new Play({
      fleet: [a, b],
      attempts: [() => ({ ending: { type: 'stopped', because: 'idle' } })],
    });
    expect(await play.run()).toEqual({ type: 'stopped', because: 'idle-timeout' });
    expect(play.started).toEqual(['a']);
  });

  it('starts nobody when it was stopped before it began', async () => {
    const abort = new AbortController();
    abort.abort('SIGTERM');
    const play = new Play({ fleet: [a], abort, attempts: [done] });
    expect(await play.run()).toEqual({ type: 'stopped', because: 'interrupted' });
    expect(play.started).toEqual([]);
  });
});

describe('a limit on a model by another name than was asked for', () => {
  it('rests what was asked for too, so that neither this session nor the next asks again', async () => {
    const gemini = aWorker({ id: 'gemini', adapter: 'gemini', model: 'auto' });
    const attempts = [refused({ scope: 'model:gemini-2.5-pro', resetAt: inHours(3) }), done];
    const play = new Play({ fleet: [gemini], attempts });
    expect(await play.run()).toMatchObject({ type: 'exhausted', earliest: { at: inHours(3) } });
    expect(play.started).toEqual(['gemini']);
    const next = new Play({ fleet: [gemini], attempts: [done], cooldowns: play.cooldowns });
    expect(await next.run()).toMatchObject({ type: 'exhausted' });
    expect(next.started).toEqual([]);
  });
});
