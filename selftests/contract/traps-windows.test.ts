import { describe, expect, it } from 'vitest';
import { HOUR } from '../../src/core/time.ts';
import type { ReplayInput } from '../../src/fleet/replay.ts';
import { fixtureInput } from '../rig/fixtures.ts';
import { eachEvent, inserted, line, onStderr, verdictOf, withLines } from '../rig/streams.ts';

/** Events and chatter that look like a refusal and are none, or are one in spite of how they look. */

const HEALTHY = { outcome: 'done', signal: null, cooldown: null, actedAt: null, killed: false };
const RESET = 1795988674;

/** A healthy run of a claude.ai login whose window event says something else. */
async function withWindow(info: object): Promise<ReplayInput> {
  return eachEvent(await fixtureInput('claude', 'ok-oauth'), (event) =>
    event['type'] === 'rate_limit_event' ? { ...event, rate_limit_info: info } : event,
  );
}

describe("claude's rate_limit_event", () => {
  const rejected = { status: 'rejected', resetsAt: RESET, rateLimitType: 'five_hour', isUsingOverage: false };

  it.each([
    ['allowed', { status: 'allowed' }],
    ['allowed, with overage refused as it always is', { status: 'allowed', overageStatus: 'rejected' }],
    ['allowed, though full', { status: 'allowed', utilization: 1 }],
    ['a warning', { status: 'allowed_warning', utilization: 0.99, surpassedThreshold: 0.9 }],
    ['rejected with overage in use', { isUsingOverage: true }],
    ['rejected with overage in use, in its newer spelling', { overageInUse: true }],
    ['rejected while its window is allowed', { unifiedWindows: { five_hour: { status: 'allowed' } } }],
    [
      'rejected while its window only warns',
      { unifiedWindows: { five_hour: { status: 'allowed_warning' } } },
    ],
    ['of a status that nobody knows yet', { status: 'paused' }],
    ['without a status', { status: undefined }],
  ])('is no refusal when it is %s', async (_what, change) => {
    expect(verdictOf(await withWindow({ ...rejected, ...change }))).toMatchObject(HEALTHY);
  });

  it.each([
    ['as it is', {}, 'seat', 'five-hour limit'],
    ['with the window itself closed', { unifiedWindows: { five_hour: { status: 'rejected' } } }, 'seat'],
    ['while another window is allowed', { unifiedWindows: { seven_day: { status: 'allowed' } } }, 'seat'],
    ['for a week', { rateLimitType: 'seven_day' }, 'seat', 'weekly limit'],
    ['for a model', { rateLimitType: 'seven_day_opus' }, 'model:opus', 'weekly Opus limit'],
    ['for a window that nobody knows yet', { rateLimitType: 'lunar' }, 'seat', 'lunar limit'],
  ])('is a refusal when it is rejected %s', async (_what, change, scope, reason = 'five-hour limit') => {
    const verdict = verdictOf(await withWindow({ ...rejected, ...change }));
    expect(verdict).toMatchObject({ outcome: 'exhausted', killed: true, signal: { scope, reason } });
    expect(verdict.signal).toMatchObject({ kind: 'rate-limit', source: 'event', resetAt: RESET * 1_000 });
    expect(verdict.actedAt?.line).toBe(
      (await fixtureInput('claude', 'ok-oauth')).lines.findIndex(({ text }) =>
        text.includes('rate_limit_event'),
      ) + 1,
    );
  });

  it('wins with its reset over the minutes of the sentence that follows', async () => {
    const verdict = verdictOf(await fixtureInput('claude', 'seat-exhausted-exits'));
    expect(verdict.cooldown?.until).toBe(RESET * 1_000);
  });

  it('leaves a throttle that goes on to the sentence and the retries behind it', async () => {
    const throttled = eachEvent(await fixtureInput('claude', 'seat-exhausted-exits'), (event) =>
      event['type'] === 'rate_limit_event'
        ? { ...event, rate_limit_info: { ...rejected, unifiedWindows: { five_hour: { status: 'allowed' } } } }
        : event,
    );
    // The sentence names a session limit: that is the CLI's own last word.
    expect(verdictOf(throttled)).toMatchObject({ outcome: 'exhausted', signal: { source: 'text' } });
  });
});

describe("claude's result", () => {
  const limit = "You've hit your session limit · resets 9:44pm (UTC)";
  const ending = async (change: object) =>
    verdictOf(
      eachEvent(await fixtureInput('claude', 'ok-oauth'), (event) =>
        event['type'] === 'result' ? { ...event, ...change } : event,
      ),
    );

  it('is no refusal when it is no error, though the answer quotes the limit', async () => {
    expect(await ending({ result: limit })).toMatchObject(HEALTHY);
  });

  it('is one when it is an error, whatever its subtype calls it', async () => {
    const change = { result: limit, is_error: true, api_error_status: 429, subtype: 'success' };
    expect(await ending(change)).toMatchObject({ outcome: 'exhausted', signal: { kind: 'rate-limit' } });
  });

  it.each(['error_max_turns', 'error_max_budget_usd'])(
    'rests nobody for the limit of the task: %s',
    async (subtype) => {
      expect(await ending({ subtype, is_error: true, result: undefined, errors: [limit] })).toMatchObject({
        ...{ outcome: 'failed', signal: null },
      });
    },
  );
});

