import { describe, expect, it } from 'vitest';
import { durationMs, fromIso } from '../../src/core/time.ts';
import { replay } from '../../src/fleet/replay.ts';
import { fixtureInput } from '../rig/fixtures.ts';

/** Hand-written: what these CLIs could say next year, where they say such things (20:00 UTC, the child in Berlin). */
async function said(adapter: 'claude' | 'codex' | 'gemini', words: string, extra: object = {}) {
  const stage = await fixtureInput(adapter, 'ok');
  const events = {
    claude: {
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: 429,
      result: words,
      ...extra,
    },
    codex: { type: 'turn.failed', error: { message: words } },
    gemini: { type: 'result', status: 'error', error: { type: 'unknown', message: words } },
  };
  const init = { type: 'init', session_id: 'x', model: 'gemini-2.5-pro' };
  const lines = [...(adapter === 'gemini' ? [init] : []), events[adapter]].map((event) => ({
    ...{ t: durationMs(0), channel: 'stdout' as const, text: JSON.stringify(event) },
  }));
  const startedAt = fromIso('2026-11-29T20:00:00Z') ?? stage.startedAt;
  return replay({ ...stage, lines, startedAt, zone: 'Europe/Berlin', exit: { code: 1, signal: undefined } });
}

describe('a limit with words put in', () => {
  it.each([
    [
      'codex',
      "You've hit your weekly usage limit for GPT-5.3-Codex-Spark. Try again at Dec 3rd, 2026 9:16 AM.",
      'model:gpt-5.3-codex-spark',
      '2026-12-03T08:16:00Z',
    ],
    [
      'codex',
      "You've reached your 5-hour usage limit for gpt-5.5-codex. Switch to another model or try again at 11:32 PM.",
      'model:gpt-5.5-codex',
      '2026-11-29T22:32:00Z',
    ],
    [
      'codex',
      "You've reached the usage limit for your Plus plan. Try again at 11:32 PM.",
      'seat',
      '2026-11-29T22:32:00Z',
    ],
    [
      'codex',
      "You've hit your usage limit for code reviews. Try again at 11:32 PM.",
      'seat',
      '2026-11-29T22:32:00Z',
    ],
    [
      'codex',
      "You've hit your usage limit. Double limits until Dec 31 with Pro. Try again at Dec 3rd, 2026 9:16 AM.",
      'seat',
      '2026-12-03T08:16:00Z',
    ],
    [
      'claude',
      "You've hit your weekly limit · resets Thu, Dec 3, 9am (Europe/Berlin)",
      'seat',
      '2026-12-03T08:00:00Z',
    ],
    [
      'claude',
      "You've hit your session limit. Please wait 5 minutes between retries · resets 11pm (Europe/Berlin)",
      'seat',
      '2026-11-29T22:00:00Z',
    ],
    [
      'claude',
      "You've reached your Claude Opus 5 limit · resets Dec 3 at 9am (UTC)",
      'model:opus',
      '2026-12-03T09:00:00Z',
    ],
  ] as const)('is read to the minute (%s: %s)', async (adapter, words, scope, reset) => {
    const { signal } = await said(adapter, words);
    expect(signal).toMatchObject({ kind: 'rate-limit', scope, resetAt: fromIso(reset) });
  });

  it('is read behind a subtype that nobody knows', async () => {
    const words = "You've hit your weekly limit · resets Dec 3 at 9am (UTC)";
    const { signal } = await said('claude', words, { subtype: 'error_rate_limit' });
    expect(signal).toMatchObject({ kind: 'rate-limit', resetAt: fromIso('2026-12-03T09:00:00Z') });
  });
});

it("closes the seat, not a model, when a project's money is gone", async () => {
  expect((await said('gemini', '[API Error: Your prepayment credits are depleted.]')).signal).toMatchObject({
    ...{ kind: 'out-of-credits', scope: 'seat' },
  });
  const capped = await said('gemini', '[API Error: Your project has exceeded its monthly spending cap.]');
  expect(capped.cooldown).toMatchObject({ kind: 'out-of-credits', until: undefined });
});

it('does not take milliseconds in a field of seconds for a rest of eight days', async () => {
  const stage = await fixtureInput('claude', 'seat-exhausted-exits');
  const info = { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1_796_119_200_000 };
  const event = JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info });
  const [first, ...rest] = stage.lines.slice(1);
  if (first === undefined) throw new Error('the fixture has no event');
  const { signal } = replay({ ...stage, lines: [{ ...first, text: event }, ...rest] });
  // The sentence that follows names it: 9:44pm (UTC).
  expect(signal?.resetAt).toBe(fromIso('2026-11-29T21:44:00Z'));
});

describe('what nothing is known of', () => {
  const secrets = 'sk-proj-AAAABBBBCCCC for bob@x.co \u001b[2J';

  it.each(['codex', 'gemini', 'claude'] as const)(
    'is shown by %s without secrets and escapes',
    async (adapter) => {
      const verdict = await said(adapter, `weird ${secrets} ${'x'.repeat(5_000)}`, { api_error_status: 418 });
      expect(verdict.outcome).toBe('failed');
      expect(verdict.reason?.length).toBeLessThanOrEqual(200);
      for (const part of ['sk-proj', 'bob@', '\u001b']) expect(JSON.stringify(verdict)).not.toContain(part);
    },
  );

  it('keeps no secret of an environment in its evidence', async () => {
    const pairs = [
      'ANTHROPIC_AUTH_TOKEN=zzz-proxy-1',
      'OPENAI_API_KEY=plainsecret99',
      'AWS_SECRET_ACCESS_KEY=wJalrX',
      'sessionKey=abcd1234',
    ];
    const { signal } = await said('claude', `API Error: 401 Invalid bearer token ${pairs.join(' ')}`, {
      api_error_status: 401,
    });
    for (const pair of pairs) expect(signal?.evidence).not.toContain(pair.split('=')[1]);
  });
});
