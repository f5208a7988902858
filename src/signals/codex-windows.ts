import type { Scope } from '../core/signal.ts';
import type { EpochMs, EpochSeconds } from '../core/time.ts';
import { after, durationMs, fromSeconds, SECOND } from '../core/time.ts';
import type { Json } from './json.ts';
import { numberIn, objectIn, textIn } from './json.ts';

/** One window of a Codex plan, from any of the places that tell of it. */
export interface CodexWindow {
  readonly usedPercent: number;
  readonly minutes: number | undefined;
  readonly resetAt: EpochMs | undefined;
}

/** Full is 100; servers have rounded it from 99.5 up (the header is a float). */
const FULL = 99.5;

export function isFull({ usedPercent }: CodexWindow): boolean {
  return usedPercent >= FULL;
}

/**
 * The windows in a `rate_limits` object: rollouts of every age (flat, nested, `resets_in_seconds`, `resets_at`), the
 * app-server's camel case, the usage endpoint's `primary_window`. Relative resets count from `observedAt`.
 */
export function codexWindows(limits: Json, observedAt: EpochMs): readonly CodexWindow[] {
  return ['primary', 'secondary'].flatMap((slot) => {
    const nested = objectIn(limits, slot) ?? objectIn(limits, `${slot}_window`);
    const field = (...names: readonly string[]) =>
      names
        .map((name) => (nested === undefined ? numberIn(limits, `${slot}_${name}`) : numberIn(nested, name)))
        .find((value) => value !== undefined);
    const usedPercent = field('used_percent', 'usedPercent');
    if (usedPercent === undefined) return [];
    const seconds = field('limit_window_seconds');
    return [
      {
        usedPercent,
        minutes:
          field('window_minutes', 'windowDurationMins') ?? (seconds === undefined ? undefined : seconds / 60),
        resetAt: resetOf(
          field('resets_at', 'reset_at', 'resetsAt'),
          field('resets_in_seconds', 'reset_after_seconds'),
          observedAt,
        ),
      },
    ];
  });
}

const MOST_SECONDS = 1e11;

function resetOf(
  at: number | undefined,
  inSeconds: number | undefined,
  observedAt: EpochMs,
): EpochMs | undefined {
  // Beyond the year 5138 it is no number of seconds, and soon no date.
  if (at !== undefined) return at > 0 && at <= MOST_SECONDS ? fromSeconds(at as EpochSeconds) : undefined;
  if (inSeconds === undefined || !(inSeconds <= MOST_SECONDS)) return undefined;
  return after(observedAt, durationMs(Math.max(0, inSeconds) * SECOND));
}

/** Of the full windows the one that opens last: it is the one that blocks. */
export function blockingWindow(windows: readonly CodexWindow[]): CodexWindow | undefined {
  return windows
    .filter(isFull)
    .toSorted((left, right) => (right.resetAt ?? 0) - (left.resetAt ?? 0))
    .at(0);
}

/** Families of the plan itself (`gpt-reserve` since 0.171); every other `limit_id` or `limit_name` is one model's own limit. */
const OF_THE_SEAT = /^(?:codex|gpt-reserve|premium|default)$/i;

export function codexScope(limits: Json): Scope {
  const name = textIn(limits, 'limit_name') ?? textIn(limits, 'limitName');
  const id = textIn(limits, 'limit_id') ?? textIn(limits, 'limitId');
  const family = name ?? id ?? 'codex';
  return OF_THE_SEAT.test(family) ? 'seat' : `model:${family.toLowerCase()}`;
}

/** Windows are known by their length: since 2026 a plan's only window, the weekly one, stands in `primary`. */
export function windowName({ minutes }: CodexWindow): string {
  if (minutes === undefined) return 'usage limit';
  if (Math.abs(minutes - 300) <= 5) return 'five-hour limit';
  if (Math.abs(minutes - 10_080) <= 60) return 'weekly limit';
  const days = Math.round(minutes / 1_440);
  return days >= 2
    ? `${String(days)}-day limit`
    : `${String(Math.max(1, Math.round(minutes / 60)))}-hour limit`;
}
