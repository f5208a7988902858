import type { Result } from '../core/result.ts';
import type { DurationMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import { readRetryAfter } from '../signals/reset.ts';
import type { NoJson } from '../system/http.ts';
import type { Adapter } from './adapter.ts';
import { environmentOf, programOf } from './cli-check.ts';
import type { ProbeEffects } from './probe.ts';
import type { BalanceWays, QuotaAnswer, QuotaWays } from './quota-answer.ts';
import { LONGEST_LOOK, unknownQuota } from './quota-answer.ts';
import { deepseekBalance } from './quota/deepseek.ts';

export interface QuotaEffects extends ProbeEffects {
  readonly getJson: (
    url: string,
    headers: Readonly<Record<string, string>>,
    atMost: DurationMs,
  ) => Promise<Result<unknown, NoJson>>;
}

const BALANCES: Readonly<Record<NonNullable<Worker['balance']>['provider'], BalanceWays>> = {
  deepseek: deepseekBalance,
};

/** Whether there is a free way to ask for this worker's quota. */
export function canBeAsked(adapter: Adapter, worker: Worker): boolean {
  return worker.balance !== undefined || adapter.quota !== undefined;
}

/**
 * Asks how much of a worker's quota is left: no tokens, the network, at most twenty seconds. A look that fails, is slow
 * or says nothing is `unknown`, and nothing follows from it. The same code for `doctor --liveness`, `run --preflight`
 * and whoever polls.
 */
export async function askQuota(
  adapter: Adapter,
  worker: Worker,
  directory: string,
  effects: QuotaEffects,
): Promise<QuotaAnswer> {
  if (worker.balance !== undefined) return askBalance(adapter, worker, worker.balance, effects);
  if (adapter.quota === undefined) return unknownQuota(`${adapter.title} has no free way to say`);
  return askCli(adapter, adapter.quota, worker, directory, effects);
}

async function askCli(
  adapter: Adapter,
  ways: QuotaWays,
  worker: Worker,
  directory: string,
  effects: QuotaEffects,
): Promise<QuotaAnswer> {
  const [program, ...args] = programOf(adapter, worker, ways.args(worker.args), effects.home);
  const started = await effects.startChild({
    ...{ program, args, cwd: directory, env: environmentOf(adapter, worker, effects) },
    ...{ stdin: ways.asks.map((ask) => `${JSON.stringify(ask)}\n`).join(''), keepsStdin: true },
  });
  if (!started.ok) {
    const { code } = started.error;
    return unknownQuota(code === 'ENOENT' ? `${program} is not installed` : `it cannot be started (${code})`);
  }
  const child = started.value;
  const over = new AbortController();
  const began = effects.clock.monotonic();
  void effects.clock.sleep(LONGEST_LOOK, over.signal).then(() => child.end());
  let answer: QuotaAnswer | undefined;
  for await (const { channel, text, at } of child.lines) {
    if (channel === 'stdout') answer ??= ways.read(text, at);
    // It would go on listening.
    if (answer !== undefined) void child.end();
  }
  const isSlow = effects.clock.monotonic() - began >= LONGEST_LOOK;
  over.abort();
  await child.end();
  return (
    answer ?? unknownQuota(isSlow ? 'it gave no answer in twenty seconds' : 'it ended without an answer')
  );
}

async function askBalance(
  adapter: Adapter,
  worker: Worker,
  { provider, keyEnv }: NonNullable<Worker['balance']>,
  effects: QuotaEffects,
): Promise<QuotaAnswer> {
  const env = environmentOf(adapter, worker, effects);
  const key = env[keyEnv];
  if (key === undefined || key === '') return unknownQuota(`the variable ${keyEnv} is not set`);
  const { request, read } = BALANCES[provider];
  const { url, headers } = request(env, key);
  // A key goes over the open network to nobody.
  if (!/^https:|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/.test(url))
    return unknownQuota('its address is not https');
  const body = await effects.getJson(url, headers, LONGEST_LOOK);
  if (body.ok) return read(body.value);
  const { why, retryAfter } = body.error;
  return unknownQuota(
    why,
    retryAfter === undefined ? undefined : readRetryAfter(retryAfter, effects.clock.now()),
  );
}
