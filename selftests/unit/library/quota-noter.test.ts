import { expect, it } from 'vitest';
import type { AttemptEnded, AttemptStarted } from '../../../src/core/event.ts';
import type { QuotaReading } from '../../../src/core/quota.ts';
import { newestReadings } from '../../../src/core/quota.ts';
import { durationMs, epochMs, MINUTE } from '../../../src/core/time.ts';
import { quotaNoter } from '../../../src/library/quota.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aReading } from '../../rig/a-reading.ts';
import { aWorker } from '../../rig/builders.ts';

const BEGAN = epochMs(NOW + MINUTE);
const ENDED = epochMs(NOW + 2 * MINUTE);
const FULL = aReading({ usedPercent: 100, source: 'refusal' });

interface Run {
  readonly outcome?: AttemptEnded['outcome'];
  readonly model?: string;
  readonly billing?: 'api';
  readonly meanwhile?: QuotaReading;
}

/** What is known after a run of a worker on seat `work` that began at `BEGAN`. */
async function afterRun(known: QuotaReading, run: Run = {}): Promise<QuotaReading | undefined> {
  const { outcome = 'done', model, billing, meanwhile } = run;
  const worker = aWorker({ id: 'claude', seat: 'work', billing });
  const before = meanwhile === undefined ? [known] : newestReadings([known], [meanwhile], ENDED);
  const news: QuotaReading[] = [];
  const quota = {
    read: () => Promise.resolve(before),
    note: (all: readonly QuotaReading[]) => news.push(...all),
  };
  const note = quotaNoter(quota, [worker]);
  const started: AttemptStarted = {
    ...{ type: 'attempt.started', worker: worker.id, adapter: 'claude', model, pid: 1, lastResort: false },
  };
  const ended: AttemptEnded = {
    ...{ type: 'attempt.ended', worker: worker.id, outcome, exitCode: 0, reason: undefined },
    ...{ killedBecause: undefined, durationMs: durationMs(MINUTE) },
  };
  note(started, BEGAN);
  note(ended, ENDED);
  await new Promise(setImmediate);
  return newestReadings(before, news, ENDED)[0];
}

it.each<[string, QuotaReading, Run]>([
  ['of the seat', FULL, {}],
  ['as a CLI told it while it ran before', aReading({ usedPercent: 99.6 }), {}],
  ['of the model that ran', { ...FULL, window: '7d opus' }, { model: 'claude-opus-4-5' }],
])('a run that went through shows that a full window %s has room, and no more', async (_, known, run) => {
  const expected = { ...known, usedPercent: undefined, resetAt: undefined, source: 'run', observedAt: BEGAN };
  expect(await afterRun(known, run)).toEqual(expected);
});

it('of a window without a name nothing is left to be said', async () => {
  expect(await afterRun({ ...FULL, window: 'limit' })).toBeUndefined();
});

it.each<[string, QuotaReading, Run]>([
  ['of a window that was not full', aReading({ usedPercent: 93 }), {}],
  ['of another seat', { ...FULL, seat: aWorker({ id: 'spare' }).seat }, {}],
  ['of another model', { ...FULL, window: '7d opus' }, { model: 'sonnet' }],
  ['of a model, where nobody says with which one the CLI worked', { ...FULL, window: '7d opus' }, {}],
  ['after it failed', FULL, { outcome: 'failed' }],
  ['after it was refused', FULL, { outcome: 'exhausted' }],
  ['where it was billed per use', FULL, { billing: 'api' }],
])('a run says nothing %s', async (_, known, run) => {
  expect(await afterRun(known, run)).toEqual(known);
});

it('what was read after the run had begun is newer than what the run shows', async () => {
  const meanwhile = { ...FULL, observedAt: epochMs(BEGAN + 1), source: 'event' as const };
  expect(await afterRun(FULL, { meanwhile })).toEqual(meanwhile);
});
