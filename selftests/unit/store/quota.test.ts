import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seatId } from '../../../src/core/ids.ts';
import { pausedUntil, polled } from '../../../src/core/poll.ts';
import { newestReadings, windowOfLength, windowOfWords } from '../../../src/core/quota.ts';
import { DAY, epochMs, HOUR, MINUTE } from '../../../src/core/time.ts';
import { openQuota } from '../../../src/store/quota.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aReading } from '../../rig/a-reading.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

const later = epochMs(NOW + MINUTE);

describe('the newest reading of a window', () => {
  it('takes the place of the one before, of the same window and seat alone', () => {
    const others = [aReading({ window: '7d' }), aReading({ seat: 'spare' })];
    const next = aReading({ usedPercent: 60, observedAt: later });
    expect(newestReadings([aReading(), ...others], [next], later)).toEqual([others[1], next, others[0]]);
  });

  it('is not one that was observed before', () => {
    const known = aReading({ observedAt: later });
    expect(newestReadings([known], [aReading({ usedPercent: 99 })], later)).toEqual([known]);
  });

  it('is not one that does not say how full it is, as long as the window goes on', () => {
    const says = aReading();
    const silent = aReading({ usedPercent: undefined, observedAt: later });
    expect(newestReadings([says], [silent], later)).toEqual([says]);
    const anew = aReading({
      usedPercent: undefined,
      observedAt: epochMs(NOW + 3 * HOUR),
      resetAt: undefined,
    });
    expect(newestReadings([says], [anew], epochMs(NOW + 3 * HOUR))).toEqual([anew]);
  });

  it('is any, where the one before is dated in the future', () => {
    const ahead = aReading({ observedAt: epochMs(NOW + DAY) });
    expect(newestReadings([ahead], [aReading({ usedPercent: 7 })], NOW)).toEqual([
      aReading({ usedPercent: 7 }),
    ]);
  });

  it('believes no percentage and no reset that can be none', () => {
    const absurd = aReading({ usedPercent: 5_200, resetAt: epochMs(NOW + 1e12) });
    expect(newestReadings([], [absurd], NOW)).toEqual([
      aReading({ usedPercent: undefined, resetAt: undefined }),
    ]);
  });

  it('is forgotten after a month, and without a name once it is over', () => {
    const old = aReading({ observedAt: epochMs(NOW - 36 * DAY) });
    const unnamed = aReading({ window: 'limit', resetAt: epochMs(NOW - 1) });
    expect(newestReadings([old], [unnamed], NOW)).toEqual([]);
  });
});

describe('a window is named by its length and model', () => {
  it.each([
    [windowOfLength(300, 'seat'), '5h'],
    [windowOfLength(299, 'seat'), '5h'],
    [windowOfLength(10_079, 'seat'), '7d'],
    [windowOfLength(43_200, 'seat'), '30d'],
    [windowOfLength(60, 'seat'), '1h'],
    [windowOfLength(5, 'seat'), '5m'],
    [windowOfLength(10_080, 'model:gpt-x'), '7d gpt-x'],
    [windowOfLength(undefined, 'seat'), 'limit'],
    [windowOfLength(Number.NaN, 'seat'), 'limit'],
    [windowOfWords('five-hour limit', 'seat'), '5h'],
    [windowOfWords('weekly Opus limit', 'model:opus'), '7d opus'],
    [windowOfWords('30-day limit', 'seat'), '30d'],
    [windowOfWords('usage credits', 'seat'), 'overage'],
    [windowOfWords('usage limit', 'seat'), 'limit'],
  ])('%s is %s', (name, expected) => {
    expect(name).toBe(expected);
  });
});

function aStore(home = tempFolder()) {
  const problems: string[] = [];
  // Locks wait on a clock that goes; what is dated is dated by one that stands.
  const clock = { ...systemClock, now: () => NOW };
  const store = openQuota({ home, clock, report: ({ message }) => problems.push(message) });
  return { store, problems, file: join(home, 'quota.json') };
}

describe('quota.json', () => {
  it('keeps what was taken, all of one turn in one write, and gives it back', async () => {
    const { store, file } = aStore();
    store.note([aReading()]);
    store.note([aReading({ window: '7d', usedPercent: undefined, resetAt: undefined })]);
    expect(existsSync(file)).toBe(false);
    await store.saved();
    expect(await store.read()).toEqual([
      aReading(),
      aReading({ window: '7d', usedPercent: undefined, resetAt: undefined }),
    ]);
  });

  it('holds numbers and short words only', async () => {
    const { store, file } = aStore();
    store.note([aReading()]);
    await store.saved();
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      readings: [
        {
          ...{ seat: 'work', window: '5h', usedPercent: 50, source: 'event' },
          ...{ resetAt: '2026-11-29T22:00:00.000Z', observedAt: '2026-11-29T20:00:00.000Z' },
        },
      ],
      polls: [],
    });
  });

  it('loses nothing of what two processes take at once', async () => {
    const home = tempFolder();
    const [one, two] = [aStore(home).store, aStore(home).store];
    one.note([aReading()]);
    two.note([aReading({ seat: 'spare' })]);
    await Promise.all([one.saved(), two.saved()]);
    expect((await aStore(home).store.read()).map(({ seat }) => seat)).toEqual(['spare', 'work']);
  });

  it('stops nothing when it is damaged or cannot be written', async () => {
    const damaged = aStore();
    writeFileSync(damaged.file, '{"version":1,"readings":[{"seat":7}]}');
    expect(await damaged.store.read()).toEqual([]);
    expect(damaged.problems).toHaveLength(1);

    const noFolder = join(tempFolder(), 'home');
    writeFileSync(noFolder, '');
    const blocked = aStore(noFolder);
    blocked.store.note([aReading()]);
    await blocked.store.saved();
    expect(await blocked.store.read()).toEqual([]);
    expect(blocked.problems.length).toBeGreaterThan(0);
  });
});

describe('the pause of a seat that gives no answer', () => {
  const seat = seatId('work');
  const failed = (times: number, retryAt?: number) => {
    const failure = {
      why: 'it answered HTTP 429',
      retryAt: retryAt === undefined ? undefined : epochMs(retryAt),
    };
    let poll = polled(undefined, seat, failure, NOW);
    for (let count = 1; count < times; count += 1) poll = polled(poll, seat, failure, NOW);
    return poll;
  };

  it('doubles by itself, up to six hours, and is nothing to a person who asks by hand', () => {
    const pauses = [1, 2, 3, 40].map((times) => (pausedUntil(failed(times), NOW, false) ?? NOW) - NOW);
    expect(pauses).toEqual([MINUTE, 2 * MINUTE, 4 * MINUTE, 6 * HOUR]);
    expect(pausedUntil(failed(40), NOW, true)).toBeUndefined();
  });

  it('is as long as the other side asks for, for everybody, and a day at most', () => {
    expect(pausedUntil(failed(1, NOW + HOUR), NOW, true)).toBe(NOW + HOUR);
    expect(pausedUntil(failed(1, NOW + HOUR), NOW, false)).toBe(NOW + HOUR);
    expect(pausedUntil(failed(1, NOW + 99 * DAY), NOW, true)).toBe(NOW + DAY);
    expect(pausedUntil(failed(1, NOW + HOUR), epochMs(NOW + HOUR), true)).toBeUndefined();
  });

  it('ends with an answer, and is not believed when it is dated in the future', () => {
    expect(pausedUntil(polled(failed(9), seat, undefined, NOW), NOW, false)).toBeUndefined();
    expect(pausedUntil(failed(9, NOW + DAY), epochMs(NOW - DAY), false)).toBeUndefined();
  });
});
