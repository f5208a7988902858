import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seatId, workerId } from '../../../src/core/ids.ts';
import type { EpochMs } from '../../../src/core/time.ts';
import { DAY, epochMs, HOUR, toIso } from '../../../src/core/time.ts';
import type { CooldownStore } from '../../../src/store/cooldowns.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import type { StoreProblem } from '../../../src/store/problem.ts';
import type { Clock } from '../../../src/system/clock.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aClearance, aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

interface Opened {
  readonly home: string;
  readonly store: CooldownStore;
  readonly problems: StoreProblem[];
  readonly file: string;
  readonly setClock: (now: number) => void;
}

function open(home = join(tempFolder(), 'home')): Opened {
  let now: EpochMs = NOW;
  const clock: Clock = { ...systemClock, now: () => now };
  const problems: StoreProblem[] = [];
  const store = openCooldowns({ home, clock, report: (problem) => problems.push(problem) });
  return { home, store, problems, file: join(home, 'cooldowns.json'), setClock: (to) => (now = epochMs(to)) };
}

describe('cooldowns', () => {
  it('are none where nothing was ever recorded, and looking makes no file', async () => {
    const { store, home } = open();
    expect(await store.read()).toEqual([]);
    expect(() => statSync(home)).toThrow('ENOENT');
  });

  it('are read back as they were recorded', async () => {
    const { store, home } = open();
    const recorded = [
      aCooldown(),
      aCooldown({ target: { type: 'model', seat: seatId('work'), model: 'opus' }, until: undefined }),
      aCooldown({
        target: { type: 'workspace', workspace: 'acme' },
        kind: 'out-of-credits',
        source: 'default',
      }),
    ];
    for (const cooldown of recorded)
      expect(await store.record(cooldown)).toEqual({ ok: true, value: undefined });
    expect(await store.read()).toEqual(expect.arrayContaining(recorded));
    expect(await open(home).store.read()).toHaveLength(3);
  });

  it('lie on the disk as JSON with instants in UTC, for their owner alone', async () => {
    const { store, home, file } = open();
    await store.record(aCooldown());
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      version: 1,
      cooldowns: [{ since: '2026-11-29T20:00:00.000Z', until: '2026-11-30T01:00:00.000Z' }],
      clearances: [],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(readdirSync(home)).toEqual(['cooldowns.json']);
  });

  it('never get shorter by a later, shorter record', async () => {
    const { store } = open();
    await store.record(aCooldown());
    await store.record(aCooldown({ since: epochMs(NOW + 1_000), until: epochMs(NOW + 2_000) }));
    const ends = (await store.read()).map(({ until }) => until);
    expect(Math.max(...ends.map((end) => end ?? Infinity))).toBe(NOW + 5 * HOUR);
  });

  it('end with a clearance of their target and kind, which says what it ended', async () => {
    const { store } = open();
    const other = aCooldown({
      target: { type: 'seat', seat: seatId('home') },
      worker: workerId('claude-home'),
    });
    await store.record(aCooldown());
    await store.record(other);
    const ended = await store.clear(
      aClearance({ target: aCooldown().target, kind: 'rate-limit', by: 'probe' }),
    );
    expect(ended).toEqual({ ok: true, value: [aCooldown()] });
    expect(await store.read()).toEqual([other]);
  });

  it('outlive a clean run that began before them', async () => {
    const { store } = open();
    await store.record(aCooldown());
    const ended = await store.clear(aClearance({ by: 'clean-run', at: epochMs(NOW - 1) }));
    expect(ended).toEqual({ ok: true, value: [] });
    expect(await store.read()).toEqual([aCooldown()]);
  });

  it('do not come back when a record older than the clearance arrives late', async () => {
    const { store } = open();
    await store.clear(aClearance({ by: 'clean-run', at: NOW }));
    await store.record(aCooldown({ since: epochMs(NOW - 1) }));
    expect(await store.read()).toEqual([]);
  });

  it.each([9e15, 1e15, -1e15, Infinity])(
    'are read back by everybody, also when a vendor names an end that no calendar has: %s',
    async (until) => {
      const { store, home } = open();
      await store.record(aCooldown({ kind: 'auth-failure' }));
      await store.record(aCooldown({ source: 'operator', until: epochMs(until) }));
      const next = open(home);
      expect((await next.store.read()).map(({ kind }) => kind)).toContain('auth-failure');
      expect(next.problems).toEqual([]);
    },
  );

  it('keep what a newer program has added to them', async () => {
    const { store, file, home } = open();
    mkdirSync(home, { mode: 0o700 });
    const saved = { ...aCooldown(), since: toIso(NOW), until: null, mood: 'sad' };
    const content = { version: 1.5, cooldowns: [saved], clearances: [], more: { deep: [1] } };
    writeFileSync(file, JSON.stringify(content));
    await store.record(aCooldown({ kind: 'auth-failure' }));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      version: 1.5,
      more: { deep: [1] },
      cooldowns: expect.arrayContaining([expect.objectContaining({ mood: 'sad' })]) as unknown,
    });
  });
});

