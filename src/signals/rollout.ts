import type { Scope } from '../core/signal.ts';
import type { EpochMs, EpochSeconds } from '../core/time.ts';
import { after, durationMs, fromIso, fromSeconds, SECOND } from '../core/time.ts';

/** A window that a CLI's own notes call full, and when they say that it opens. */
export interface ClosedWindow {
  readonly observedAt: EpochMs;
  readonly resetAt: EpochMs;
  readonly scope: Scope;
  readonly reason: string;
}

/** A line of a rollout may be a whole tool output; only `token_count` lines are worth parsing. */
const MAY_HOLD_LIMITS = /"rate_limits"\s*:\s*\{/;

/** Full is 100; servers have rounded it from 99.6 up (`x-codex-primary-used-percent` is a float). */
const FULL = 99.5;

type Json = Readonly<Record<string, unknown>>;

/**
 * Reads one line of a codex `rollout-*.jsonl`: the window that is full and opens last, `'open'` when the line is a
 * reading in which none is full, `undefined` when it is no reading, or names no window at all (`"primary": null`).
 * Shapes since 2025-09-20: openai/codex #3965 (flat), #4060, #4111 (`resets_in_seconds`), #5304 (`resets_at`), #11260
 * (`limit_id`, `limit_name`), #18227 (`rate_limit_reached_type`).
 */
export function closedWindow(line: string): ClosedWindow | 'open' | undefined {
  if (!MAY_HOLD_LIMITS.test(line)) return undefined;
  const record = parseRecord(line);
  const payload = record === undefined ? undefined : recordIn(record, 'payload');
  const limits = payload?.['type'] === 'token_count' ? recordIn(payload, 'rate_limits') : undefined;
  const observedAt = fromIso(String(record?.['timestamp']));
  if (limits === undefined || observedAt === undefined) return undefined;
  const windows = windowsIn(limits);
  if (windows.length === 0) return undefined;
  const scope = scopeOf(limits);
  const closed = windows
    .filter(({ usedPercent }) => usedPercent >= FULL)
    .flatMap((window): ClosedWindow[] => {
      const resetAt = resetOf(window, observedAt);
      return resetAt === undefined ? [] : [{ observedAt, resetAt, scope, reason: nameOf(window, scope) }];
    })
    .sort((left, right) => right.resetAt - left.resetAt);
  if (closed[0] !== undefined) return closed[0];
  return windows.some(({ usedPercent }) => usedPercent >= FULL) ? undefined : 'open';
}

interface Window {
  readonly usedPercent: number;
  readonly minutes: number | undefined;
  readonly resetsAt: number | undefined;
  readonly resetsInSeconds: number | undefined;
}

function windowsIn(limits: Json): readonly Window[] {
  return ['primary', 'secondary'].flatMap((slot): Window[] => {
    const nested = recordIn(limits, slot);
    const used =
      nested === undefined ? numberIn(limits, `${slot}_used_percent`) : numberIn(nested, 'used_percent');
    if (used === undefined) return [];
    const field = (name: string) =>
      nested === undefined ? numberIn(limits, `${slot}_${name}`) : numberIn(nested, name);
    return [
      {
        usedPercent: used,
        minutes: field('window_minutes'),
        resetsAt: field('resets_at') ?? field('reset_at'),
        resetsInSeconds: field('resets_in_seconds') ?? field('reset_after_seconds'),
      },
    ];
  });
}

function resetOf({ resetsAt, resetsInSeconds }: Window, observedAt: EpochMs): EpochMs | undefined {
  if (resetsAt !== undefined) return resetsAt > 0 ? fromSeconds(resetsAt as EpochSeconds) : undefined;
  return resetsInSeconds === undefined
    ? undefined
    : after(observedAt, durationMs(Math.max(0, resetsInSeconds) * SECOND));
}

/** `limit_id` other than `codex` is a family of its own (`codex_bengalfox`, shown as "GPT-5.3-Codex-Spark"). */
function scopeOf(limits: Json): Scope {
  const id = limits['limit_id'];
  const name = limits['limit_name'];
  if (typeof name === 'string' && name !== '' && name.toLowerCase() !== 'codex')
    return `model:${name.toLowerCase()}`;
  if (typeof id === 'string' && id !== '' && !/^(?:codex|gpt-reserve|premium)$/i.test(id)) {
    return `model:${id.toLowerCase()}`;
  }
  return 'seat';
}

/** Windows are known by their length: since 2026 a plan's only window, the weekly one, stands in `primary`. */
function nameOf({ minutes }: Window, scope: Scope): string {
  const of = scope.startsWith('model:') ? ` of ${scope.slice('model:'.length)}` : '';
  if (minutes === undefined) return `usage limit${of}`;
  if (Math.abs(minutes - 300) <= 5) return `five-hour limit${of}`;
  if (Math.abs(minutes - 10_080) <= 60) return `weekly limit${of}`;
  return minutes >= 2_880
    ? `${String(Math.round(minutes / 1_440))}-day limit${of}`
    : `${String(Math.round(minutes / 60))}-hour limit${of}`;
}

function parseRecord(line: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    // The last line of a file that is being written is often torn.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function recordIn(record: Json, key: string): Json | undefined {
  const value = record[key];
  return isRecord(value) ? value : undefined;
}

function numberIn(record: Json, key: string): number | undefined {
  const value = record[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
