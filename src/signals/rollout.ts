import type { Scope } from '../core/signal.ts';
import type { EpochMs } from '../core/time.ts';
import { fromIso } from '../core/time.ts';
import { blockingWindow, codexScope, codexWindows, windowName } from './codex-windows.ts';
import type { CodexWindow } from './codex-windows.ts';
import { objectIn, parseObject, textIn } from './json.ts';

/** A window that a CLI's own notes call full, and when they say that it opens. */
export interface ClosedWindow {
  readonly observedAt: EpochMs;
  readonly resetAt: EpochMs;
  readonly scope: Scope;
  readonly reason: string;
}

/** One reading of all windows, as a CLI noted it. */
export interface WindowsRecord {
  readonly observedAt: EpochMs;
  /** Of the full windows the one that opens last, which is the one that blocks; `undefined`: none is full. */
  readonly closed: ClosedWindow | undefined;
  /** Whose windows they are: the seat's, or those of one model. */
  readonly scope: Scope;
  readonly windows: readonly CodexWindow[];
}

/** A line of a rollout may be a whole tool output; only lines that can hold a reading are worth parsing. */
const MAY_HOLD_LIMITS = /"rate_limits"\s*:\s*\{/;

/**
 * Reads one line of a codex `rollout-*.jsonl`. `undefined` when it is no reading, or one that names no window
 * (`"primary": null`, as with an API key) or not when a full one opens. Shapes since 2025-09-20: openai/codex #3965
 * (flat), #4060, #4111 (`resets_in_seconds`, from the line's own timestamp), #5304 (`resets_at`), #11260 (`limit_id`,
 * `limit_name`), #18227 (`rate_limit_reached_type`).
 */
export function readRollout(line: string): WindowsRecord | undefined {
  if (!MAY_HOLD_LIMITS.test(line)) return undefined;
  const record = parseObject(line);
  const payload = objectIn(record, 'payload');
  // An agent that reads a rollout puts such lines into tool outputs; those are strings in a payload of another type.
  const limits = textIn(payload, 'type') === 'token_count' ? objectIn(payload, 'rate_limits') : undefined;
  const observedAt = fromIso(textIn(record, 'timestamp') ?? '');
  if (limits === undefined || observedAt === undefined) return undefined;
  const windows = codexWindows(limits, observedAt);
  const blocking = blockingWindow(windows);
  if (windows.length === 0 || (blocking !== undefined && blocking.resetAt === undefined)) return undefined;
  const scope = codexScope(limits);
  const closed =
    blocking?.resetAt === undefined
      ? undefined
      : { observedAt, resetAt: blocking.resetAt, scope, reason: reasonOf(blocking, scope) };
  return { observedAt, closed, scope, windows };
}

function reasonOf(window: CodexWindow, scope: Scope): string {
  return scope.startsWith('model:')
    ? `${windowName(window)} of ${scope.slice('model:'.length)}`
    : windowName(window);
}
