import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/core/time.ts';
import { readPlainRefusal } from '../../../src/signals/classify.ts';
import { claudePhrases } from '../../../src/signals/phrases/claude.ts';
import { codexPhrases } from '../../../src/signals/phrases/codex.ts';
import { geminiPhrases } from '../../../src/signals/phrases/gemini.ts';

const at = epochMs(Date.parse('2026-04-16T10:00:00Z'));
const said = (text: string) => ({ text, at, zone: 'UTC' });

describe('a plain line', () => {
  it.each([
    [claudePhrases, 'Claude AI usage limit reached|1776400000', 'rate-limit', '2026-04-17T04:26:40Z'],
    [
      claudePhrases,
      "You've hit your session limit · resets 3:50pm (Asia/Tokyo)",
      'rate-limit',
      '2026-04-17T06:50:00Z',
    ],
    [
      claudePhrases,
      "You've hit your session limit · resets 1:20pm (UTC)\n/upgrade to increase your usage limit.",
      'rate-limit',
      '2026-04-16T13:20:00Z',
    ],
    [
      claudePhrases,
      'Claude usage limit reached. Your limit will reset \n     at 3pm (UTC).',
      'rate-limit',
      '2026-04-16T15:00:00Z',
    ],
    [claudePhrases, 'Invalid API key · Fix external API key', 'auth-failure', undefined],
    [
      claudePhrases,
      "\u001b[1mYou've hit your session limit\u001b[0m \u001b[2m· resets 3pm (UTC)\u001b[0m",
      'rate-limit',
      '2026-04-16T15:00:00Z',
    ],
    [
      codexPhrases,
      "ERROR: You've hit your usage limit. To get more access now, send a request to your\nadmin or try again at Apr 16th, 2026 8:04 PM.",
      'rate-limit',
      '2026-04-16T20:04:00Z',
    ],
    [
      codexPhrases,
      "diff --git a/x b/x\nERROR: You've hit your usage limit. To get more access now, send a request to your admin or try again at 2:31 PM.\nWarning: no last agent message; wrote empty content to /tmp/x\ntokens used\n78,035",
      'rate-limit',
      '2026-04-16T14:31:00Z',
    ],
    [codexPhrases, 'Error: spawn codex ENOENT', 'cli-unavailable', undefined],
    [
      geminiPhrases,
      '✕ [API Error: You have exhausted your daily quota on this model.]',
      'rate-limit',
      '2026-04-17T07:00:00Z',
    ],
  ])('is a refusal when it is one from its first word to its last: %#', (phrases, text, kind, resetAt) => {
    expect(readPlainRefusal(phrases, said(text))).toMatchObject({
      type: 'signal',
      signal: { kind, resetAt: resetAt === undefined ? undefined : Date.parse(resetAt) },
    });
  });

  it.each([
    "You've hit your session limit before, so I added a retry.",
    "You've hit your usage limit. I replaced that message with a friendlier one.",
    'The handler prints "You\'ve hit your usage limit, try again at 9:16 AM" when the server answers 429 rate_limit.',
    "You've hit your session limit · resets 3pm (UTC) is what the banner says, and the test now covers it.",
    'Overloaded operators make this hard to read.',
    'Rate limit exceeded errors are now retried.',
    'Authentication failed because the test used an old key, so I mocked it.',
    '+  "You\'ve hit your session limit · resets 3pm (UTC)"',
    '        PASS [   0.229s] usage_limit_reached::parses_reset',
    'HTTP 429 Too Many Requests: rate limit reached, try again at 9:16 AM. You have hit your usage limit.',
    'Attempt 1 failed: quota. Retrying after 60000ms...',
    '| 429 | rate limit reached |',
    "You've hit your session limit — that is the text I now look for.",
    'Rate limit exceeded.',
    'Usage limit reached (now tested)',
    'Overloaded.',
    'API Error: 429 is now retried with backoff.',
    'API Error handling was improved; usage limit reached is one case.',
    '',
  ])('is nothing when prose goes on or stands before: %j', (text) => {
    for (const phrases of [claudePhrases, codexPhrases, geminiPhrases]) {
      expect(readPlainRefusal(phrases, said(text))).toEqual({ type: 'unknown' });
    }
  });

  it('stays quick on hostile lines', () => {
    const started = performance.now();
    for (const piece of ['at 1 ', 'a, ', '1.1', '· x ', 'try again at ', '(x) ', 'or try again later ']) {
      readPlainRefusal(codexPhrases, said(`You've hit your usage limit. ${piece.repeat(600)}!`));
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
