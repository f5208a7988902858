import type { Scope } from '../../core/signal.ts';
import type { EpochMs } from '../../core/time.ts';
import { after, durationMs, HOUR } from '../../core/time.ts';
import type { Finding } from '../classify.ts';
import { classify } from '../classify.ts';
import { evidence } from '../evidence.ts';
import { claudePhrases } from '../phrases/claude.ts';
import { readInstantField } from '../reset.ts';
import type { Answer, ProviderReading, ProviderWindow } from './answer.ts';
import { headerMap, lastReset, lengthOfWindow, numberHeader, retryAfterOf } from './answer.ts';
import { refine } from './refine.ts';

const UNIFIED = 'anthropic-ratelimit-unified-';
const CLASSIC = /^anthropic-ratelimit-((?:input-|output-)?(?:tokens|requests))-(?:limit|remaining|reset)$/;

/** Windows of a subscription by the infix of their headers; `_oi` is the weekly window of Fable (captures of 2026). */
const SUBSCRIPTION: Readonly<Record<string, { readonly scope: Scope; readonly reason: string }>> = {
  '5h': { scope: 'seat', reason: 'five-hour limit' },
  '7d': { scope: 'seat', reason: 'weekly limit' },
  '7d_opus': { scope: 'model:opus', reason: 'weekly Opus limit' },
  '7d_sonnet': { scope: 'model:sonnet', reason: 'weekly Sonnet limit' },
  '7d_oi': { scope: 'model:fable', reason: 'weekly Fable limit' },
};

const CLAIMS: Readonly<Record<string, string>> = {
  five_hour: '5h',
  seven_day: '7d',
  seven_day_opus: '7d_opus',
  seven_day_sonnet: '7d_sonnet',
  seven_day_overage_included: '7d_oi',
};

/** A subscription's limit that names neither window nor reset is taken for the shortest window. */
const DEFAULT_WINDOW = durationMs(5 * HOUR);

/** Statuses seen in `-unified-status` besides `allowed` and `allowed_warning` when the request was turned away. */
const CLOSED = /^(?:rejected|rate_limited|blocked|queueing_hard|payment_required)$/i;

/**
 * Anthropic's answers. A subscription's window is closed when its own status says so: the aggregate may be missing
 * (capture of 2026-08-15) or say `rejected` for a throttle, and `x-should-retry` and the overage status say nothing of it.
 * Resets are epoch seconds in `-unified-*` (RFC 3339 from some proxies), RFC 3339 in the headers of API keys.
 */
export function readAnthropic(answer: Answer): ProviderReading {
  const headers = headerMap(answer.headers);
  const windows = [...subscriptionWindows(headers), ...keyWindows(headers)];
  const words = classify(claudePhrases, {
    text: answer.body,
    status: answer.status,
    at: answer.at,
    zone: 'UTC',
    model: answer.model,
  });
  return { windows, finding: answer.status === 429 ? readRefusal(answer, headers, windows, words) : words };
}

function readRefusal(
  answer: Answer,
  headers: ReadonlyMap<string, string>,
  windows: readonly ProviderWindow[],
  words: Finding,
): Finding {
  const closed = windows.filter((window) => window.closed);
  const ofSeat = closed.filter(({ name, scope }) => name in SUBSCRIPTION && scope === 'seat');
  const blocking = ofSeat.length > 0 ? ofSeat : closed;
  const retryAfter = retryAfterOf(headers, answer.at);
  const [first] = blocking;
  if (first !== undefined && first.name in SUBSCRIPTION) {
    const last = blocking.toSorted((left, right) => (right.resetAt ?? 0) - (left.resetAt ?? 0))[0] ?? first;
    const resetAt =
      lastReset(blocking) ?? retryAfter ?? after(answer.at, lengthOfWindow(last.name) ?? DEFAULT_WINDOW);
    return refine(words, answer, {
      scope: last.scope,
      resetAt,
      reason: SUBSCRIPTION[last.name]?.reason ?? 'limit',
    });
  }
  if (first !== undefined || keyWindows(headers).length > 0) {
    const resetAt = retryAfter ?? lastReset(blocking);
    return refine(words, answer, { scope: 'workspace', resetAt, reason: "the organisation's rate limit" });
  }
  if (isMoney(words) || retryAfter !== undefined) {
    return refine(words, answer, { scope: 'seat', resetAt: retryAfter, reason: 'rate limited (HTTP 429)' });
  }
  const isQuota = [...headers.keys()].some((name) => name.startsWith('anthropic-ratelimit-'));
  return isQuota ? words : throttled(words, answer);
}

/** Claude Code tells the two apart by the quota headers: a 429 without any is a burst that passes (2.1.199 retries it). */
function throttled(words: Finding, answer: Answer): Finding {
  if (words.type === 'signal' && words.signal.kind !== 'rate-limit') return words;
  return {
    type: 'signal',
    signal: {
      kind: 'overloaded',
      scope: 'seat',
      resetAt: undefined,
      untilCleared: false,
      source: 'header',
      reason: 'the server limits requests for a moment',
      evidence: evidence(answer.body === '' ? 'HTTP 429' : answer.body),
    },
  };
}

function isMoney(finding: Finding): boolean {
  return finding.type === 'signal' && finding.signal.kind === 'out-of-credits';
}

function subscriptionWindows(headers: ReadonlyMap<string, string>): readonly ProviderWindow[] {
  const claimed = CLAIMS[headers.get(`${UNIFIED}representative-claim`) ?? ''] ?? '5h';
  const anyOwnStatus = Object.keys(SUBSCRIPTION).some((name) => headers.has(`${UNIFIED}${name}-status`));
  const aggregate = headers.get(`${UNIFIED}status`);
  return Object.entries(SUBSCRIPTION).flatMap(([name, { scope }]): ProviderWindow[] => {
    const status =
      headers.get(`${UNIFIED}${name}-status`) ?? (anyOwnStatus || name !== claimed ? undefined : aggregate);
    const utilization = numberHeader(headers, `${UNIFIED}${name}-utilization`);
    const reset = resetHeader(headers, `${UNIFIED}${name}-reset`);
    if (status === undefined && utilization === undefined && reset === undefined) return [];
    const resetAt = reset ?? (name === claimed ? resetHeader(headers, `${UNIFIED}reset`) : undefined);
    const usedPercent = utilization === undefined ? undefined : utilization * 100;
    return [{ name, scope, usedPercent, resetAt, closed: CLOSED.test(status ?? '') }];
  });
}

function keyWindows(headers: ReadonlyMap<string, string>): readonly ProviderWindow[] {
  const names = new Set([...headers.keys()].flatMap((name) => CLASSIC.exec(name)?.[1] ?? []));
  return [...names].map((name) => {
    const remaining = numberHeader(headers, `anthropic-ratelimit-${name}-remaining`);
    const limit = numberHeader(headers, `anthropic-ratelimit-${name}-limit`);
    const known = remaining !== undefined && limit !== undefined && limit > 0;
    return {
      name,
      scope: 'workspace',
      usedPercent: known ? 100 * (1 - remaining / limit) : undefined,
      resetAt: resetHeader(headers, `anthropic-ratelimit-${name}-reset`),
      closed: remaining === 0,
    };
  });
}

function resetHeader(headers: ReadonlyMap<string, string>, name: string): EpochMs | undefined {
  const value = headers.get(name);
  return value === undefined ? undefined : readInstantField(value);
}