describe('cooldowns under a clock that jumps', () => {
  it.each([
    ['an hour', HOUR],
    ['a year', 365 * DAY],
  ])('neither end nor last for ever when it goes back by %s', async (_name, jump) => {
    const { store, setClock } = open();
    await store.record(aCooldown());
    setClock(NOW - jump);
    for (const { until } of await store.read()) expect(until).toBeLessThanOrEqual(NOW - jump + 8 * DAY);
    await store.record(aCooldown({ since: epochMs(NOW - jump), until: epochMs(NOW - jump + HOUR) }));
    const ends = (await store.read()).map(({ until }) => until ?? Infinity);
    expect(Math.max(...ends)).toBeGreaterThanOrEqual(NOW - jump + HOUR);
  });

  it('are obeyed again after it went ahead by an hour and back', async () => {
    const { store, setClock } = open();
    await store.record(aCooldown({ until: epochMs(NOW + HOUR / 2) }));
    setClock(NOW + HOUR);
    await store.record(aCooldown({ kind: 'auth-failure', since: epochMs(NOW + HOUR) }));
    setClock(NOW);
    expect(await store.read()).toContainEqual(aCooldown({ until: epochMs(NOW + HOUR / 2) }));
  });

  it('cannot be swallowed by what was written while it was a year ahead', async () => {
    const { store, setClock } = open();
    setClock(NOW + 365 * DAY);
    await store.record(aCooldown({ since: epochMs(NOW + 365 * DAY), until: undefined }));
    await store.clear(aClearance({ by: 'probe', kind: 'auth-failure', at: epochMs(NOW + 365 * DAY) }));
    setClock(NOW);
    expect(await store.read()).toEqual([]);
    await store.record(aCooldown());
    await store.record(aCooldown({ kind: 'auth-failure' }));
    expect(await store.read()).toEqual([aCooldown({ kind: 'auth-failure' }), aCooldown()]);
  });

  it('are cleared by an operator even when they seem to come from later', async () => {
    const { store } = open();
    await store.record(aCooldown({ since: epochMs(NOW + HOUR) }));
    await store.clear(aClearance());
    expect(await store.read()).toEqual([]);
  });

  it.each([
    ['event', epochMs(NOW + 400 * DAY), epochMs(NOW + 8 * DAY)],
    ['default', epochMs(NOW + 400 * DAY), epochMs(NOW + 8 * DAY)],
    ['operator', epochMs(NOW + 30 * DAY), epochMs(NOW + 30 * DAY)],
    ['event', undefined, undefined],
  ] as const)('of source %s until %s rest until %s', async (source, until, expected) => {
    const { store } = open();
    await store.record(aCooldown({ source, until }));
    expect((await store.read()).map((cooldown) => cooldown.until)).toEqual([expected]);
  });
});
