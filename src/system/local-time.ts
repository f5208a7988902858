import type { EpochMs, WallTime } from '../core/time.ts';

/** What the clock on the wall of this machine shows, which is `systemZone`'s: but its name costs a third of a start. */
export function localTime(instant: EpochMs): WallTime {
  const date = new Date(instant);
  return {
    ...{ year: date.getFullYear(), month: date.getMonth() + 1, day: date.getDate() },
    ...{ hour: date.getHours(), minute: date.getMinutes(), second: date.getSeconds() },
  };
}
