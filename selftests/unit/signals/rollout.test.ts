import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/core/time.ts';
import { readRollout } from '../../../src/signals/rollout.ts';

const AT = '2026-04-16T10:00:00.000Z';
const at = epochMs(Date.parse(AT));

const aLine = (rateLimits: unknown, timestamp = AT) =>
  JSON.stringify({
    timestamp,
    type: 'event_msg',
    payload: { type: 'token_count', info: null, rate_limits: rateLimits },
  });

describe('a line of a codex rollout', () => {
  it.each([
    [
      'flat, of 2025-09-20, with the reset beside it',
      {
        primary_used_percent: 100,
        primary_window_minutes: 300,
        primary_resets_in_seconds: 60,
        secondary_used_percent: 5,
      },
      at + 60_000,
      'five-hour limit',
    ],
    [
      'relative to its own time, of 2025-09-24',
      {
        primary: { used_percent: 100, window_minutes: 300, resets_in_seconds: 3_600 },
        secondary: { used_percent: 30, window_minutes: 10_080, resets_in_seconds: 9 },
      },
      at + 3_600_000,
      'five-hour limit',
    ],
    [
      'in epoch seconds, of 2025-10-17',
      {
        primary: { used_percent: 12, window_minutes: 300, resets_at: 1776340000 },
        secondary: { used_percent: 100, window_minutes: 10_080, resets_at: 1776700000 },
      },
      1776700000_000,
      'weekly limit',
    ],
    [
      'with the weekly window in the first slot, of 2026',
      {
        primary: { used_percent: 100, window_minutes: 10_080, resets_at: 1776700000 },
        secondary: null,
        plan_type: 'prolite',
      },
      1776700000_000,
      'weekly limit',
    ],
    [
      'with a window one minute off',
      { primary: { used_percent: 100, window_minutes: 299, resets_at: 1776340000 }, secondary: null },
      1776340000_000,
      'five-hour limit',
    ],
    [
      'with a monthly window',
      { primary: { used_percent: 100, window_minutes: 43_200, resets_at: 1776700000 }, secondary: null },
      1776700000_000,
      '30-day limit',
    ],
  ])('%s', (_, rateLimits, resetAt, reason) => {
    expect(readRollout(aLine(rateLimits))?.closed).toEqual({
      observedAt: at,
      resetAt,
      scope: 'seat',
      reason,
    });
  });

  it('names the window that opens last when several are full', () => {
    const full = (minutes: number, resets_at: number) => ({
      used_percent: 100,
      window_minutes: minutes,
      resets_at,
    });
    const line = aLine({ primary: full(300, 1776340000), secondary: full(10_080, 1776700000) });
    expect(readRollout(line)?.closed?.resetAt).toBe(1776700000_000);
  });

  it.each([
    ['codex', null, 'seat', 'five-hour limit'],
    [
      'codex_bengalfox',
      'GPT-5.3-Codex-Spark',
      'model:gpt-5.3-codex-spark',
      'five-hour limit of gpt-5.3-codex-spark',
    ],
    ['codex_other', null, 'model:codex_other', 'five-hour limit of codex_other'],
  ])('of limit %s (%s) closes %s', (limit_id, limit_name, scope, reason) => {
    const line = aLine({
      limit_id,
      limit_name,
      primary: { used_percent: 100, window_minutes: 300, resets_at: 1776340000 },
      secondary: null,
    });
    expect(readRollout(line)?.closed).toMatchObject({ scope, reason });
  });

  it('is a reading with nothing closed when no window is full', () => {
    const line = aLine({
      primary: { used_percent: 87, window_minutes: 300, resets_at: 1776340000 },
      secondary: null,
    });
    expect(readRollout(line)).toMatchObject({ observedAt: at, closed: undefined });
  });

  it.each([
    ['no limits at all', aLine(null)],
    ['no window, as with an API key', aLine({ limit_id: 'codex', primary: null, secondary: null })],
    [
      'a full window that does not say when it opens',
      aLine({ primary: { used_percent: 100, window_minutes: 300 } }),
    ],
    ['no time of its own', aLine({ primary: { used_percent: 100, resets_at: 1776340000 } }, 'yesterday')],
    ['a torn end', aLine({ primary: { used_percent: 100, resets_at: 1776340000 } }).slice(0, -4)],
    [
      'a quotation in a tool output',
      JSON.stringify({
        timestamp: AT,
        type: 'response_item',
        payload: {
          type: 'function_call_output',
          output: aLine({ primary: { used_percent: 100, resets_at: 1776340000 } }),
        },
      }),
    ],
    [
      'an agent that talks of "rate_limits":{',
      JSON.stringify({
        timestamp: AT,
        payload: {
          type: 'agent_message',
          rate_limits: { primary: { used_percent: 100, resets_at: 1776340000 } },
        },
      }),
    ],
    ['nothing', ''],
  ])('is no reading with %s', (_, line) => {
    expect(readRollout(line)).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.jsonValue().map(aLine)), (line) => {
        expect(() => readRollout(line)).not.toThrow();
      }),
    );
  });
});
