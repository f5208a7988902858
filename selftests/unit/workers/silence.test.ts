import { expect, it } from 'vitest';
import { durationMs, SECOND } from '../../../src/core/time.ts';
import { awakeTime } from '../../../src/system/suspend.ts';
import { silenceOf } from '../../../src/workers/silence.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

const IDLE = durationMs(5 * SECOND);

/** Of one sleep: how long after its beginning there is a stop, and for how long. */
interface Stop {
  readonly after: number;
  readonly length: number;
}

/** Returns when it is called silent, in seconds since the child was last heard. */
async function silentAfter(stops: readonly Stop[], isKnown: boolean): Promise<number> {
  const clock = new FakeClock();
  let stopped = 0;
  clock.whenSleeping((count) => {
    const { after, length } = stops[count - 1] ?? { after: 0, length: 0 };
    if (isKnown) stopped += length * SECOND;
    // A timer that comes due while its process is stopped fires when that goes on.
    const asked = clock.slept[count - 1] ?? 0;
    clock.pass(Math.max(0, (after + length) * SECOND - asked));
  });
  const awake = awakeTime(clock, () => durationMs(stopped));
  let silentAt = NaN;
  await silenceOf(clock, new AbortController().signal, awake).whenAsLongAs(IDLE, () => {
    silentAt = clock.monotonic() / SECOND;
  });
  return silentAt;
}

// What a child cannot say while it is stopped with us is no silence of it, however the stop lies to the deadline.
it.each<[string, readonly Stop[], number]>([
  ['never', [], 5],
  ['and on again before the deadline', [{ after: 1.2, length: 3.2 }], 8.2],
  ['to the very deadline', [{ after: 1, length: 4 }], 9],
  ['to a moment after the deadline', [{ after: 1, length: 4.5 }], 9.5],
  ['for a night', [{ after: 1, length: 36_000 }], 36_005],
  [
    'in what was left of it as well',
    [
      { after: 1, length: 3 },
      { after: 1, length: 60 },
    ],
    68,
  ],
])('a child stopped by Ctrl-Z %s has all of its time awake', async (_, stops, at) => {
  expect(await silentAfter(stops, true)).toBeCloseTo(at, 6);
});

it.each<[string, readonly Stop[], number]>([
  ['before the deadline', [{ after: 1, length: 3 }], 5],
  ['a little beyond it', [{ after: 1, length: 4.5 }], 5.5],
  [
    'long beyond it: what it printed could not be read, so its silence begins anew',
    [{ after: 1, length: 60 }],
    66,
  ],
])('a laptop that slept until %s', async (_, stops, at) => {
  expect(await silentAfter(stops, false)).toBeCloseTo(at, 6);
});

it('nobody is silent who is heard now and then', async () => {
  const clock = new FakeClock();
  const silence = silenceOf(
    clock,
    new AbortController().signal,
    awakeTime(clock, () => durationMs(0)),
  );
  let heard = 0;
  clock.pass(4 * SECOND);
  silence.heardNow();
  clock.whenSleeping(() => {
    if ((heard += 1) < 3) silence.heardNow();
  });
  let silentAt = NaN;
  await silence.whenAsLongAs(IDLE, () => {
    silentAt = clock.monotonic() / SECOND;
  });
  expect(silentAt).toBe(19);
});

it('nobody is silent any more when it is over', async () => {
  const clock = new FakeClock();
  const over = new AbortController();
  clock.whenSleeping(() => {
    over.abort();
  });
  let isSilent = false;
  await silenceOf(clock, over.signal).whenAsLongAs(IDLE, () => {
    isSilent = true;
  });
  expect(isSilent).toBe(false);
});
