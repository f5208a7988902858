import { ON_QUOTA } from '../core/policy.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { anyOf, didYouMean } from '../core/similar.ts';
import type { DurationMs } from '../core/time.ts';
import { durationMs } from '../core/time.ts';
import { PERMISSIONS } from '../core/worker.ts';
import type { Refusal } from './host.ts';
import type { FleetOptions } from './options.ts';
import { shown } from './shown.ts';

type Length = 'maxWaitMs' | 'holdMs' | 'patienceMs' | 'timeoutMs' | 'idleTimeoutMs';

/** The options in the core's own types. */
export interface CheckedOptions extends Omit<FleetOptions, Length> {
  readonly maxWaitMs: DurationMs | undefined;
  readonly holdMs: DurationMs | undefined;
  readonly patienceMs: DurationMs | undefined;
  readonly timeoutMs: DurationMs | undefined;
  readonly idleTimeoutMs: DurationMs | undefined;
}

/** What a value has to be, in words, and whether one is that. */
export interface Kind {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

export const TEXT: Kind = { expected: 'a text', fits: (value) => typeof value === 'string' };
export const YES_OR_NO: Kind = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
const TEXTS: Kind = {
  expected: 'a list of texts',
  fits: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
};
const LENGTH: Kind = {
  expected: 'a number of milliseconds',
  fits: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
};
const oneOf = (choices: readonly string[]): Kind => ({
  expected: anyOf(choices),
  fits: (value) => choices.some((one) => one === value),
});

/** Of every option. */
export const OPTION_KINDS: Readonly<Record<keyof FleetOptions, Kind>> = {
  ...{ directory: TEXT, workers: TEXTS, model: TEXT, extraArgs: TEXTS },
  ...{ permissions: oneOf(PERMISSIONS), onQuota: oneOf(ON_QUOTA) },
  ...{ maxWaitMs: LENGTH, holdMs: LENGTH, patienceMs: LENGTH, timeoutMs: LENGTH, idleTimeoutMs: LENGTH },
  ...{ ignoreCooldowns: YES_OR_NO, preflight: YES_OR_NO, handoff: YES_OR_NO },
};

/** Whoever calls from JavaScript may have written anything. */
export function checkOptions(options: FleetOptions): Result<CheckedOptions, Refusal> {
  for (const [name, kind] of Object.entries(OPTION_KINDS) as [keyof FleetOptions, Kind][]) {
    const wrong = whyUnfit(options[name], kind);
    if (wrong !== undefined) return err({ reason: 'usage', option: name, message: `${name}: ${wrong}` });
  }
  const length = (name: Length): DurationMs | undefined => {
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

/** What is wrong with an option that may be left out, in words that follow its name. */
export function whyUnfit(value: unknown, { expected, fits }: Kind): string | undefined {
  return value === undefined || fits(value) ? undefined : `expected ${expected}, but found ${shown(value)}.`;
}

/** An option that is none is one that somebody relies on, and would be without. */
export function whyUnknown(options: object, names: readonly string[]): string | undefined {
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown === undefined) return undefined;
  return `there is no option '${unknown}'${didYouMean(unknown, names)}; there are ${names.join(', ')}.`;
}
