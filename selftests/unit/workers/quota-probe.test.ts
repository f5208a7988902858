import { expect, it } from 'vitest';
import { durationMs } from '../../../src/core/time.ts';
import { askQuota } from '../../../src/workers/quota-probe.ts';
import { loadAdapter } from '../../../src/workers/registry.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';
import { outputOf } from '../../rig/output-of.ts';

/** Asks a CLI that says nothing, and ends by itself or goes on until it is ended. */
async function askSilent(endsByItself: boolean) {
  let end: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    end = resolve;
  });
  if (endsByItself) end();
  let passed = 0;
  const clock = {
    now: () => NOW,
    monotonic: () => durationMs(passed),
    sleep: async (length: number, over?: AbortSignal) => {
      if (endsByItself) await new Promise((resolve) => over?.addEventListener('abort', resolve));
      else passed += length;
    },
  };
  const child = {
    pid: 1,
    exited: gone.then(() => ({ code: 0, signal: undefined })),
    ...outputOf(
      (async function* () {
        await gone;
        yield* [];
      })(),
    ),
    end: () => {
      end();
      return Promise.resolve();
    },
  };
  const startChild = () => Promise.resolve({ ok: true, value: child } as const);
  const getJson = () => Promise.reject(new Error('nobody is asked over the network'));
  const effects = { ...{ clock, env: {}, home: '/h' }, startChild, getJson };
  return askQuota(await loadAdapter('codex'), aWorker({ id: 'codex', adapter: 'codex' }), '/d', effects);
}

it.each([
  [true, 'it ended without an answer'],
  [false, 'it gave no answer in twenty seconds'],
])('says of a CLI that answers nothing what it did (ends by itself: %j)', async (endsByItself, why) => {
  expect(await askSilent(endsByItself)).toMatchObject({ type: 'unknown', why });
});
