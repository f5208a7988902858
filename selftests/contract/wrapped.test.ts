import { describe, expect, it } from 'vitest';
import type { Told } from '../rig/ledger-of.ts';
import { ledgerOf } from '../rig/ledger-of.ts';

describe('a 429 that Claude Code wraps stays a matter of quota', () => {
  const init = { type: 'system', subtype: 'init', session_id: 's', model: 'claude-sonnet-5' };
  const text = (words: string) => ({
    type: 'assistant',
    message: { model: 'claude-sonnet-5', content: [{ type: 'text', text: words }] },
  });
  const synthetic = (error: string, words: string) => ({
    ...{ type: 'assistant', error },
    message: { model: '<synthetic>', content: [{ type: 'text', text: words }] },
  });
  const result = (words: string, status?: number) => ({
    ...{ type: 'result', subtype: 'success', is_error: true, result: words, api_error_status: status },
  });
  const retry = (error_status: number | null, error: string) => ({
    ...{ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 500 },
    ...{ error_status, error },
  });
  const body =
    '{"type":"error","error":{"type":"rate_limit_error","message":"Number of requests has exceeded your rate limit"}}';

  it.each<[string, Told]>([
    [
      'in the middle of a stream',
      {
        lines: [
          init,
          text('Looking.'),
          synthetic('rate_limit', `API Error: 429 ${body}`),
          result(`API Error: 429 ${body}`, 429),
        ],
      },
    ],
    [
      'called a server error by its own code',
      {
        lines: [init, synthetic('server_error', `API Error: 429 ${body}`), result(`API Error: 429 ${body}`)],
      },
    ],
    ['in a final result alone', { lines: [init, result(`API Error: 429 ${body}`)] }],
    [
      'in the errors of a run that broke off',
      {
        lines: [
          init,
          {
            type: 'result',
            subtype: 'error_during_execution',
            is_error: true,
            errors: [`API Error: 429 ${body}`],
          },
        ],
      },
    ],
    [
      'in a gateway that calls it unavailable',
      {
        lines: [
          init,
          result(
            'API Error: 503 litellm.MidStreamFallbackError: litellm.RateLimitError: RateLimitError: 429 rate_limit_error',
          ),
        ],
      },
    ],
    ['on stderr, before any event', { lines: [`API Error: 429 ${body}`] }],
    ['that it was retrying over when it died without a word', { lines: [init, retry(429, 'rate_limit')] }],
    [
      'that it was retrying over, after a server error',
      { lines: [init, retry(500, 'server_error'), retry(429, 'rate_limit')] },
    ],
  ])('%s', async (_where, told) => {
    expect(await ledgerOf('claude', told)).toBe('rate-limit');
  });

  it.each<[string, string, Told]>([
    [
      'a server error stays one',
      'server-error',
      {
        lines: [
          init,
          result(
            'API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}',
            500,
          ),
        ],
      },
    ],
    [
      'a server error that it was retrying over when it died',
      'server-error',
      { lines: [init, retry(500, 'server_error')] },
    ],
    [
      'a death without a word, after a 429 that was overcome',
      'timeout',
      { lines: [init, retry(429, 'rate_limit'), text('Looking.')] },
    ],
    ['a death without a word', 'timeout', { lines: [init, text('Looking.')], exit: 134 }],
  ])('and %s', async (_what, ledger, told) => {
    expect(await ledgerOf('claude', told)).toBe(ledger);
  });
});

describe('a 429 that Codex CLI wraps stays a matter of quota', () => {
  const started = [{ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }];
  const failed = (message: string) => [
    { type: 'error', message },
    { type: 'turn.failed', error: { message } },
  ];
  const limit =
    'Rate limit reached for gpt-5.2 in organization org-x on tokens per min (TPM): Limit 30000, Used 30000. Please try again in 11.054s.';

  it.each<[string, Told]>([
    [
      'in a broken stream',
      { lines: [...started, ...failed(`stream disconnected before completion: ${limit}`)] },
    ],
    [
      'behind the number of retries',
      {
        lines: [
          ...started,
          ...failed('exceeded retry limit, last status: 429 Too Many Requests, request id: req-1'),
        ],
      },
    ],
    [
      'as a status that it did not expect',
      {
        lines: [
          ...started,
          ...failed(
            'unexpected status 429 Too Many Requests: {"error":{"message":"slow down"}}, url: http://127.0.0.1/v1/responses',
          ),
        ],
      },
    ],
    [
      'in an error event that no turn.failed follows',
      { lines: [...started, { type: 'error', message: `stream disconnected before completion: ${limit}` }] },
    ],
    [
      'in the last notice before it died',
      {
        lines: [
          ...started,
          { type: 'error', message: `Reconnecting... 5/5 (stream disconnected before completion: ${limit})` },
        ],
      },
    ],
    [
      'on stderr, before any event',
      { lines: ['ERROR: exceeded retry limit, last status: 429 Too Many Requests, request id: req-1'] },
    ],
  ])('%s', async (_where, told) => {
    expect(await ledgerOf('codex', told)).toBe('rate-limit');
  });

  it.each<[string, string, Told]>([
    [
      'a server error stays one',
      'server-error',
      {
        lines: [
          ...started,
          ...failed(
            'unexpected status 500 Internal Server Error: {"error":{"message":"An error occurred"}}, url: http://127.0.0.1/v1/responses',
          ),
        ],
      },
    ],
    ['a death without a word', 'timeout', { lines: started, exit: 101 }],
  ])('and %s', async (_what, ledger, told) => {
    expect(await ledgerOf('codex', told)).toBe(ledger);
  });
});

describe('a 429 that Gemini CLI wraps stays a matter of quota', () => {
  const init = { type: 'init', session_id: 's', model: 'gemini-2.5-pro' };
  const result = (message: string) => ({
    type: 'result',
    status: 'error',
    error: { type: 'unknown', message },
  });
  const quota = 'You exceeded your current quota, please check your plan and billing details.';

  it.each<[string, Told]>([
    ['in a final result', { lines: [init, result(`[API Error: ${quota}]`)], exit: 173 }],
    [
      'in a body inside the message',
      {
        lines: [
          init,
          result(
            `[API Error: got status: 503 Service Unavailable. {"error":{"code":429,"message":"${quota}","status":"RESOURCE_EXHAUSTED"}}]`,
          ),
        ],
        exit: 173,
      },
    ],
    [
      'on stderr as a retry, when it died without a result',
      { lines: [init, 'Attempt 3 failed with status 429. Retrying with backoff... GaxiosError: quota'] },
    ],
    ['in the exit code alone', { lines: [init], exit: 173 }],
  ])('%s', async (_where, told) => {
    expect(await ledgerOf('gemini', told)).toBe('rate-limit');
  });

  it.each<[string, string, Told]>([
    [
      'a server error stays one',
      'server-error',
      {
        lines: [
          init,
          result(
            '[API Error: {"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}]',
          ),
        ],
        exit: 244,
      },
    ],
    ['a death without a word', 'timeout', { lines: [init], exit: 139 }],
  ])('and %s', async (_what, ledger, told) => {
    expect(await ledgerOf('gemini', told)).toBe(ledger);
  });
});
