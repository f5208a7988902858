import { describe, expect, it } from 'vitest';
import { epochMs, fromSeconds } from '../../../src/core/time.ts';
import type { EpochSeconds } from '../../../src/core/time.ts';
import { readAnthropic } from '../../../src/signals/providers/anthropic.ts';
import type { Answer, ProviderReading } from '../../../src/signals/providers/answer.ts';

const at = epochMs(Date.parse('2026-04-16T10:00:00Z'));
const seconds = (value: number) => fromSeconds(value as EpochSeconds);
const anAnswer = (overrides: Partial<Answer>): Answer => ({
  status: 429,
  headers: {},
  body: '',
  at,
  ...overrides,
});
const signalOf = ({ finding }: ProviderReading) =>
  finding.type === 'signal' ? finding.signal : finding.type;

const SOON = 1776340000;
const LATER = 1776700000;
const RATE_LIMITED = JSON.stringify({
  type: 'error',
  error: {
    type: 'rate_limit_error',
    message: "This request would exceed your account's rate limit. Please try again later.",
  },
});

describe('an answer of Anthropic', () => {
  it('closes the window whose own status says so, without any aggregate and whatever x-should-retry says', () => {
    const reading = readAnthropic(
      anAnswer({
        headers: {
          'anthropic-ratelimit-unified-5h-status': 'rejected',
          'anthropic-ratelimit-unified-5h-reset': String(SOON),
          'anthropic-ratelimit-unified-5h-utilization': '1.01',
          'x-should-retry': 'true',
        },
        body: RATE_LIMITED,
      }),
    );
    expect(signalOf(reading)).toMatchObject({
      kind: 'rate-limit',
      scope: 'seat',
      resetAt: seconds(SOON),
      source: 'header',
    });
    expect(reading.windows).toEqual([
      { name: '5h', scope: 'seat', usedPercent: 101, resetAt: seconds(SOON), closed: true },
    ]);
  });

  it('closes one model when only its window is rejected', () => {
    const headers = {
      'Anthropic-Ratelimit-Unified-Status': 'rejected',
      'Anthropic-Ratelimit-Unified-5h-Status': 'allowed',
      'Anthropic-Ratelimit-Unified-7d-Status': 'allowed',
      'Anthropic-Ratelimit-Unified-7d_oi-Status': 'rejected',
      'Retry-After': '120',
    };
    expect(signalOf(readAnthropic(anAnswer({ headers })))).toMatchObject({
      scope: 'model:fable',
      resetAt: at + 120_000,
    });
  });

  it('rests until the last of two closed windows opens', () => {
    const headers = {
      'anthropic-ratelimit-unified-5h-status': 'rejected',
      'anthropic-ratelimit-unified-5h-reset': String(SOON),
      'anthropic-ratelimit-unified-7d-status': 'rejected',
      'anthropic-ratelimit-unified-7d-reset': String(LATER),
    };
    expect(signalOf(readAnthropic(anAnswer({ headers })))).toMatchObject({
      resetAt: seconds(LATER),
      reason: 'weekly limit',
    });
  });

  it('rests five hours for a subscription that names nothing', () => {
    const headers = { 'anthropic-ratelimit-unified-status': 'rejected' };
    expect(signalOf(readAnthropic(anAnswer({ headers })))).toMatchObject({
      kind: 'rate-limit',
      resetAt: at + 5 * 3_600_000,
    });
  });

  it('reads a reset that a proxy wrote as RFC 3339', () => {
    const headers = {
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': '2026-04-16T12:00:00Z',
    };
    expect(signalOf(readAnthropic(anAnswer({ headers })))).toMatchObject({
      resetAt: Date.parse('2026-04-16T12:00:00Z'),
    });
  });

  it('is no refusal when the request was allowed, though overage is rejected and out of credits', () => {
    const headers = {
      'anthropic-ratelimit-unified-status': 'allowed',
      'anthropic-ratelimit-unified-5h-status': 'allowed',
      'anthropic-ratelimit-unified-5h-reset': String(SOON),
      'anthropic-ratelimit-unified-5h-utilization': '0.86',
      'anthropic-ratelimit-unified-overage-disabled-reason': 'out_of_credits',
      'anthropic-ratelimit-unified-overage-status': 'rejected',
    };
    const reading = readAnthropic(anAnswer({ status: 200, headers }));
    expect(reading.finding.type).toBe('unknown');
    expect(reading.windows).toEqual([
      { name: '5h', scope: 'seat', usedPercent: 86, resetAt: seconds(SOON), closed: false },
    ]);
  });

  it('rests the organisation of an API key for its retry-after', () => {
    const headers = {
      'anthropic-ratelimit-input-tokens-limit': '30000',
      'anthropic-ratelimit-input-tokens-remaining': '0',
      'anthropic-ratelimit-input-tokens-reset': '2026-04-16T10:01:00Z',
      'retry-after': '17',
    };
    expect(signalOf(readAnthropic(anAnswer({ headers })))).toMatchObject({
      scope: 'workspace',
      resetAt: at + 17_000,
    });
  });

  it('takes a 429 without any quota header for a burst that passes', () => {
    expect(signalOf(readAnthropic(anAnswer({ headers: { 'x-should-retry': 'true' } })))).toMatchObject({
      kind: 'overloaded',
    });
  });

  it.each([
    [400, 'Your credit balance is too low to access the Anthropic API.', 'out-of-credits'],
    [429, 'Budget has been exceeded! Key=x Current cost: 40.1, Max budget: 40.0', 'out-of-credits'],
    [529, 'Overloaded', 'overloaded'],
    [401, 'invalid x-api-key', 'auth-failure'],
  ])('with status %i and %j is %s', (status, message, kind) => {
    const body = JSON.stringify({ type: 'error', error: { type: 'error', message } });
    expect(signalOf(readAnthropic(anAnswer({ status, body })))).toMatchObject({ kind });
  });

  it('without headers and words is unknown and closes nothing', () => {
    expect(readAnthropic(anAnswer({ status: 200 }))).toEqual({ windows: [], finding: { type: 'unknown' } });
  });
});
