import type { Scope } from '../../core/signal.ts';
import type { EpochMs, EpochSeconds } from '../../core/time.ts';
import { fromSeconds } from '../../core/time.ts';
import type { WindowReading } from '../adapter.ts';
import { isRecord, numberField, recordField, stringField } from '../json-lines.ts';

type Info = Readonly<Record<string, unknown>>;

interface KnownWindow {
  readonly window: string;
  readonly reason: string;
  readonly scope: Scope;
}

/** `rateLimitType` in @anthropic-ai/claude-agent-sdk 0.3.197 and 0.3.332 `sdk.d.ts`. */
const WINDOWS: Readonly<Record<string, KnownWindow>> = {
  five_hour: { window: '5h', reason: 'five-hour limit', scope: 'seat' },
  seven_day: { window: '7d', reason: 'weekly limit', scope: 'seat' },
  seven_day_opus: { window: '7d opus', reason: 'weekly Opus limit', scope: 'model:opus' },
  seven_day_sonnet: { window: '7d sonnet', reason: 'weekly Sonnet limit', scope: 'model:sonnet' },
  seven_day_overage_included: { window: '7d fable', reason: 'weekly Fable limit', scope: 'model:fable' },
  overage: { window: 'overage', reason: 'usage credits', scope: 'seat' },
};

/** What `name` is called among people, and what it closes; `undefined` for a window that we do not know. */
export function knownWindow(name: string): KnownWindow | undefined {
  return Object.hasOwn(WINDOWS, name) ? WINDOWS[name] : undefined;
}

/** A window that an event called closed; better than any wording that follows. */
export interface ClosedClaudeWindow {
  readonly kind: 'rate-limit' | 'out-of-credits';
  readonly scope: Scope;
  readonly resetAt: EpochMs | undefined;
  readonly reason: string;
}

export interface WindowState {
  readonly readings: readonly WindowReading[];
  /** The window that closed, when the work cannot go on in it. */
  readonly closed: ClosedClaudeWindow | undefined;
}

/**
 * Reads a `rate_limit_info`, sent when the state of a window changes, healthy or not (claude.ai logins only).
 * `rejected` alone does not close a window: overage may carry the work on, or the window's own status in
 * `unifiedWindows` (2.1.332) says `allowed`, and then it was a throttle.
 */
export function readRateLimitInfo(info: Info, model: string | undefined): WindowState {
  const type = stringField(info, 'rateLimitType') ?? 'unknown';
  const status = stringField(info, 'status');
  const { window, reason, scope } = WINDOWS[type] ?? { window: type, reason: `${type} limit`, scope: 'seat' };
  const resetAt = secondsField(info, 'resetsAt');
  const others = Object.entries(recordField(info, 'unifiedWindows')).flatMap(([name, value]) =>
    name === type || !isRecord(value) ? [] : [reading(WINDOWS[name]?.window ?? name, value)],
  );
  // An event that names neither how full a window is nor its reset (any healthy run behind a gateway) is no reading.
  const readings = [reading(window, info), ...others].filter(
    ({ usedPercent, resetAt: opensAt }) => usedPercent !== undefined || opensAt !== undefined,
  );
  if (status !== 'rejected' || isGoingOn(info, type)) return { readings, closed: undefined };
  // Only the model that was asked for needs credits (2.1.332); the seat's own windows are open.
  if (info['errorCode'] === 'credits_required') {
    const of = model === undefined ? scope : (`model:${model.toLowerCase()}` as const);
    return {
      readings,
      closed: { kind: 'out-of-credits', scope: of, resetAt, reason: 'needs usage credits' },
    };
  }
  return { readings, closed: { kind: 'rate-limit', scope, resetAt, reason } };
}

function isGoingOn(info: Info, type: string): boolean {
  if (info['isUsingOverage'] === true || info['overageInUse'] === true) return true;
  const own = stringField(recordField(recordField(info, 'unifiedWindows'), type), 'status');
  return own === 'allowed' || own === 'allowed_warning';
}

function reading(window: string, info: Info): WindowReading {
  const utilization = numberField(info, 'utilization');
  return {
    type: 'reading',
    window,
    usedPercent: utilization === undefined ? undefined : utilization * 100,
    resetAt: secondsField(info, 'resetsAt'),
    warning: stringField(info, 'status') === 'allowed_warning',
  };
}

function secondsField(info: Info, key: string): EpochMs | undefined {
  const seconds = numberField(info, key);
  // Beyond the year 5138 it is no number of seconds: milliseconds in this field would rest a seat for days.
  return seconds === undefined || seconds < 0 || seconds > 1e11
    ? undefined
    : fromSeconds(seconds as EpochSeconds);
}
