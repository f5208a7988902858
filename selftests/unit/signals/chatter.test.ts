import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/core/time.ts';
import type { Said } from '../../../src/signals/classify.ts';
import { classify } from '../../../src/signals/classify.ts';
import { claudePhrases } from '../../../src/signals/phrases/claude.ts';
import { codexPhrases } from '../../../src/signals/phrases/codex.ts';
import { geminiPhrases } from '../../../src/signals/phrases/gemini.ts';
import { genericPhrases } from '../../../src/signals/phrases/generic.ts';

const at = epochMs(Date.parse('2026-04-16T10:00:00Z'));
const aText = (text: string, overrides: Partial<Said> = {}): Said => ({
  text,
  at,
  zone: 'UTC',
  ...overrides,
});
describe('what never stops a worker', () => {
  it.each([
    [claudePhrases, "You've used 97% of your session limit · resets 11am (Europe/London)"],
    [claudePhrases, "You're close to your weekly limit"],
    [claudePhrases, "You're now using extra usage"],
    [claudePhrases, 'Claude Opus 4 limit reached, now using Sonnet 4'],
    [codexPhrases, "Heads up, you've used over 90% of your weekly limit. Run /status for a breakdown."],
    [codexPhrases, 'Reconnecting... 1/5'],
    [
      geminiPhrases,
      '⚡ You have reached your daily quota limit.\n  ⚡ Automatically switching from gemini-2.5-pro to gemini-2.5-flash',
    ],
  ])('is chatter: %#', (phrases, text) => {
    expect(classify(phrases, aText(text)).type).toBe('chatter');
  });

  it.each([
    [
      codexPhrases,
      'Reconnecting... 2/5 (unexpected status 503 Service Unavailable: x, url: y)',
      'overloaded',
      undefined,
    ],
    [
      codexPhrases,
      'Reconnecting... waiting for network (Connection failed: error sending request)',
      'connection-failure',
      undefined,
    ],
    [
      codexPhrases,
      'stream error: Rate limit is exceeded. Try again in 4 seconds.; retrying 1/5 in 209ms…',
      'rate-limit',
      209,
    ],
    [
      claudePhrases,
      'API Error (529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}) · Retrying in 4 seconds… (attempt 4/10)',
      'overloaded',
      4_000,
    ],
    [
      geminiPhrases,
      'Attempt 1 failed: You have exhausted your capacity on this model. Your quota will reset after 3h5m20s.. Retrying after 12368268ms...',
      'rate-limit',
      12_368_268,
    ],
    [
      geminiPhrases,
      'Attempt 1 failed with status 429. Retrying with backoff... _ApiError: {"error":{"code":429,"message":"Resource has been exhausted (e.g. check quota)."}}',
      'rate-limit',
      undefined,
    ],
    [
      genericPhrases,
      'Free usage exceeded, subscribe to Go [retrying in 8h 13m attempt #1]',
      'rate-limit',
      29_580_000,
    ],
  ])('is a retry, with what it is about and how long it waits: %#', (phrases, text, kind, delayMs) => {
    expect(classify(phrases, aText(text))).toMatchObject({
      type: 'chatter',
      retrying: { signal: { kind }, delayMs },
    });
  });

  it("keeps the vendor's reset of a retry apart from the delay", () => {
    const text =
      'Attempt 1 failed: You have exhausted your capacity on this model. Your quota will reset after 3h5m20s.. Retrying after 12368268ms...';
    expect(classify(geminiPhrases, aText(text))).toMatchObject({
      retrying: { signal: { resetAt: at + 11_120_000 } },
    });
  });
});

describe('what merely mentions a limit', () => {
  it.each([
    "You've hit your session limit before, so I added a retry.",
    "You've hit your usage limit handler twice; I merged them.",
    "The docs mention: You're out of extra usage · resets 9pm",
    'DONE. Resumed after the usage limit reset and finished.',
    'MCP server rate limit exceeded',
    'gh: API rate limit already exceeded for user ID 1.',
    'Read 4290 bytes from stream',
    '| codex | gpt-5.4 | failed | 1 |',
    '│ Rate limits  │ No issues detected  │',
    'API rate limit was detected. Try to continue from where you left off.',
    'Fixed the 429 handling in retry.ts',
    '- [x] usage limit reached is now handled',
    '{"type":"user","tool_result":"You\'re out of extra usage · resets 9pm"}',
    '',
  ])('is unknown: %j', (text) => {
    for (const phrases of [claudePhrases, codexPhrases, geminiPhrases, genericPhrases]) {
      expect(classify(phrases, aText(text))).toEqual({ type: 'unknown' });
    }
  });
});
