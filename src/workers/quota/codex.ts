import type { EpochMs } from '../../core/time.ts';
import { codexScope, codexWindows, isFull, windowName } from '../../signals/codex-windows.ts';
import { isRecord, recordField, stringField } from '../json-lines.ts';
import type { QuotaAnswer, QuotaWays, QuotaWindow } from '../quota-answer.ts';
import { unknownQuota } from '../quota-answer.ts';

const QUESTION = 2;

/**
 * `codex app-server`, `account/rateLimits/read`: one GET to the account's usage, no tokens, with a ChatGPT login only
 * (codex-rs/app-server, driven with 0.171 on 2026-11-30). It ends as soon as its stdin does, answered or not.
 */
export const codexQuota: QuotaWays = {
  args: (own) => ['app-server', ...settingsIn(own)],
  asks: [
    {
      method: 'initialize',
      id: 0,
      params: { clientInfo: { name: 'secondwind', title: 'secondwind', version: '0' } },
    },
    { method: 'initialized' },
    { method: 'account/rateLimits/read', id: QUESTION },
  ],
  read,
};

/** Of a worker's arguments only `-c key=value` means the same to the app-server as to `exec`. */
function settingsIn(own: readonly string[]): readonly string[] {
  return own.flatMap((arg, index) => {
    if (arg === '-c' || arg === '--config') return own.slice(index, index + 2);
    return arg.startsWith('--config=') ? [arg] : [];
  });
}

function read(line: string, at: EpochMs): QuotaAnswer | undefined {
  const message = parsed(line);
  if (message?.['id'] !== QUESTION) return undefined;
  const error = stringField(recordField(message, 'error'), 'message');
  if (error !== undefined) return unknownQuota(shortened(error));
  const result = recordField(message, 'result');
  const own = recordField(result, 'rateLimits');
  const families = Object.values(recordField(result, 'rateLimitsByLimitId')).filter(isRecord);
  const all = families.length > 0 ? families : [own];
  const windows = all.flatMap((limits) => windowsOf(limits, at));
  const reached = stringField(own, 'rateLimitReachedType') ?? '';
  const isEmpty = reached.endsWith('credits_depleted');
  if (windows.length === 0 && !isEmpty) return unknownQuota('its plan has no windows');
  const credits = isEmpty ? { isEmpty, words: 'the workspace is out of credits' } : undefined;
  return { type: 'seen', windows, credits };
}

function windowsOf(limits: Readonly<Record<string, unknown>>, at: EpochMs): readonly QuotaWindow[] {
  const scope = codexScope(limits);
  return codexWindows(limits, at).map((window) => ({
    ...{ name: windowName(window), scope, usedPercent: window.usedPercent, resetAt: window.resetAt },
    isClosed: isFull(window),
  }));
}

/** Its errors carry whole bodies. */
function shortened(error: string): string {
  return error.split(/[:;] /, 1)[0] ?? 'it failed';
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
