import { describe, expect, it } from 'vitest';
import type { Health, HealthCause, HealthNote } from '../../../src/core/health.ts';
import { describeHealth, leastUnhealthyFirst, noted, pauseOf, unhealthy } from '../../../src/core/health.ts';
import { workerId } from '../../../src/core/ids.ts';
import { DAY, epochMs, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import { NOW } from '../../rig/a-cooldown.ts';

const [codex, gemini] = [workerId('codex'), workerId('gemini')];
const at = (seconds: number) => epochMs(NOW + seconds * SECOND);
const failure = (cause: HealthCause, seconds = 0, worker = codex): HealthNote => ({
  ...{ type: 'failure', worker, cause, at: at(seconds) },
});
const cleanRun = (seconds = 0, worker = codex): HealthNote => ({
  ...{ type: 'clean-run', worker, at: at(seconds) },
});
const after = (...notes: readonly HealthNote[]): readonly Health[] => notes.reduce(noted, []);
const healthOf = (known: readonly Health[], worker = codex) => known.find((one) => one.worker === worker);
const untilOf = (known: readonly Health[], seconds = 0) => unhealthy(healthOf(known), at(seconds))?.until;

describe('a worker whose provider fails', () => {
  it.each([
    ['server-error', [30, 60, 120, 240, 300, 300]],
    ['timeout', [10, 20, 40, 80, 120, 120]],
  ] as const)('is unhealthy over %s for so many seconds more each time: %j', (cause, lengths) => {
    let known: readonly Health[] = [];
    for (const length of lengths) {
      known = noted(known, failure(cause));
      expect(untilOf(known)).toBe(at(length));
    }
  });

  it('is healthy again when its time is over, without anybody having written so', () => {
    const known = after(failure('server-error'));
    expect(untilOf(known, 29.999)).toBe(at(30));
    expect(untilOf(known, 30)).toBeUndefined();
  });

  it('goes on from the step it had reached, however long ago that was', () => {
    const known = after(failure('server-error'), failure('server-error', 3_600));
    expect(untilOf(known, 3_600)).toBe(at(3_660));
  });

  it('goes one step down for each clean run, and is off the record after the last', () => {
    const twice = after(failure('server-error'), failure('server-error'));
    const once = noted(twice, cleanRun(1));
    expect(untilOf(once, 1)).toBe(at(30));
    expect(noted(once, cleanRun(2))).toEqual([]);
  });

  it('needs no more clean runs than there are steps, after whatever number of failures', () => {
    let known = after(...Array.from({ length: 100 }, () => failure('timeout')));
    for (let run = 0; run < 5; run += 1) known = noted(known, cleanRun());
    expect(known).toEqual([]);
  });

  it('keeps a count for each cause, lasts as long as the longer, and is called by the worse', () => {
    const known = after(failure('server-error'), failure('timeout', 1), failure('timeout', 25));
    expect(unhealthy(healthOf(known), at(26))).toEqual({
      ...{ cause: 'server-error', failures: 3, at: at(25), until: at(45), triedAt: at(25) },
    });
    expect(unhealthy(healthOf(known), at(31))).toMatchObject({ cause: 'timeout', failures: 2 });
  });

  it('says nothing about others', () => {
    const known = after(failure('server-error'), failure('timeout', 0, gemini), cleanRun(1, gemini));
    expect(known.map(({ worker }) => worker)).toEqual([codex]);
    expect(unhealthy(healthOf(known, gemini), at(1))).toBeUndefined();
  });
});

it('leaves the very same list for a clean run of whoever is healthy, so that nothing is written', () => {
  const known = after(failure('timeout', 0, gemini));
  expect(noted(known, cleanRun())).toBe(known);
});

it('carries along what it does not know', () => {
  const [known] = after(failure('timeout'));
  const more = {
    ...known,
    mood: 'sad',
    troubles: { ...known?.troubles, 'tea-break': { steps: 1, at: NOW } },
  };
  const read = [more] as unknown as readonly Health[];
  expect(noted(read, failure('server-error'))).toMatchObject([
    { mood: 'sad', troubles: { 'tea-break': { steps: 1 } } },
  ]);
  expect(noted(read, cleanRun())).toMatchObject([{ mood: 'sad', troubles: { 'tea-break': { steps: 1 } } }]);
});

describe('health under a clock that jumps', () => {
  it('does not last when it was written by a clock that was ahead', () => {
    const known = after({ type: 'failure', worker: codex, cause: 'server-error', at: epochMs(NOW + DAY) });
    expect(untilOf(known)).toBeUndefined();
    expect(untilOf(noted(known, failure('server-error')))).toBe(at(60));
  });

  it('lasts no longer than its own pause when the clock went back by less', () => {
    const known = after(failure('server-error', 20));
    expect(untilOf(known)).toBe(at(30));
  });

  it('is over when the clock went ahead', () => {
    expect(untilOf(after(failure('timeout')), HOUR / SECOND)).toBeUndefined();
  });
});

it('orders the unhealthy by severity, time left, failures, and then by who was not tried for longest', () => {
  const base = {
    cause: 'timeout',
    failures: 2,
    at: NOW,
    until: epochMs(NOW + MINUTE),
    triedAt: NOW,
  } as const;
  const ordered = [
    { ...base, until: epochMs(NOW + SECOND), failures: 5 },
    { ...base, failures: 1 },
    { ...base, triedAt: epochMs(NOW - 1) },
    base,
    { ...base, cause: 'server-error', until: epochMs(NOW + SECOND), failures: 1 },
  ] as const;
  expect(ordered.toReversed().sort(leastUnhealthyFirst)).toEqual(ordered);
});

it.each([
  [{ cause: 'server-error', failures: 1 }, 'server error'],
  [{ cause: 'timeout', failures: 3 }, 'fell silent, or died without a result, 3 times'],
  [{ cause: 'timeout', how: 'silent', failures: 1 }, 'printed nothing for too long'],
  [{ cause: 'timeout', how: 'died', failures: 2 }, 'died without a result, the last of 2 failures'],
] as const)('says what %j is', (trouble, words) => {
  expect(describeHealth(trouble)).toBe(words);
});

it('never has a pause that is longer than five minutes or shorter than ten seconds', () => {
  for (const cause of ['server-error', 'timeout'] as const) {
    for (const steps of [1, 2, 5, 6, 1_000_000]) {
      expect(pauseOf(cause, steps)).toBeGreaterThanOrEqual(10 * SECOND);
      expect(pauseOf(cause, steps)).toBeLessThanOrEqual(5 * MINUTE);
    }
  }
});
