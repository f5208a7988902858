import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/core/time.ts';
import type { Said } from '../../../src/signals/classify.ts';
import { classify } from '../../../src/signals/classify.ts';
import type { PhraseBook } from '../../../src/signals/phrases/book.ts';
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
const signalOf = (phrases: PhraseBook, said: Said) => {
  const finding = classify(phrases, said);
  return finding.type === 'signal' ? finding.signal : finding;
};

describe('the order of meanings', () => {
  it.each([
    [
      'a disclaimer before the words beside it',
      claudePhrases,
      'API Error: Server is temporarily limiting requests (not your usage limit) · Rate limited',
      'overloaded',
    ],
    [
      'money before the 401 it came with',
      genericPhrases,
      '{"message":"Insufficient balance. Manage your billing here.","statusCode":401}',
      'out-of-credits',
    ],
    [
      'money before the 429 it came with',
      claudePhrases,
      'API Error: Request rejected (429) · Budget has been exceeded! Key=x Current cost: 41, Max budget: 40',
      'out-of-credits',
    ],
    [
      'the status before "retry limit"',
      codexPhrases,
      'exceeded retry limit, last status: 401 Unauthorized, request id: x',
      'auth-failure',
    ],
    [
      'the status before "auth error" in an outage',
      codexPhrases,
      'unexpected status 503 Service Unavailable: down, url: x, auth error: missing_authorization_header',
      'overloaded',
    ],
    [
      'quota before the word capacity',
      geminiPhrases,
      'You have exhausted your capacity on this model. Your quota will reset after 53s.',
      'rate-limit',
    ],
    [
      'the reason before the status',
      geminiPhrases,
      '{"error":{"code":429,"message":"x","status":"RESOURCE_EXHAUSTED","details":[{"reason":"MODEL_CAPACITY_EXHAUSTED"}]}}',
      'overloaded',
    ],
    [
      'a login hint after the limit it follows',
      claudePhrases,
      "You've hit your session limit · resets 5:40pm (UTC)\n/login to switch to an API usage-billed account.",
      'rate-limit',
    ],
    [
      'the words before the code they came with',
      claudePhrases,
      'API Error: Unable to connect to API (ConnectionRefused)',
      'connection-failure',
      'server_error',
    ],
  ])('puts %s', (_, phrases, text, kind, code?: string) => {
    expect(signalOf(phrases, aText(text, { code }))).toMatchObject({ kind });
  });

  it.each([
    ['authentication_failed', 'auth-failure'],
    ['oauth_org_not_allowed', 'auth-failure'],
    ['account_on_hold', 'auth-failure'],
    ['billing_error', 'out-of-credits'],
    ['rate_limit', 'rate-limit'],
    ['overloaded', 'overloaded'],
    ['server_error', 'server-error'],
  ])("takes claude's code %s where the words are new", (code, kind) => {
    expect(signalOf(claudePhrases, aText('Words of a later version', { code }))).toMatchObject({ kind });
  });

  it.each(['invalid_request', 'model_not_found', 'max_output_tokens'])(
    "takes claude's code %s for a failure of the task",
    (code) => {
      expect(classify(claudePhrases, aText('Words of a later version', { code }))).toMatchObject({
        type: 'task',
      });
    },
  );

  it.each([
    [401, 'auth-failure'],
    [402, 'out-of-credits'],
    [403, 'auth-failure'],
    [429, 'rate-limit'],
    [500, 'server-error'],
    [503, 'overloaded'],
    [529, 'overloaded'],
  ])('takes the status %i where there is nothing else', (status, kind) => {
    expect(signalOf(codexPhrases, aText('', { status }))).toMatchObject({ kind });
  });
});

