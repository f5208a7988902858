import { expect, it } from 'vitest';
import { sampler } from '../../../src/library/quota.ts';
import type { Reading } from '../../../src/core/event.ts';
import { MINUTE } from '../../../src/core/time.ts';
import { readingEvent } from '../../../src/workers/quota-readings.ts';
import { aWorker } from '../../rig/builders.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

function said(usedPercent: number, window = '5h', warning = false): Reading {
  return readingEvent(aWorker(), { window, usedPercent, resetAt: undefined, warning }, 'event');
}

it('writes down what differs from the last reading of its window, and the same once in a quarter of an hour', () => {
  const clock = new FakeClock();
  const isSample = sampler(clock);
  expect([said(1), said(1), said(1, '7d'), said(2), said(2, '5h', true)].map(isSample)).toEqual([
    ...[true, false, true, true, true],
  ]);
  clock.pass(14 * MINUTE);
  expect(isSample(said(2, '5h', true))).toBe(false);
  clock.pass(MINUTE);
  expect(isSample(said(2, '5h', true))).toBe(true);
});

it('lets every other event through', () => {
  const isSample = sampler(new FakeClock());
  const note = { type: 'attempt.note', worker: aWorker().id, text: 'the same' } as const;
  expect([note, note].map(isSample)).toEqual([true, true]);
});
