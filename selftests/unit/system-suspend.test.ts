import { expect, it } from 'vitest';
import { durationMs, MINUTE } from '../../src/core/time.ts';
import { sleepAwake } from '../../src/system/suspend.ts';
import { FakeClock } from '../rig/fake-clock.ts';

const TEN = durationMs(10 * MINUTE);

// A timer that comes due while its process is stopped fires when that goes on.
it.each<[string, readonly (readonly [after: number, stopped: number])[], readonly number[]]>([
  ['never', [], [10]],
  ['once', [[6, 4]], [10, 4]],
  ['to the moment at which it would have woken', [[3, 7]], [10, 7]],
  ['for longer than was left to be slept', [[3, 90]], [10, 7]],
  [
    'for longer, twice',
    [
      [3, 90],
      [2, 600],
    ],
    [10, 7, 5],
  ],
  [
    'again in what was slept again',
    [
      [6, 4],
      [1, 3],
    ],
    [10, 4, 3],
  ],
])('sleeps all that it was to while it was not stopped: %s', async (_, stops, slept) => {
  const clock = new FakeClock();
  let stopped = 0;
  clock.whenSleeping((count) => {
    const [after, length] = stops[count - 1] ?? [0, 0];
    const asked = slept[count - 1] ?? 0;
    stopped += length * MINUTE;
    clock.pass(Math.max(0, after + length - asked) * MINUTE);
  });
  await sleepAwake(clock, TEN, undefined, () => durationMs(stopped));
  expect(clock.slept).toEqual(slept.map((minutes) => minutes * MINUTE));
  expect(clock.monotonic() - stopped).toBe(TEN);
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