describe('what is closed', () => {
  it.each([
    [claudePhrases, "You've hit your session limit · resets 3:45pm", 'seat'],
    [claudePhrases, "You've hit your Opus limit · resets 3:45pm", 'model:opus'],
    [claudePhrases, "You've hit your weekly Sonnet limit · resets 3:45pm", 'model:sonnet'],
    [
      claudePhrases,
      "You've reached your Fable 5 limit. Run /usage-credits to continue or switch models with /model.",
      'model:fable',
    ],
    [claudePhrases, 'Opus weekly limit reached ∙ resets Oct 6, 1pm', 'model:opus'],
    [
      claudePhrases,
      "You've hit your org's monthly spend limit · visit https://claude.ai/admin-settings/usage to raise it",
      'workspace',
    ],
    [claudePhrases, "You've hit your channel's monthly spend limit · an org owner can raise it", 'seat'],
    [
      codexPhrases,
      'You’ve hit your usage limit for gpt-5.3-codex-spark. Switch to another model now, or try again at 9:53 PM.',
      'model:gpt-5.3-codex-spark',
    ],
    [codexPhrases, 'Your workspace is out of credits. Add credits to continue.', 'workspace'],
    [
      geminiPhrases,
      'Usage limit reached for gemini-3-flash-preview. Access resets at 10:57 PM GMT-3.',
      'model:gemini-3-flash-preview',
    ],
    [
      geminiPhrases,
      '[API Error: No capacity available for model gemini-2.5-flash on the server]',
      'model:gemini-2.5-flash',
    ],
    [geminiPhrases, 'Individual quota reached. Resets in 157h', 'seat'],
  ])('by %#', (phrases, text, scope) => {
    expect(signalOf(phrases, aText(text))).toMatchObject({ scope });
  });

  it('is the model of the attempt for "this model", and the seat when nobody knows it', () => {
    const text = '[API Error: You have exhausted your daily quota on this model.]';
    expect(signalOf(geminiPhrases, aText(text, { model: 'gemini-2.5-pro' }))).toMatchObject({
      scope: 'model:gemini-2.5-pro',
    });
    expect(signalOf(geminiPhrases, aText(text))).toMatchObject({ scope: 'seat' });
  });
});

describe('until when', () => {
  it('a spend cap rests until somebody clears it', () => {
    const text = "You've hit your monthly spend limit · raise it at claude.ai/settings/usage";
    expect(signalOf(claudePhrases, aText(text))).toMatchObject({ untilCleared: true, resetAt: undefined });
  });

  it('of two stacked limits the window that opens first counts', () => {
    const text =
      "You've hit your monthly spend limit · your session limit resets 2:40pm (UTC)\n/usage-credits to adjust your monthly spend limit.";
    expect(signalOf(claudePhrases, aText(text))).toMatchObject({
      untilCleared: false,
      resetAt: Date.parse('2026-04-16T14:40:00Z'),
    });
  });

  it('a reset beyond eight days is cut short, and said so', () => {
    const text = "You've hit your usage limit. Try again at May 20th, 2026 4:03 PM.";
    expect(signalOf(codexPhrases, aText(text))).toMatchObject({
      resetAt: Date.parse('2026-04-24T10:00:00Z'),
      reason: 'usage limit (named reset beyond 8d, cut short)',
    });
  });

  it('a reset that is over is not believed', () => {
    expect(signalOf(claudePhrases, aText('Claude AI usage limit reached|1750708800'))).toMatchObject({
      resetAt: undefined,
    });
  });

  it('a weekly limit of copilot does not end in the two minutes that it also names', () => {
    const text =
      'Sorry, you have been rate-limited. Please wait 2 minutes before trying again.\nError Code: user_weekly_rate_limited';
    expect(signalOf(genericPhrases, aText(text))).toMatchObject({ kind: 'rate-limit', resetAt: undefined });
  });

  it('a quota of zero does not end with the retry that it suggests', () => {
    const text =
      '* Quota exceeded for metric: x, limit: 0, model: gemini-3-pro\nPlease retry in 20.04466179s.';
    expect(signalOf(geminiPhrases, aText(text))).toMatchObject({
      kind: 'out-of-credits',
      resetAt: undefined,
    });
  });
});
