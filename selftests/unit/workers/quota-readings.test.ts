import { describe, expect, it } from 'vitest';
import { epochMs, HOUR, MINUTE, toIso } from '../../../src/core/time.ts';
import { readRollout } from '../../../src/signals/rollout.ts';
import type { Adapter } from '../../../src/workers/adapter.ts';
import type { NewestReading } from '../../../src/workers/closed-window.ts';
import type { Ending } from '../../../src/workers/ending.ts';
import { answerReadings, closingReadings, readingEvent } from '../../../src/workers/quota-readings.ts';
import { loadAdapter } from '../../../src/workers/registry.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aSignal, aWorker } from '../../rig/builders.ts';

const codex = await loadAdapter('codex');
const claude = await loadAdapter('claude');
const worker = aWorker({ id: 'codex-work', seat: 'work', adapter: 'codex' });
const resetAt = epochMs(NOW + 2 * HOUR);
const ID = '0199a213-81a0-7f00-9d12-000000000000';
const done: Ending = { type: 'done', text: '' };
const refused = (signal: Parameters<typeof aSignal>[0]): Ending => ({
  type: 'refused',
  signal: aSignal(signal),
});

function rolloutLine(at: number, primaryPercent: number): string {
  const seconds = Math.round(resetAt / 1_000);
  const limits = {
    primary: { used_percent: primaryPercent, window_minutes: 300, resets_at: seconds },
    secondary: { used_percent: 12, window_minutes: 10_080, resets_at: seconds + 86_400 },
  };
  const payload = { type: 'token_count', rate_limits: limits };
  return JSON.stringify({ timestamp: toIso(epochMs(at)), type: 'event_msg', payload });
}

/** What the end of an attempt tells; `files`: what the CLI's home holds, by path. */
function told(
  ending: Ending,
  files: Readonly<Record<string, string>> = {},
  adapter: Adapter = codex,
  newestReading: NewestReading = ({ matches, read }) =>
    Object.entries(files).flatMap(([path, line]) => (matches(path) ? (read(line) ?? []) : []))[0],
) {
  const over = { ending, worker, adapter, env: {}, conversation: ID, startedAt: NOW };
  return closingReadings(over, { newestReading, home: '/home' }).map(
    ({ window, usedPercent, source, resetAt: at, observedAt }) => ({
      window,
      usedPercent,
      source,
      at,
      observedAt,
    }),
  );
}

const own = `2026/11/29/rollout-2026-11-29T20-00-00-${ID}.jsonl`;

describe('the end of an attempt', () => {
  it('tells of every window that its CLI noted while it ran, by its length, and when it was so', () => {
    const observedAt = epochMs(NOW + MINUTE);
    expect(told(done, { [own]: rolloutLine(observedAt, 40) })).toEqual([
      { window: '5h', usedPercent: 40, source: 'file', at: resetAt, observedAt },
      { window: '7d', usedPercent: 12, source: 'file', at: epochMs(resetAt + 24 * HOUR), observedAt },
    ]);
  });

  it('leaves alone what was noted before, and what other conversations noted', () => {
    expect(told(done, { [own]: rolloutLine(NOW - MINUTE, 40) })).toEqual([]);
    expect(told(done, { [own.replace(ID, 'another')]: rolloutLine(NOW + MINUTE, 40) })).toEqual([]);
  });

  it('tells of the window that it was refused for as full', () => {
    const signal = { reason: 'weekly Opus limit', scope: 'model:opus', resetAt } as const;
    expect(told(refused(signal), {}, claude)).toEqual([
      { window: '7d opus', usedPercent: 100, source: 'refusal', at: resetAt, observedAt: undefined },
    ]);
    expect(told(refused({ reason: 'usage limit', resetAt }))).toMatchObject([
      { window: 'limit', usedPercent: 100 },
    ]);
  });

  it.each([
    ['a throttle', { reason: 'the provider limits requests for a moment' }],
    ['a login', { kind: 'auth-failure', reason: 'the login was refused' }],
    ['money', { kind: 'out-of-credits', reason: 'out of credits', resetAt }],
    ['a busy provider', { kind: 'overloaded', reason: 'overloaded', resetAt }],
  ] as const)('takes %s for no window', (_, signal) => {
    expect(told(refused(signal))).toEqual([]);
  });

  it('tells once of a window that the CLI noted and the provider refused for', () => {
    const files = { [own]: rolloutLine(NOW + MINUTE, 100) };
    expect(told(refused({ reason: 'five-hour limit', resetAt }), files).map(({ source }) => source)).toEqual([
      'file',
      'file',
    ]);
  });

  it('does not fail over files that cannot be read', () => {
    const unreadable: NewestReading = () => {
      throw Object.assign(new Error('EIO'), { code: 'EIO', errno: -5, syscall: 'read' });
    };
    expect(told(done, {}, codex, unreadable)).toEqual([]);
  });
});

describe('a reading', () => {
  it.each([1e300, -1e300, Infinity, Number.NaN])('whose reset is %d has none', (absurd) => {
    const event = readingEvent(
      worker,
      { window: '5h', usedPercent: 1, resetAt: epochMs(absurd), warning: false },
      'event',
    );
    expect(event.resetAt).toBeUndefined();
  });

  it('carries no longer name than a line can hold', () => {
    const event = readingEvent(
      worker,
      { window: 'x'.repeat(1e6), usedPercent: 1, resetAt, warning: false },
      'event',
    );
    expect(event.window.length).toBeLessThan(50);
  });

  it('comes of a free look by the length of its window', () => {
    const window = { scope: 'seat', usedPercent: 41, resetAt, isClosed: false } as const;
    const answer = {
      type: 'seen',
      windows: [{ ...window, name: 'weekly limit' }],
      credits: undefined,
    } as const;
    expect(answerReadings(worker, answer)).toMatchObject([
      { type: 'reading', seat: 'work', window: '7d', usedPercent: 41, resetAt, source: 'probe' },
    ]);
    expect(answerReadings(worker, { type: 'unknown', why: 'nobody answers' })).toEqual([]);
  });

  it('of a rollout knows whose windows they are', () => {
    const line = rolloutLine(NOW, 10).replace('{"primary"', '{"limit_name":"GPT-X","primary"');
    expect(readRollout(line)?.scope).toBe('model:gpt-x');
    expect(readRollout(rolloutLine(NOW, 10))?.scope).toBe('seat');
  });
});
