import { describe, expect, it } from 'vitest';
import { epochMs, fromSeconds } from '../../../src/core/time.ts';
import type { EpochSeconds } from '../../../src/core/time.ts';

import type { Answer, ProviderReading } from '../../../src/signals/providers/answer.ts';
import { readCodex, readCodexUsage } from '../../../src/signals/providers/codex.ts';
import { readGoogle } from '../../../src/signals/providers/google.ts';
import { readOpenAi } from '../../../src/signals/providers/openai.ts';

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

describe('an answer of OpenAI', () => {
  it('rests until what has run out is back', () => {
    const headers = {
      'x-ratelimit-limit-tokens': '150000',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '6m0s',
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1s',
    };
    expect(signalOf(readOpenAi(anAnswer({ headers })))).toMatchObject({
      kind: 'rate-limit',
      resetAt: at + 360_000,
    });
  });

  it('prefers retry-after-ms to the retry-after that rounds it', () => {
    const headers = { 'retry-after-ms': '1250', 'retry-after': '2' };
    expect(signalOf(readOpenAi(anAnswer({ headers })))).toMatchObject({ resetAt: at + 1_250 });
  });

  it('reads money where the body says so, whatever the headers', () => {
    const body = JSON.stringify({
      error: {
        code: 'insufficient_quota',
        type: 'insufficient_quota',
        message: 'You exceeded your current quota, please check your plan and billing details.',
      },
    });
    expect(signalOf(readOpenAi(anAnswer({ body, headers: { 'retry-after': '20' } })))).toMatchObject({
      kind: 'out-of-credits',
    });
  });

  it('learns nothing from the -1, -1 and 0 of Azure', () => {
    const headers = {
      'x-ratelimit-limit-tokens': '-1',
      'x-ratelimit-remaining-tokens': '-1',
      'x-ratelimit-reset-tokens': '0',
    };
    expect(readOpenAi(anAnswer({ status: 200, headers }))).toEqual({
      windows: [],
      finding: { type: 'unknown' },
    });
  });
});

describe('an answer of the Codex backend', () => {
  const headers = {
    'x-codex-primary-used-percent': '100',
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': String(SOON),
    'x-codex-secondary-used-percent': '34.5',
    'x-codex-secondary-window-minutes': '10080',
    'x-codex-secondary-reset-at': String(LATER),
  };
  const limitReached = JSON.stringify({
    error: { type: 'usage_limit_reached', plan_type: 'pro', resets_at: SOON },
  });

  it('takes the reset of its body, and the name of the window from its headers', () => {
    expect(signalOf(readCodex(anAnswer({ headers, body: limitReached })))).toMatchObject({
      ...{ kind: 'rate-limit', scope: 'seat', resetAt: seconds(SOON), reason: 'five-hour limit' },
    });
  });

  it('rests one model when the active limit is its own', () => {
    const own = {
      ...headers,
      'x-codex-active-limit': 'codex-bengalfox',
      'x-codex-bengalfox-primary-used-percent': '100',
      'x-codex-bengalfox-primary-window-minutes': '300',
      'x-codex-bengalfox-primary-reset-at': String(LATER),
      'x-codex-bengalfox-limit-name': 'GPT-5.3-Codex-Spark',
    };
    expect(signalOf(readCodex(anAnswer({ headers: own })))).toMatchObject({
      ...{ scope: 'model:gpt-5.3-codex-spark', resetAt: seconds(LATER) },
    });
  });

  it.each([
    ['workspace_member_credits_depleted', 'workspace', false],
    ['workspace_owner_usage_limit_reached', 'workspace', true],
    ['workspace_member_usage_limit_reached', 'seat', true],
  ])('reads %s as money', (type, scope, untilCleared) => {
    const answer = anAnswer({ headers: { 'x-codex-rate-limit-reached-type': type } });
    expect(signalOf(readCodex(answer))).toMatchObject({ kind: 'out-of-credits', scope, untilCleared });
  });

  it('reads the usage of a plan from the endpoint and from the app-server alike', () => {
    const endpoint = {
      plan_type: 'pro',
      rate_limit: { primary_window: { used_percent: 41, limit_window_seconds: 18_000, reset_at: SOON } },
    };
    const server = {
      id: 2,
      result: { rateLimits: { primary: { usedPercent: 41, windowDurationMins: 300, resetsAt: SOON } } },
    };
    const expected = [{ name: '5h', scope: 'seat', usedPercent: 41, resetAt: seconds(SOON), closed: false }];
    expect(readCodexUsage(JSON.stringify(endpoint), at)).toEqual(expected);
    expect(readCodexUsage(JSON.stringify(server), at)).toEqual(expected);
    expect(readCodexUsage('<html>', at)).toEqual([]);
  });
});

describe('an answer of Google', () => {
  const body = (details: readonly object[], message = 'Resource has been exhausted (e.g. check quota).') =>
    JSON.stringify({ error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } });
  const violation = (quotaId: string) => ({
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [{ quotaId, quotaDimensions: { model: 'gemini-2.5-pro' } }],
  });
  const retryIn = (retryDelay: string) => ({
    '@type': 'type.googleapis.com/google.rpc.RetryInfo',
    retryDelay,
  });

  it('returns at midnight Pacific when the quota per day is spent, whatever delay it suggests', () => {
    const answer = anAnswer({
      body: body([violation('GenerateRequestsPerDayPerProjectPerModel-FreeTier'), retryIn('34s')]),
    });
    expect(signalOf(readGoogle(answer))).toMatchObject({
      ...{ kind: 'rate-limit', scope: 'model:gemini-2.5-pro', resetAt: Date.parse('2026-04-17T07:00:00Z') },
    });
  });

  it('returns after its delay when the quota per minute is spent', () => {
    const answer = anAnswer({
      body: body([violation('GenerateContentInputTokensPerModelPerMinute-FreeTier'), retryIn('26s')]),
    });
    expect(signalOf(readGoogle(answer))).toMatchObject({ kind: 'rate-limit', resetAt: at + 26_000 });
  });

  it('is a lack of capacity when the reason says so, even inside a 429', () => {
    const reason = {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'MODEL_CAPACITY_EXHAUSTED',
      domain: 'cloudcode-pa.googleapis.com',
    };
    expect(signalOf(readGoogle(anAnswer({ body: body([reason]) })))).toMatchObject({ kind: 'overloaded' });
  });

  it('takes Retry-After only where the body names no reset', () => {
    const headers = { 'Retry-After': '90' };
    expect(signalOf(readGoogle(anAnswer({ headers, body: body([]) })))).toMatchObject({
      resetAt: at + 90_000,
      source: 'header',
    });
    expect(signalOf(readGoogle(anAnswer({ headers, body: body([retryIn('26s')]) })))).toMatchObject({
      resetAt: at + 26_000,
      source: 'text',
    });
  });
});
