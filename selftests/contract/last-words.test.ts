import { describe, expect, it } from 'vitest';
import { durationMs } from '../../src/core/time.ts';
import type { CapturedLine, ReplayInput } from '../../src/fleet/replay.ts';
import { replay } from '../../src/fleet/replay.ts';
import { fixtureInput } from '../rig/fixtures.ts';

/** Hand-written streams on the stage of a captured run: the same CLI, start and zone. */
async function played(
  adapter: string,
  name: string,
  lines: readonly object[],
  code = 1,
): Promise<ReplayInput> {
  const stage = await fixtureInput(adapter, name);
  const printed = lines.map((event): CapturedLine => {
    const text = 'plain' in event ? String(event.plain) : JSON.stringify(event);
    return { t: durationMs(1_000), channel: 'plain' in event ? 'stderr' : 'stdout', text };
  });
  return { ...stage, lines: printed, notes: [], exit: { code, signal: undefined } };
}

describe('claude', () => {
  const rejected = {
    type: 'rate_limit_event',
    rate_limit_info: { status: 'rejected', rateLimitType: 'seven_day', isUsingOverage: false },
  };

  it('that closes a window without a reset, and dies, has closed the window', async () => {
    expect(replay(await played('claude', 'seat-exhausted-exits', [rejected]))).toMatchObject({
      ...{ outcome: 'exhausted', killed: false },
      signal: { kind: 'rate-limit', scope: 'seat', source: 'event', reason: 'weekly limit' },
      cooldown: { source: 'default' },
    });
  });

  it('that needs credits for a model rests that model, and leaves the seat', async () => {
    const info = { status: 'rejected', resetsAt: 1_795_990_000, errorCode: 'credits_required' };
    const init = { type: 'system', subtype: 'init', session_id: 'x', model: 'claude-fable-5' };
    const lines = [init, { type: 'rate_limit_event', rate_limit_info: info }];
    expect(replay(await played('claude', 'seat-exhausted-exits', lines))).toMatchObject({
      signal: { kind: 'out-of-credits', scope: 'model:claude-fable-5' },
    });
  });

  it.each([
    [529, 'rate_limit', 'overloaded'],
    [429, 'overloaded', 'rate-limit'],
    [401, 'unknown', 'auth-failure'],
  ])('that labels a %d as %s is read by the status', async (status, error, kind) => {
    const retry = { type: 'system', subtype: 'api_retry', retry_delay_ms: 9e6, error_status: status, error };
    expect(replay(await played('claude', 'seat-exhausted-sleeps', [retry, retry]))).toMatchObject({
      signal: { kind },
    });
  });
});

describe('gemini', () => {
  const init = { type: 'init', session_id: 'x', model: 'gemini-2.5-pro' };
  const success = { type: 'result', status: 'success', stats: {} };
  const retry = {
    plain:
      'Attempt 5 failed with status 429. Retrying with backoff... _ApiError: {"error":{"code":429,' +
      '"message":"Resource has been exhausted (e.g. check quota).","status":"RESOURCE_EXHAUSTED","details":[]}}',
  };

  it('that succeeds with nothing, after refusals, was refused', async () => {
    expect(replay(await played('gemini', 'ok', [init, retry, success], 0))).toMatchObject({
      outcome: 'exhausted',
      signal: { kind: 'rate-limit' },
    });
  });

  it('that succeeds with nothing, after nothing, has failed', async () => {
    expect(replay(await played('gemini', 'ok', [init, success], 0))).toMatchObject({
      ...{ outcome: 'failed', signal: null, cooldown: null },
      reason: 'it ended without saying anything',
    });
  });

  it('that worked with tools and ends without a word is done', async () => {
    const tool = { type: 'tool_use', tool_name: 'write_file', tool_id: 't', parameters: {} };
    expect(replay(await played('gemini', 'ok', [init, retry, tool, success], 0))).toMatchObject({
      outcome: 'done',
    });
  });

  it('that names a short hint beside a long sleep is taken at its sleep', async () => {
    const sleep = {
      plain:
        'Attempt 1 failed: You exceeded your current quota. Please retry in 2.3s. Retrying after 7200000ms...',
    };
    const input = await played('gemini', 'ok', [init, sleep]);
    const { signal, killed } = replay(input);
    expect(killed).toBe(true);
    expect(signal?.resetAt).toBe(input.startedAt + 1_000 + 7_200_000);
  });
});
