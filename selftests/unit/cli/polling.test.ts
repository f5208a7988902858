import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Polled } from '../../../src/library/polling.ts';
import { pollAll, pollEvery } from '../../../src/library/polling.ts';
import { quotaOf } from '../../../src/library/quota.ts';
import { durationMs, epochMs, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import type { Worker } from '../../../src/core/worker.ts';
import { whileAlone } from '../../../src/store/alone.ts';
import { systemClock } from '../../../src/system/clock.ts';
import type { QuotaAnswer } from '../../../src/workers/quota-answer.ts';
import { unknownQuota } from '../../../src/workers/quota-answer.ts';
import { loadAdapter } from '../../../src/workers/registry.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anIo } from '../../rig/an-io.ts';
import { aWorker } from '../../rig/builders.ts';

const adapters = new Map(
  await Promise.all(['claude', 'gemini'].map(async (name) => [name, await loadAdapter(name)] as const)),
);
const claude = aWorker({ id: 'claude' });

function seen(usedPercent: number): QuotaAnswer {
  const window = {
    name: 'five-hour limit',
    scope: 'seat',
    resetAt: epochMs(NOW + HOUR),
    isClosed: false,
  } as const;
  return { type: 'seen', windows: [{ ...window, usedPercent }], credits: undefined };
}

/** A home in which a fleet is asked; time stands, but for whoever waits for a lock, until it is set. */
function aPoll(fleet: readonly Worker[] = [claude]) {
  let now = NOW;
  const io = anIo({ clock: { ...systemClock, now: () => now } });
  const asked: string[] = [];
  return {
    ...{ io, asked },
    pass: (length: number) => {
      now = epochMs(now + length);
    },
    poll: async (answer: QuotaAnswer, every?: number): Promise<readonly Polled[]> => {
      const polled = await pollAll(
        io,
        { fleet, adapters, directory: '/' },
        {
          ...{ every: every === undefined ? undefined : durationMs(every), waitAtMost: SECOND },
          signal: new AbortController().signal,
          ask: (worker) => {
            asked.push(worker.id);
            return Promise.resolve(answer);
          },
        },
      );
      return polled.ok ? polled.value : [];
    },
    samples: (): number => {
      const folder = join(io.stateHome, 'ledger');
      if (!existsSync(folder)) return 0;
      return readdirSync(folder)
        .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
        .filter((line) => line.includes('"type":"reading"')).length;
    },
    readings: () => quotaOf(io).read(),
  };
}

describe('a poll', () => {
  it('keeps what it learns as readings', async () => {
    const { poll, readings } = aPoll();
    expect(await poll(seen(41))).toMatchObject([{ type: 'seen' }]);
    expect(await readings()).toMatchObject([
      { seat: 'claude', window: '5h', usedPercent: 41, observedAt: NOW, source: 'probe' },
    ]);
  });

  it('is a sample when it differs from the last, and once in a quarter of an hour', async () => {
    const { poll, samples, pass } = aPoll();
    await poll(seen(41));
    await poll(seen(41));
    expect(samples()).toBe(1);
    await poll(seen(42));
    expect(samples()).toBe(2);
    pass(15 * MINUTE);
    await poll(seen(42));
    expect(samples()).toBe(3);
  });

  it('asks one worker a seat, one that has a way to say', async () => {
    const { poll, asked } = aPoll([
      aWorker({ id: 'gemini', adapter: 'gemini', seat: 'shared' }),
      aWorker({ id: 'one', seat: 'shared' }),
      aWorker({ id: 'two', seat: 'shared' }),
      aWorker({ id: 'alone', adapter: 'gemini' }),
    ]);
    const polled = await poll(seen(1));
    expect(asked).toEqual(['one']);
    expect(polled.map(({ type }) => type)).toEqual(['seen', 'cannot']);
  });

  it.each([
    ['a 429 with Retry-After', unknownQuota('it answered HTTP 429', epochMs(NOW + HOUR))],
    ['a 401', unknownQuota('it answered HTTP 401')],
    ['no answer', unknownQuota('it took too long')],
  ])('that meets %s touches neither cooldowns nor health', async (_, answer) => {
    const { poll, io, readings } = aPoll();
    await poll(answer);
    expect(readdirSync(io.stateHome).filter((name) => /cooldowns|health|ledger/.test(name))).toEqual([]);
    expect(await readings()).toEqual([]);
  });

  it('leaves a seat alone for as long as its provider asked, by hand too', async () => {
    const { poll, asked, pass } = aPoll();
    await poll(unknownQuota('it answered HTTP 429', epochMs(NOW + HOUR)));
    pass(59 * MINUTE);
    expect(await poll(seen(1))).toMatchObject([{ type: 'paused', until: NOW + HOUR }]);
    pass(MINUTE);
    expect(await poll(seen(1))).toMatchObject([{ type: 'seen' }]);
    expect(asked).toHaveLength(2);
  });

  it('by itself asks less and less often where there is no answer', async () => {
    const { poll, asked, pass } = aPoll();
    for (let minute = 0; minute < 60; minute += 1) {
      await poll(unknownQuota('it took too long'), MINUTE);
      pass(MINUTE);
    }
    // At 0, 1, 3, 7, 15 and 31 minutes.
    expect(asked).toHaveLength(6);
  });

  it('asks nobody that another process asked within the interval', async () => {
    const { poll, pass } = aPoll();
    await poll(seen(1), 15 * MINUTE);
    pass(10 * MINUTE);
    expect(await poll(seen(2), 15 * MINUTE)).toMatchObject([{ type: 'recent' }]);
    pass(5 * MINUTE);
    expect(await poll(seen(2), 15 * MINUTE)).toMatchObject([{ type: 'seen' }]);
  });

  it('is one at a time across processes: who finds another at it does without', async () => {
    const { poll, io, asked } = aPoll();
    const options = { clock: io.clock, waitAtMost: SECOND };
    const inside = await whileAlone(`${io.stateHome}/quota-poll`, options, () => poll(seen(1)));
    expect(inside).toEqual({ ok: true, value: [] });
    expect(asked).toEqual([]);
  });

  it('while a run lasts ends with it, whoever is being asked', async () => {
    const { io } = aPoll();
    const over = new AbortController();
    const asking = pollEvery(io, { fleet: [], adapters, directory: '/' }, HOUR, over.signal);
    over.abort();
    await asking;
  });
});
