import type { Finding } from '../classify.ts';
import { classify } from '../classify.ts';
import { geminiPhrases } from '../phrases/gemini.ts';
import type { Answer, ProviderReading } from './answer.ts';
import { headerMap, retryAfterOf } from './answer.ts';
import { believed } from './refine.ts';

/**
 * Google's answers. All is in the body: QuotaFailure names the quota (per day: back at midnight Pacific; per minute: back
 * after RetryInfo), ErrorInfo the reason (`MODEL_CAPACITY_EXHAUSTED` is no quota even inside 429 RESOURCE_EXHAUSTED) and
 * for Code Assist the reset itself. Details: google.rpc error_details.proto; googleQuotaErrors.ts, gemini 0.61.0.
 */
export function readGoogle(answer: Answer): ProviderReading {
  const finding = classify(geminiPhrases, {
    text: answer.body,
    status: answer.status,
    at: answer.at,
    zone: 'UTC',
    model: answer.model,
  });
  return { windows: [], finding: withRetryAfter(finding, answer) };
}

/** The `Retry-After` header speaks only where the body names no reset. */
function withRetryAfter(finding: Finding, answer: Answer): Finding {
  const resetAt = believed(retryAfterOf(headerMap(answer.headers), answer.at), answer.at);
  if (finding.type !== 'signal' || finding.signal.kind !== 'rate-limit' || resetAt === undefined)
    return finding;
  if (finding.signal.resetAt !== undefined) return finding;
  return { type: 'signal', signal: { ...finding.signal, resetAt, source: 'header' } };
}
