import type { EpochMs } from '../../core/time.ts';
import { classify } from '../classify.ts';
import type { Finding } from '../classify.ts';
import type { CodexWindow } from '../codex-windows.ts';
import { blockingWindow, codexScope, codexWindows, isFull, windowName } from '../codex-windows.ts';
import { evidence } from '../evidence.ts';
import type { Json } from '../json.ts';
import { numberIn, objectIn, parseObject, textIn } from '../json.ts';
import { codexPhrases } from '../phrases/codex.ts';
import { readInstantField } from '../reset.ts';
import type { Answer, ProviderReading, ProviderWindow } from './answer.ts';
import { headerMap, retryAfterOf } from './answer.ts';
import { refine } from './refine.ts';

/**
 * Codex's backend for ChatGPT logins: `x-codex-{primary,secondary}-*` on every answer, `x-{limit}-primary-*` for limits
 * of one model, `x-codex-active-limit` for the family that a 429 is about, and `resets_at` in the body of a
 * `usage_limit_reached`. Headers: codex-rs/codex-api/src/rate_limits.rs, 2026.
 */
export function readCodex(answer: Answer): ProviderReading {
  const headers = headerMap(answer.headers);
  const families = familiesIn(headers);
  const windows = families.flatMap((family) => providerWindows(limitsOf(family, headers), answer.at));
  const finding = classify(codexPhrases, {
    text: answer.body,
    status: answer.status,
    at: answer.at,
    zone: 'UTC',
    model: answer.model,
  });
  const reachedType = headers.get('x-codex-rate-limit-reached-type') ?? '';
  if (answer.status !== 429) return { windows, finding };
  if (/credits_depleted|^workspace_\w+_usage_limit_reached$/.test(reachedType)) {
    return { windows, finding: moneyFinding(reachedType, answer) };
  }
  const active = (headers.get('x-codex-active-limit') ?? 'codex').toLowerCase().replaceAll('_', '-');
  const limits = limitsOf(families.includes(active) ? active : 'codex', headers);
  const blocking = blockingWindow(codexWindows(limits, answer.at));
  const resetAt = bodyReset(answer) ?? blocking?.resetAt ?? retryAfterOf(headers, answer.at);
  const reason = blocking === undefined ? 'usage limit' : windowName(blocking);
  return { windows, finding: refine(finding, answer, { scope: codexScope(limits), resetAt, reason }) };
}

/**
 * The usage of a plan as its endpoint (`wham/usage`) or the app-server (`account/rateLimits/read`) tells it: a probe's
 * answer. Empty when the text is neither.
 */
export function readCodexUsage(text: string, at: EpochMs): readonly ProviderWindow[] {
  const whole = parseObject(text);
  const limits =
    objectIn(whole, 'rate_limit') ??
    objectIn(whole, 'rateLimits') ??
    objectIn(objectIn(whole, 'result'), 'rateLimits') ??
    whole;
  return limits === undefined ? [] : providerWindows(limits, at);
}

/** The names before `-primary-used-percent`: `codex`, and one for each model with a limit of its own. */
function familiesIn(headers: ReadonlyMap<string, string>): readonly string[] {
  const names = [...headers.keys()].flatMap(
    (name) => /^x-(.+)-(?:primary|secondary)-used-percent$/.exec(name)?.[1] ?? [],
  );
  return [...new Set(names)];
}

/** The headers of a family in the shape in which rollouts keep them. */
function limitsOf(family: string, headers: ReadonlyMap<string, string>): Json {
  const field = (slot: string, name: string) => headers.get(`x-${family}-${slot}-${name}`);
  const slot = (name: string): Json => ({
    used_percent: field(name, 'used-percent'),
    window_minutes: field(name, 'window-minutes'),
    reset_at: field(name, 'reset-at'),
    reset_after_seconds: field(name, 'reset-after-seconds'),
  });
  return {
    limit_id: family,
    limit_name: headers.get(`x-${family}-limit-name`),
    primary: slot('primary'),
    secondary: slot('secondary'),
  };
}

function providerWindows(limits: Json, at: EpochMs): readonly ProviderWindow[] {
  const scope = codexScope(limits);
  return codexWindows(limits, at).map((window) => ({
    name: shortName(window),
    scope,
    usedPercent: window.usedPercent,
    resetAt: window.resetAt,
    closed: isFull(window),
  }));
}

function shortName({ minutes }: CodexWindow): string {
  if (minutes === undefined) return 'usage';
  const days = Math.round(minutes / 1_440);
  return days >= 1 ? `${String(days)}d` : `${String(Math.round(minutes / 60))}h`;
}

function bodyReset({ body, at }: Answer): EpochMs | undefined {
  const error = objectIn(parseObject(body), 'error');
  const instant = numberIn(error, 'resets_at');
  if (instant !== undefined) return readInstantField(instant);
  const seconds = numberIn(error, 'resets_in_seconds');
  return seconds === undefined ? undefined : ((at + Math.ceil(seconds * 1_000)) as EpochMs);
}

function moneyFinding(reachedType: string, answer: Answer): Finding {
  const isCap = reachedType.endsWith('usage_limit_reached');
  return {
    type: 'signal',
    signal: {
      kind: 'out-of-credits',
      scope: isCap && reachedType.startsWith('workspace_member') ? 'seat' : 'workspace',
      resetAt: undefined,
      untilCleared: isCap,
      source: 'header',
      reason: isCap ? 'the spend cap of the workspace was reached' : 'the workspace is out of credits',
      evidence: evidence(textIn(objectIn(parseObject(answer.body), 'error'), 'message') ?? reachedType),
    },
  };
}
