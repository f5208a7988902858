import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/core/time.ts';
import type { QuotaAnswer } from '../../../src/workers/quota-answer.ts';
import { readAnswer, savedAnswer } from '../../../src/workers/quota-answer.ts';
import { claudeQuota } from '../../../src/workers/quota/claude.ts';
import { codexQuota } from '../../../src/workers/quota/codex.ts';
import { deepseekBalance } from '../../../src/workers/quota/deepseek.ts';
import { NOW } from '../../rig/a-cooldown.ts';

describe('account/rateLimits/read of Codex CLI', () => {
  const limits = (overrides: object) => ({
    ...{
      limitId: 'codex',
      limitName: null,
      secondary: null,
      credits: null,
      planType: 'plus',
      rateLimitReachedType: null,
    },
    primary: { usedPercent: 100, windowDurationMins: 300, resetsAt: 1_796_001_562 },
    ...overrides,
  });
  const answer = (result: object) => codexQuota.read(JSON.stringify({ id: 2, result }), NOW);

  it('tells every window, by its length, with its reset', () => {
    // As 0.171 answered, but for the numbers.
    const secondary = { usedPercent: 40, windowDurationMins: 10_080, resetsAt: 1_796_087_962 };
    const codex = limits({ secondary });
    expect(answer({ rateLimits: codex, rateLimitsByLimitId: { codex } })).toEqual({
      type: 'seen',
      credits: undefined,
      windows: [
        {
          name: 'five-hour limit',
          scope: 'seat',
          usedPercent: 100,
          resetAt: epochMs(1_796_001_562_000),
          isClosed: true,
        },
        {
          name: 'weekly limit',
          scope: 'seat',
          usedPercent: 40,
          resetAt: epochMs(1_796_087_962_000),
          isClosed: false,
        },
      ],
    });
  });

  it("tells a model's own limit from the seat's", () => {
    const codex = limits({ primary: { usedPercent: 3, windowDurationMins: 300, resetsAt: 1_796_001_562 } });
    const spark = limits({ limitId: 'codex_bengalfox', limitName: 'GPT-5.3-Codex-Spark' });
    expect(answer({ rateLimits: codex, rateLimitsByLimitId: { codex, spark } })).toMatchObject({
      windows: [
        { scope: 'seat', isClosed: false },
        { scope: 'model:gpt-5.3-codex-spark', isClosed: true },
      ],
    });
  });

  it('tells of a workspace without credits', () => {
    const own = limits({ primary: null, rateLimitReachedType: 'workspace_member_credits_depleted' });
    expect(answer({ rateLimits: own })).toMatchObject({ credits: { isEmpty: true } });
  });

  it.each([
    [
      'an API key',
      { error: { code: -32600, message: 'chatgpt authentication required to read rate limits' }, id: 2 },
    ],
    [
      'a failing backend',
      {
        error: {
          code: -32603,
          message: 'failed to fetch codex rate limits: Decode error for http://x: {"secret":1}',
        },
        id: 2,
      },
    ],
    ['a plan without windows', { id: 2, result: { rateLimits: limits({ primary: null }) } }],
  ])('says nothing for %s, and repeats no body', (_what, message) => {
    const said = codexQuota.read(JSON.stringify(message), NOW);
    expect(said?.type).toBe('unknown');
    expect(JSON.stringify(said)).not.toContain('secret');
  });

  it.each(['{"id":0,"result":{}}', '{"method":"configWarning","params":{}}', 'a banner', '{broken', ''])(
    'goes on listening after %j',
    (line) => {
      expect(codexQuota.read(line, NOW)).toBeUndefined();
    },
  );

  it("takes over only the settings of a worker's arguments", () => {
    const own = ['--sandbox', 'read-only', '-c', 'chatgpt_base_url="http://127.0.0.1:1/"', '--config=a=1'];
    expect(codexQuota.args(own)).toEqual([
      'app-server',
      '-c',
      'chatgpt_base_url="http://127.0.0.1:1/"',
      '--config=a=1',
    ]);
  });
});