describe("codex's reconnecting", () => {
  const notice = (n: number, cause: string) =>
    JSON.stringify({ type: 'error', message: `Reconnecting... ${String(n)}/5 (${cause})` });

  it.each([
    'exceeded retry limit, last status: 429 Too Many Requests',
    'unexpected status 503 Service Unavailable: Service unavailable',
    'stream disconnected before completion: error sending request',
    'something that nobody has seen yet',
  ])('is left alone five times over when the run succeeds after all: %s', async (cause) => {
    const ok = await fixtureInput('codex', 'ok');
    const notices = [1, 2, 3, 4, 5].map((n) => notice(n, cause));
    expect(verdictOf(inserted(ok, 3, ...notices))).toMatchObject(HEALTHY);
  });

  it('is no last word: an error that no turn.failed follows is forgotten once the work goes on', async () => {
    const ok = await fixtureInput('codex', 'ok');
    const error = JSON.stringify({
      type: 'error',
      message: 'You’ve hit your usage limit. Try again at 9:53 PM.',
    });
    expect(verdictOf(inserted(ok, 3, error))).toMatchObject(HEALTHY);
  });

  it('is the last word when the turn was interrupted before it could fail', async () => {
    const limited = await fixtureInput('codex', 'usage-limit-plus-today');
    const cut = withLines(limited, (lines) => lines.filter(({ text }) => !text.includes('turn.failed')));
    expect(verdictOf(cut)).toMatchObject({
      ...{ outcome: 'exhausted', killed: false, signal: { kind: 'rate-limit', source: 'text' } },
    });
  });
});

describe("gemini's stderr", () => {
  it('is left alone while it retries within patience, time and again, and the run succeeds', async () => {
    const ok = await fixtureInput('gemini', 'ok');
    const again = [
      'Attempt 1 failed: You exceeded your current quota. Please retry in 2.3s.',
      'Suggested retry after 2.3s.. Retrying after 5459ms...',
      'Attempt 2 failed with status 429. Retrying with backoff... ApiError: {"error":{"code":429}}',
      'Attempt 3 failed with status 503. Retrying with backoff... ApiError: {"error":{"code":503}}',
    ];
    expect(verdictOf(onStderr(ok, 5, ...again))).toMatchObject(HEALTHY);
  });

  it('is acted on at a delay of hours also in colour and after text of others', async () => {
    const limited = await fixtureInput('gemini', 'plan-quota-exhausted');
    const coloured = withLines(limited, (lines) =>
      lines.map((one) => ({ ...one, text: one.text.replace(/^Attempt.*/, '\u001b[33m$&\u001b[39m') })),
    );
    const { cooldown, actedAt } = verdictOf(coloured);
    expect({ cooldown, actedAt }).toEqual({
      cooldown: verdictOf(limited).cooldown,
      actedAt: verdictOf(limited).actedAt,
    });
    expect(cooldown?.until).toBeGreaterThan(limited.startedAt + 3 * HOUR);
  });

  const dump = (reason: string, delay: string) => [
    'Error when talking to Gemini API Full report available at: /tmp/x.json TerminalQuotaError: You have exhausted your capacity on this model.',
    ...[
      '    at classifyGoogleError (file:///x.js:1:1) {',
      `  retryDelayMs: ${delay},`,
      `  reason: ${reason},`,
    ],
    ...['  status: 429', '}'],
  ];

  it('is the last word of a run that dies without a result', async () => {
    const ok = await fixtureInput('gemini', 'ok');
    const begun = withLines(ok, (lines) => lines.slice(0, 5));
    const died = { ...begun, exit: { code: 1, signal: undefined } };
    expect(verdictOf(onStderr(died, 5, ...dump("'QUOTA_EXHAUSTED'", '7200000')))).toMatchObject({
      outcome: 'exhausted',
      signal: { kind: 'rate-limit', resetAt: died.startedAt + (died.lines.at(-1)?.t ?? 0) + 2 * HOUR },
    });
  });

  it('is not the last word once the agent went on, or when the run ended well', async () => {
    const ok = await fixtureInput('gemini', 'ok');
    const given = onStderr(ok, 5, ...dump("'QUOTA_EXHAUSTED'", '7200000'));
    expect(verdictOf(given)).toMatchObject(HEALTHY);
    const message = JSON.stringify({ type: 'message', role: 'assistant', content: 'Going on.', delta: true });
    const wentOn = withLines(given, (lines) => [
      ...lines.filter(({ text }) => !text.includes('"assistant"') && !text.includes('"result"')),
      line(message, 9_000),
    ]);
    expect(verdictOf({ ...wentOn, exit: { code: 1, signal: undefined } })).toMatchObject({
      ...{ outcome: 'failed', signal: null },
    });
  });
});
