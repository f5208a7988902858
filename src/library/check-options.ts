import { ON_QUOTA } from '../core/policy.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { DurationMs } from '../core/time.ts';
import { durationMs } from '../core/time.ts';
import { PERMISSIONS } from '../core/worker.ts';
import type { Refusal } from './host.ts';
import type { FleetOptions } from './options.ts';

/** The options in the core's own types. */
export interface CheckedOptions extends Omit<FleetOptions, (typeof LENGTHS)[number]> {
  readonly maxWaitMs: DurationMs | undefined;
  readonly holdMs: DurationMs | undefined;
  readonly patienceMs: DurationMs | undefined;
  readonly timeoutMs: DurationMs | undefined;
  readonly idleTimeoutMs: DurationMs | undefined;
}

const LENGTHS = ['maxWaitMs', 'holdMs', 'patienceMs', 'timeoutMs', 'idleTimeoutMs'] as const;

/** Whoever calls from JavaScript may have written anything. */
export function checkOptions(options: FleetOptions): Result<CheckedOptions, Refusal> {
  for (const name of LENGTHS) {
    const value: unknown = options[name];
    if (value !== undefined && !(typeof value === 'number' && Number.isFinite(value) && value >= 0))
      return refused(name, `expected a number of milliseconds, but found ${JSON.stringify(value)}.`);
  }
  const choices = { onQuota: ON_QUOTA, permissions: PERMISSIONS } as const;
  for (const name of ['onQuota', 'permissions'] as const) {
    const value: unknown = options[name];
    if (value !== undefined && !choices[name].some((one) => one === value))
      return refused(name, `expected ${choices[name].join(', ')}, but found ${JSON.stringify(value)}.`);
  }
  const length = (name: (typeof LENGTHS)[number]): DurationMs | undefined => {
    const value = options[name];
    return value === undefined ? undefined : durationMs(Math.round(value));
  };
  return ok({
    ...options,
    maxWaitMs: length('maxWaitMs'),
    holdMs: length('holdMs'),
    patienceMs: length('patienceMs'),
    timeoutMs: length('timeoutMs'),
    idleTimeoutMs: length('idleTimeoutMs'),
  });
}

function refused(option: keyof FleetOptions, message: string): Result<never, Refusal> {
  return err({ reason: 'usage', option, message });
}
