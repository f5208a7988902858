import type { EpochMs } from '../../core/time.ts';
import { after } from '../../core/time.ts';
import { classify } from '../classify.ts';
import { readDuration } from '../durations.ts';
import { codexPhrases } from '../phrases/codex.ts';
import type { Answer, ProviderReading, ProviderWindow } from './answer.ts';
import { headerMap, lastReset, numberHeader, retryAfterOf } from './answer.ts';
import { refine } from './refine.ts';

/**
 * OpenAI's answers to an API key, and those of the many that copy its headers. Words decide what a 429 is
 * (`insufficient_quota` is money); `retry-after-ms`, `retry-after` and the reset of what has run out decide until when.
 * Headers: platform.openai.com/docs/guides/rate-limits.
 */
export function readOpenAi(answer: Answer): ProviderReading {
  const headers = headerMap(answer.headers);
  const windows = ['requests', 'tokens'].flatMap((name) => windowNamed(name, headers, answer.at));
  const finding = classify(codexPhrases, {
    text: answer.body,
    status: answer.status,
    at: answer.at,
    zone: 'UTC',
    model: answer.model,
  });
  if (answer.status !== 429) return { windows, finding };
  const spent = windows.filter(({ closed }) => closed);
  const resetAt = retryAfterOf(headers, answer.at) ?? lastReset(spent);
  const reason = spent[0] === undefined ? 'rate limited (HTTP 429)' : `${spent[0].name} per minute`;
  return { windows, finding: refine(finding, answer, { scope: 'seat', resetAt, reason }) };
}

/** Azure sends -1, -1 and 0 for "no information" (issue in the field, 2026). */
function windowNamed(name: string, headers: ReadonlyMap<string, string>, at: EpochMs): ProviderWindow[] {
  const limit = numberHeader(headers, `x-ratelimit-limit-${name}`);
  const remaining = numberHeader(headers, `x-ratelimit-remaining-${name}`);
  const reset = headers.get(`x-ratelimit-reset-${name}`);
  if (remaining === undefined || remaining < 0) return [];
  const length = reset === undefined ? undefined : readDuration(/^[\d.]+$/.test(reset) ? `${reset}s` : reset);
  const known = limit !== undefined && limit > 0;
  return [
    {
      name,
      scope: 'seat',
      usedPercent: known ? 100 * (1 - remaining / limit) : undefined,
      resetAt: length === undefined ? undefined : after(at, length),
      closed: remaining === 0,
    },
  ];
}