describe('get_usage of Claude Code', () => {
  const answer = (response: object, subtype = 'success') =>
    claudeQuota.read(
      JSON.stringify({ type: 'control_response', response: { subtype, request_id: 'secondwind', response } }),
      NOW,
    );
  const usage = (rate_limits: object | null) => ({
    subscription_type: 'max',
    rate_limits_available: true,
    rate_limits,
  });

  it('tells every window that is known (the shapes of sdk.d.ts 0.3.197)', () => {
    const limits = {
      five_hour: { utilization: 100, resets_at: '2026-11-29T23:00:00+00:00' },
      seven_day: { utilization: 12.5, resets_at: '2026-12-03T10:00:00.5+00:00' },
      seven_day_opus: { utilization: 0, resets_at: null },
      seven_day_sonnet: null,
      seven_day_oauth_apps: { utilization: 50, resets_at: null },
    };
    expect(answer(usage(limits))).toEqual({
      type: 'seen',
      credits: undefined,
      windows: [
        {
          name: 'five-hour limit',
          scope: 'seat',
          usedPercent: 100,
          resetAt: Date.UTC(2026, 10, 29, 23),
          isClosed: true,
        },
        {
          name: 'weekly limit',
          scope: 'seat',
          usedPercent: 12.5,
          resetAt: Date.UTC(2026, 11, 3, 10, 0, 0, 500),
          isClosed: false,
        },
        {
          name: 'weekly Opus limit',
          scope: 'model:opus',
          usedPercent: 0,
          resetAt: undefined,
          isClosed: false,
        },
      ],
    });
  });

  it('calls no window closed beyond which extra usage carries the work', () => {
    const limits = { five_hour: { utilization: 100, resets_at: null }, extra_usage: { is_enabled: true } };
    expect(answer(usage(limits))).toMatchObject({ windows: [{ isClosed: false }] });
  });

  it.each([
    // As 2.1.197 answered a made-up login, and a key.
    ['an endpoint that cannot be reached', usage(null)],
    ['a key', { subscription_type: null, rate_limits_available: false, rate_limits: null, behaviors: null }],
    ['windows that are all new', usage({ fortnight: { utilization: 3, resets_at: null } })],
  ])('says nothing for %s', (_what, response) => {
    expect(answer(response)?.type).toBe('unknown');
  });

  it('says nothing when it refuses, and goes on listening after other lines', () => {
    expect(answer({}, 'error')?.type).toBe('unknown');
    expect(claudeQuota.read('{"type":"system","subtype":"init"}', NOW)).toBeUndefined();
    const other = {
      type: 'control_response',
      response: { subtype: 'success', request_id: '1', response: usage(null) },
    };
    expect(claudeQuota.read(JSON.stringify(other), NOW)).toBeUndefined();
  });
});

describe("DeepSeek's balance", () => {
  const infos = [
    { currency: 'CNY', total_balance: '110.00', granted_balance: '10.00', topped_up_balance: '100.00' },
  ];

  it.each([
    [
      { is_available: true, balance_infos: infos },
      { isEmpty: false, words: '110.00 CNY left' },
    ],
    [
      { is_available: false, balance_infos: [{ ...infos[0], total_balance: '0.00' }] },
      { isEmpty: true, words: '0.00 CNY left' },
    ],
    [{ is_available: false }, { isEmpty: true, words: 'its balance is not told' }],
  ])('of %j', (body, credits) => {
    expect(deepseekBalance.read(body)).toEqual({ type: 'seen', windows: [], credits });
  });

  it.each([[null], [{}], [{ is_available: 'yes' }], [[]], ['<html>']])('is not known from %j', (body) => {
    expect(deepseekBalance.read(body).type).toBe('unknown');
  });

  it.each([
    [undefined, 'https://api.deepseek.com/user/balance'],
    ['https://api.deepseek.com/anthropic', 'https://api.deepseek.com/user/balance'],
    ['http://127.0.0.1:4000/anthropic', 'http://127.0.0.1:4000/user/balance'],
  ])('of a worker at %s is asked for at %s', (base, url) => {
    expect(deepseekBalance.request({ ANTHROPIC_BASE_URL: base }, 'made-up')).toMatchObject({
      ...{ url, headers: { Authorization: 'Bearer made-up' } },
    });
  });
});

describe('an answer that is saved for others', () => {
  it.each<[QuotaAnswer]>([
    [{ type: 'unknown', why: 'slow' }],
    [{ type: 'seen', windows: [], credits: { isEmpty: true, words: 'nothing left' } }],
    [
      {
        type: 'seen',
        credits: undefined,
        windows: [{ name: 'x', scope: 'seat', usedPercent: 1, resetAt: NOW, isClosed: false }],
      },
    ],
    [
      {
        type: 'seen',
        credits: undefined,
        windows: [{ name: 'x', scope: 'model:y', usedPercent: 1, resetAt: undefined, isClosed: true }],
      },
    ],
  ])('is read back as it was: %j', (answer) => {
    expect(readAnswer(JSON.parse(JSON.stringify(savedAnswer(answer))))).toEqual(answer);
  });

  it.each([[undefined], [{ type: 'seen' }], [{ type: 'seen', windows: [{ name: 'x' }] }], ['seen']])(
    'is none when it is %j',
    (saved) => {
      expect(readAnswer(saved)).toBeUndefined();
    },
  );
});
