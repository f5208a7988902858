import type { Policy } from '../core/policy.ts';
import type { Permissions, Worker } from '../core/worker.ts';
import { isSecretName, withoutKeys } from '../signals/secrets.ts';
import type { Variables } from '../system/environment.ts';
import type { PlanFlags } from './plan-flags.ts';
import type { Settings } from '../library/settings.ts';
import { askedFor, commaList, REST_VARIABLES } from '../library/settings.ts';

/** One setting as a run would take it, and who said so: `--flag`, a variable, a file by its path, or `default`. */
export interface Effective {
  readonly name: string;
  /** As a configuration file writes it; durations in milliseconds. */
  readonly value: unknown;
  readonly from: string;
}

export interface EffectiveSources {
  readonly settings: Settings;
  readonly flags: PlanFlags;
  readonly env: Variables;
  readonly userFile: string;
  /** What a run makes of the three, so that what is shown is what is done. */
  readonly policy: Policy;
  readonly permissions: Permissions;
}

const LAYERED = {
  onQuota: { flag: '--on-quota', of: (policy: Policy) => policy.onQuota },
  maxWait: { flag: '--max-wait', of: (policy: Policy) => policy.maxWaitMs ?? null },
  patience: { flag: '--patience', of: (policy: Policy) => policy.patienceMs },
  hold: { flag: '--hold', of: (policy: Policy) => policy.holdMs },
} as const;

/** Every setting but the fleet; keys that only the files know are shown as they stand there. */
export function effectiveSettings(sources: EffectiveSources): readonly Effective[] {
  const { settings, flags, env, userFile, policy, permissions } = sources;
  const { user, project, projectFile = '' } = settings;
  const fileOf = (key: string): string => (key in project ? projectFile : key in user ? userFile : 'default');
  const layered = (Object.keys(LAYERED) as (keyof typeof LAYERED)[]).map((name) => ({
    ...{ name, value: LAYERED[name].of(policy) },
    from: flags[name] === undefined ? fileOf(name) : LAYERED[name].flag,
  }));
  const own = user.permissions === undefined ? 'default' : userFile;
  const isSet = (variable: string): boolean => (env[variable] ?? '') !== '';
  const rests = Object.entries(REST_VARIABLES).map(([kind, variable]) => ({
    ...{ name: `rest after ${kind}`, value: policy.rests[kind as keyof Policy['rests']] },
    from: isSet(variable) ? variable : 'default',
  }));
  const known = new Set(['$schema', 'workers', 'permissions', ...Object.keys(LAYERED)]);
  const others = Object.entries(user)
    .filter(([key]) => !known.has(key))
    .map(([name, value]) => ({ name, value: masked(value), from: userFile }));
  return [
    ...layered,
    {
      name: 'permissions',
      value: permissions,
      from: flags.permissions === undefined ? own : '--permissions',
    },
    ...others,
    {
      ...{ name: 'cooldowns', value: policy.cooldowns ? 'on' : 'off' },
      from: env['SECONDWIND_COOLDOWN'] === '0' ? 'SECONDWIND_COOLDOWN' : 'default',
    },
    ...rests,
  ];
}

/** Who chose the fleet. */
export function fleetFrom({
  settings,
  flags,
  env,
  userFile,
}: Omit<EffectiveSources, 'policy' | 'permissions'>): string {
  const flag = flags.workers === undefined ? undefined : commaList(flags.workers);
  const { names, by } = askedFor(settings, flag, env);
  if (names !== undefined) return by ?? '--workers';
  return settings.user.workers === undefined ? 'default: the CLIs that are installed' : userFile;
}

/** A worker without what was left out of it, and without its secrets. */
export function shownWorker(worker: Worker): Readonly<Record<string, unknown>> {
  const { env, ...rest } = worker;
  const said = Object.entries(rest).filter(
    ([key, value]) =>
      value !== undefined &&
      !(Array.isArray(value) && value.length === 0) &&
      !(key === 'shareTranscripts' && value === true),
  );
  const variables = Object.entries(env).map(([name, value]) => [
    name,
    isSecretName(name) || withoutKeys(value) !== value ? MASK : value,
  ]);
  return {
    ...(masked(Object.fromEntries(said)) as Record<string, unknown>),
    ...(variables.length === 0 ? {} : { env: Object.fromEntries(variables) as unknown }),
  };
}

/** As long whatever it hides. */
const MASK = '********';

/** Every text in a value without the keys that are known by their form. */
function masked(value: unknown): unknown {
  if (typeof value === 'string') return withoutKeys(value);
  if (Array.isArray(value)) return value.map(masked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(inner)]));
}
