import { describe, expect, it } from 'vitest';
import type { Health } from '../../../src/core/health.ts';
import { epochMs, SECOND } from '../../../src/core/time.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';
import type { PlayedAttempt } from '../../rig/dispatching.ts';
import { done, Play, refused } from '../../rig/dispatching.ts';

const [a, b] = ['a', 'b'].map((id) => aWorker({ id })) as [W, W];
type W = ReturnType<typeof aWorker>;

const broken = refused({ kind: 'server-error', reason: 'the provider failed' });
const stalled: PlayedAttempt = () => ({ ending: { type: 'stopped', because: 'idle' } });
const crashed: PlayedAttempt = () => ({
  ending: { type: 'failed', reason: 'it was ended by SIGSEGV', evidence: '', recognised: false, died: true },
});
const ill = (worker: W, steps = 1): Health => ({
  ...{ worker: worker.id, triedAt: NOW, troubles: { 'server-error': { steps, at: NOW } } },
});

describe('a session', () => {
  it.each([
    ['a server error', broken, 'server-error', 'exhausted', {}],
    ['a stall', stalled, 'timeout', 'stopped', { how: 'silent' }],
    ['a CLI that died without a word', crashed, 'timeout', 'failed', { how: 'died' }],
  ] as const)('notes %s for whoever comes next', async (_what, met, cause, outcome, more) => {
    const play = new Play({ fleet: [a], attempts: [met] });
    expect((await play.run()).type).toBe(outcome);
    expect(play.health).toEqual([
      { worker: a.id, triedAt: NOW, troubles: { [cause]: { steps: 1, at: NOW, ...more } } },
    ]);
    expect(play.cooldowns).toEqual([]);
  });

  it('notes a provider that was too busy for the whole hold, and none that was not', async () => {
    const busy = refused({ kind: 'overloaded' });
    const held = new Play({ fleet: [a], attempts: [busy, busy, done] });
    await held.run();
    expect(held.health).toEqual([]);
    const inVain = new Play({ fleet: [a], attempts: [busy] });
    await inVain.run();
    expect(inVain.health).toMatchObject([{ worker: a.id, troubles: { 'server-error': { steps: 1 } } }]);
  });

  it.each(['rate-limit', 'out-of-credits', 'auth-failure', 'connection-failure', 'cli-unavailable'] as const)(
    'leaves health as it is over %s',
    async (kind) => {
      const play = new Play({ fleet: [a, b], attempts: [refused({ kind })], health: [ill(a), ill(b)] });
      await play.run();
      expect(play.health).toEqual([ill(a), ill(b)]);
    },
  );

  it('takes one step off for a clean run', async () => {
    const play = new Play({ fleet: [a], attempts: [done], health: [ill(a, 2)] });
    await play.run();
    expect(play.health).toMatchObject([{ troubles: { 'server-error': { steps: 1 } } }]);
  });

  it('passes over whom another has found unhealthy, and tells why and until when', async () => {
    const play = new Play({ fleet: [a, b], attempts: [done], health: [ill(a)] });
    await play.run();
    expect(play.started).toEqual(['b']);
    expect(play.eventsOf('worker.skipped')).toEqual([
      {
        ...{ type: 'worker.skipped', worker: a.id, kind: 'server-error', reason: 'server error' },
        until: epochMs(NOW + 30 * SECOND),
      },
    ]);
  });

  it('remembers of an attempt that it was the last resort', async () => {
    const play = new Play({ fleet: [a, b], attempts: [done], health: [ill(a, 2), ill(b)] });
    await play.run();
    expect(play.started).toEqual(['b']);
    expect(play.saved.at(-1)?.attempts).toMatchObject([{ worker: 'b', lastResort: true }]);
  });

  it('asks the unhealthy too before it gives up, and waits for none of them', async () => {
    const play = new Play({
      fleet: [a, b],
      attempts: [broken],
      health: [ill(a)],
      policy: { onQuota: 'wait' },
    });
    expect((await play.run()).type).toBe('exhausted');
    expect(play.started).toEqual(['b', 'a']);
    expect(play.clock.slept).toEqual([]);
  });
});

describe('a login that is refused', () => {
  const auth = refused({ kind: 'auth-failure', reason: 'the login was refused' });

  it('is tried once more before anything is recorded, as it may just have been renewed', async () => {
    const play = new Play({ fleet: [a, b], attempts: [auth, done] });
    expect(await play.run()).toMatchObject({ type: 'done', worker: a });
    expect(play.started).toEqual(['a', 'a']);
    expect(play.cooldowns).toEqual([]);
    expect(play.eventsOf('attempt.note')[0]?.text).toContain('tried once more');
  });

  it('rests its seat when it is refused again, and the next worker goes on', async () => {
    const play = new Play({ fleet: [a, b], attempts: [auth, auth, done] });
    expect(await play.run()).toMatchObject({ type: 'done', worker: b });
    expect(play.started).toEqual(['a', 'a', 'b']);
    expect(play.cooldowns).toMatchObject([{ kind: 'auth-failure', target: { seat: a.seat } }]);
  });

  it('is tried once more for each worker, and not without end', async () => {
    const play = new Play({ fleet: [a, b], attempts: [auth] });
    expect((await play.run()).type).toBe('unavailable');
    expect(play.started).toEqual(['a', 'a', 'b', 'b']);
  });
});
