import { describe, expect, it } from 'vitest';
import type { Cooldown } from '../../../src/core/cooldown.ts';
import type { Event } from '../../../src/core/event.ts';
import { isCovered } from '../../../src/core/merge.ts';
import { err, ok } from '../../../src/core/result.ts';
import { epochMs, HOUR } from '../../../src/core/time.ts';
import { loginRecheck } from '../../../src/library/login-recheck.ts';
import type { CliCheck } from '../../../src/workers/cli-check.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';

const worker = aWorker({ id: 'claude', seat: 'home' });
const IN: CliCheck = { starts: true, version: '2.1.197', login: { type: 'in', how: 'claude.ai' } };
const OUT: CliCheck = { starts: true, version: '2.1.197', login: { type: 'out', why: 'not logged in' } };
const UNKNOWN: CliCheck = { starts: true, version: undefined, login: { type: 'unknown', why: 'no check' } };
const BROKEN: CliCheck = { starts: false, why: 'it cannot be started (EACCES)' };

const resting = (overrides: Partial<Cooldown> = {}): Cooldown =>
  aCooldown({
    ...{ target: { type: 'seat', seat: worker.seat }, worker: worker.id, kind: 'auth-failure' },
    ...{ since: epochMs(NOW - HOUR), credentials: 'old', ...overrides },
  });

/** A home with these rests, a CLI that answers so, and credentials that are these now. */
function home(rests: readonly Cooldown[], answer: CliCheck, credentials = 'new', fleet = [worker]) {
  const state = { cooldowns: rests, credentials, asked: 0, isFull: false };
  const events: Event[] = [];
  const recheck = loginRecheck(
    fleet,
    {
      check: () => {
        state.asked += 1;
        return Promise.resolve(answer);
      },
      credentials: () => state.credentials,
    },
    {
      emit: (event) => events.push(event),
      now: () => NOW,
      store: {
        clear: (clearance) => {
          if (state.isFull) return Promise.resolve(err({ type: 'unwritable', path: '', message: 'full' }));
          const ended = state.cooldowns.filter((one) => isCovered(one, clearance));
          state.cooldowns = state.cooldowns.filter((one) => !ended.includes(one));
          return Promise.resolve(ok(ended));
        },
      },
    },
  );
  return { state, events, look: async () => recheck(state.cooldowns) };
}

describe('a login that was refused', () => {
  it.each([
    ['with other credentials and a login', IN, 'new', true],
    ['with other credentials, where the CLI cannot say', UNKNOWN, 'new', true],
    ['with the same credentials, however good they look', IN, 'old', false],
    ['with other credentials that are no login', OUT, 'new', false],
    ['with other credentials and a CLI that does not start', BROKEN, 'new', false],
  ] as const)('rests on or not %s', async (_when, answer, credentials, isOver) => {
    const { look, events, state } = home([resting()], answer, credentials);
    expect(await look()).toEqual(isOver ? [] : [resting()]);
    expect(state.cooldowns).toEqual(isOver ? [] : [resting()]);
    expect(events).toEqual(isOver ? [{ type: 'cooldown.cleared', worker: worker.id, by: 'probe' }] : []);
  });

  it('is not asked about while the credentials are the same, and once for each that are not', async () => {
    const { look, state } = home([resting()], OUT, 'old');
    await look();
    expect(state.asked).toBe(0);
    state.credentials = 'new';
    await look();
    await look();
    expect(state.asked).toBe(1);
    state.credentials = 'newer';
    await look();
    expect(state.asked).toBe(2);
  });

  it.each<[string, Partial<Cooldown>]>([
    ['an operator added it', { source: 'operator' }],
    ['it does not say which credentials were refused', { credentials: undefined }],
    [
      'another worker of the seat met it, whose login may lie elsewhere',
      { worker: aWorker({ id: 'sibling' }).id },
    ],
    ['it is over anyway', { until: NOW }],
  ])('is left alone when %s', async (_why, overrides) => {
    const rest = resting(overrides);
    const { look, state } = home([rest], IN);
    expect(await look()).toEqual([rest]);
    expect(state.asked).toBe(0);
  });

  it('rests on when that it is over cannot be written', async () => {
    const { look, state, events } = home([resting()], IN);
    state.isFull = true;
    expect(await look()).toEqual([resting()]);
    expect(events).toEqual([]);
  });
});

describe('a CLI that could not run', () => {
  const unavailable = resting({ kind: 'cli-unavailable', credentials: undefined });

  it.each([
    ['starts, and somebody is logged in', IN, true],
    ['starts, and cannot say who is logged in', UNKNOWN, true],
    ['starts, and nobody is logged in', OUT, false],
    ['does not start', BROKEN, false],
  ] as const)('that %s rests on or not', async (_what, answer, isOver) => {
    const { look } = home([unavailable], answer);
    expect(await look()).toEqual(isOver ? [] : [unavailable]);
  });

  it('is asked once in a session, and not when this session met it itself', async () => {
    const before = home([unavailable], BROKEN);
    await before.look();
    await before.look();
    expect(before.state.asked).toBe(1);
    const own = home([resting({ kind: 'cli-unavailable', since: NOW })], IN);
    await own.look();
    expect(own.state.asked).toBe(0);
  });
});

it('ends no other rest of the same seat, and looks at no other worker', async () => {
  const quota = resting({ kind: 'rate-limit', credentials: undefined });
  const elsewhere = resting({ target: { type: 'seat', seat: aWorker({ id: 'x' }).seat } });
  const { look } = home([quota, resting(), elsewhere], IN);
  expect(await look()).toEqual([quota, elsewhere]);
});
