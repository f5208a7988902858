import { expect, it } from 'vitest';
import { durationMs, MINUTE } from '../../src/core/time.ts';
import { sleepAwake } from '../../src/system/suspend.ts';
import { FakeClock } from '../rig/fake-clock.ts';

const TEN = durationMs(10 * MINUTE);

it.each<[string, readonly number[], readonly number[]]>([
  ['never', [], [10]],
  ['once', [4], [10, 4]],
  ['for longer than was to be slept', [90], [10, 90]],
  ['again in what was slept again', [4, 3], [10, 4, 3]],
])('sleeps again what it was stopped for: %s', async (_, stops, slept) => {
  const clock = new FakeClock();
  let stopped = 0;
  clock.whenSleeping((count) => {
    stopped += (stops[count - 1] ?? 0) * MINUTE;
  });
  await sleepAwake(clock, TEN, undefined, () => durationMs(stopped));
  expect(clock.slept).toEqual(slept.map((minutes) => minutes * MINUTE));
});

it('is woken by its signal, stopped or not', async () => {
  const clock = new FakeClock();
  const over = new AbortController();
  clock.whenSleeping(() => {
    over.abort();
  });
  let stopped = 0;
  await sleepAwake(clock, TEN, over.signal, () => durationMs((stopped += MINUTE)));
  expect(clock.slept).toEqual([TEN]);
});
