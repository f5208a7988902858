import type { CooldownKind } from './signal.ts';
import type { DurationMs } from './time.ts';
import { DAY, durationMs, MINUTE } from './time.ts';

export const ON_QUOTA = ['stop', 'wait', 'api'] as const;
/** What to do when every candidate rests: exit 75, wait for the earliest reset, or admit workers billed per use. */
export type OnQuota = (typeof ON_QUOTA)[number];

/** How long a kind rests when nothing named a reset. */
export type RestLengths = Readonly<Record<CooldownKind, DurationMs>>;

/** What the operator chose; everything that decides is handed one. */
export interface Policy {
  readonly onQuota: OnQuota;
  /** The longest that `wait` waits; `undefined` is without bound. */
  readonly maxWaitMs: DurationMs | undefined;
  /** How long an attempt may sit in its CLI's own retries over a throttle or a lost connection. */
  readonly patienceMs: DurationMs;
  /** How long, in total, a busy provider is given on the same worker. */
  readonly holdMs: DurationMs;
  readonly rests: RestLengths;
  /** False (`SECONDWIND_COOLDOWN=0`): neither record nor obey cooldowns. */
  readonly cooldowns: boolean;
  /** `--ignore-cooldown`: record them, and do not obey them. */
  readonly ignoreCooldowns: boolean;
  /** False (`--no-handoff`): whoever takes over begins at the beginning, knowing nothing of what was done. */
  readonly handoff: boolean;
}

export const DEFAULT_RESTS: RestLengths = {
  'rate-limit': durationMs(30 * MINUTE),
  'out-of-credits': DAY,
  'auth-failure': DAY,
  'cli-unavailable': DAY,
  'connection-failure': durationMs(5 * MINUTE),
};

export const DEFAULT_PATIENCE = MINUTE;
export const DEFAULT_HOLD = durationMs(20 * MINUTE);
