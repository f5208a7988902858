import { book } from './book.ts';
import type { Phrase, PhraseBook } from './book.ts';
import { claudeOwn } from './claude.ts';
import { codexOwn } from './codex.ts';
import { geminiOwn } from './gemini.ts';
import { httpPhrases, limitPhrases, startPhrases } from './shared.ts';

/** Words of CLIs that have no adapter yet, and of the gateways behind them. */
const others: readonly Phrase[] = [
  {
    class: 'authentication',
    reason: 'the login was refused',
    says: /^(?:too many free trial accounts used|user not found\b|opencode's free tier can only be used|no cookie auth credentials|the provided api key is invalid|you are not logged in|authentication required)/i,
    source: 'cursor 2026.05, opencode, openrouter',
  },
  {
    class: 'disclaimer',
    kind: 'rate-limit',
    reason: 'rate limited',
    says: /^you exceeded your current quota\b.*\baliyun\.com\b/i,
    source: 'qwen on DashScope: says insufficient_quota and billing, and is a throttle per minute',
  },
  {
    class: 'disclaimer',
    kind: 'out-of-credits',
    reason: 'out of credits',
    says: /^insufficient balance\b/i,
    source: 'opencode (HTTP 401), deepseek (HTTP 402)',
  },
  {
    class: 'disclaimer',
    kind: 'out-of-credits',
    reason: 'the spend limit of the key was reached',
    says: /^prompt tokens limit exceeded: .*\bmonthly limit/i,
    untilCleared: true,
    source: 'openrouter through opencode: reads like a context limit',
  },
  {
    class: 'disclaimer',
    reason: 'the provider limits requests for a moment',
    says: /^(?:retriableerror: )?\[resource_exhausted\] error|^rate limit exceeded\. please retry after a brief wait/i,
    source: 'cursor names it retriable; opencode Console Go',
  },
  {
    class: 'disclaimer',
    kind: 'rate-limit',
    reason: 'weekly limit',
    says: /^.*\buser_weekly_rate_limited\b/i,
    reset: 'none',
    source: 'copilot 2026: "wait 2 minutes" beside the code of a weekly limit; the code is right',
  },
  {
    class: 'overload',
    reason: 'the provider is overloaded',
    says: /^(?:provider is overloaded|the service may be temporarily overloaded|the engine is currently overloaded|server is busy|upstream error)/i,
    source: 'opencode, kimi, deepseek',
  },
  {
    class: 'credits',
    reason: 'out of credits',
    says: /^(?:you have no quota\b|quota exceeded\. upgrade to increase your limit|this request requires more credits|insufficient (?:credits|funds|quota)|your account balance is|you have run out of (?:credits|premium requests))/i,
    source: 'copilot 0.0.367, openrouter, deepseek, kimi',
  },
  {
    class: 'plan-limit',
    reason: 'usage limit',
    says: /^(?:sorry, you(?:'ve| have) (?:hit a rate limit|exceeded your (?:weekly|session|daily|monthly|copilot)|been rate-limited)|sorry, your request was rate-limited|you(?:'ve| have) (?:hit|exceeded|reached) your (?:weekly|session|daily|monthly|premium|free)\b[\w -]{0,40}(?:limit|quota|requests?|usage)(?= ?$|[.!]| ·)|you \(\S+\) have reached your \w+ usage limit|you have reached your \w+ usage limit)/i,
    source: 'copilot 2026, cursor 2025, ollama cloud',
  },
  {
    class: 'plan-limit',
    reason: 'usage limit',
    says: /^you've hit your (?:usage|free requests) limit(?= ?$|[.!]| get cursor)/i,
    source: 'cursor 2025 and 2026',
  },
  {
    class: 'plan-limit',
    reason: 'usage limit',
    says: /^(?:free usage exceeded|subscription quota exceeded|(?:standard )?usage limit (?:reached|exceeded)|(?:qwen )?oauth (?:free tier )?quota exceeded|qwen oauth (?:free tier )?quota exceeded|allocated quota exceeded|your free daily quota has been reached|rate limit exceeded: free-models)/i,
    source: 'opencode 1.2 to 1.18, qwen 0.14, openrouter',
  },
  {
    class: 'plan-limit',
    reason: "the model's free usage",
    says: /^freeusagelimiterror\b/i,
    scope: 'model',
    source: 'opencode: other free models of the same key went on',
  },
  {
    class: 'throttle',
    framedOnly: true,
    reason: 'rate limited',
    says: /^(?:rate limit exceeded\b|rate limited\b|too many requests\b|we're receiving too many requests)/i,
    source: 'opencode, copilot, kimi',
  },
];

/** Any CLI of unknown vendor: its own words first, then those that the known three use. */
export const genericPhrases: PhraseBook = book(
  startPhrases,
  others,
  claudeOwn,
  codexOwn,
  geminiOwn,
  limitPhrases,
  httpPhrases,
);
