import type { Policy } from '../core/policy.ts';
import { DEFAULT_HOLD, DEFAULT_PATIENCE, DEFAULT_RESTS } from '../core/policy.ts';
import type { RestLengths } from '../core/policy.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { CooldownKind } from '../core/signal.ts';
import type { DurationMs } from '../core/time.ts';
import { parseDuration } from '../core/time.ts';
import type { Permissions } from '../core/worker.ts';
import type { ProjectConfig, UserConfig } from '../store/config.ts';
import type * as schemas from '../store/config.ts';
import type { ConfigProblem, readConfig } from '../store/read-config.ts';
import type { Variables } from '../system/environment.ts';
import { findUpToGitRoot, readIfThere } from '../system/input.ts';
import { ADAPTER_NAMES } from '../workers/registry.ts';
import type { Refusal } from './host.ts';
import type { CheckedOptions } from './check-options.ts';

/** Both configuration files, read and checked. */
export interface Settings {
  readonly user: UserConfig;
  readonly project: ProjectConfig;
  /** Where the project's file lies, when there is one. */
  readonly projectFile?: string | undefined;
}

/** What was asked for about policy; it wins over everything. */
export type PolicyOptions = Pick<
  CheckedOptions,
  'onQuota' | 'maxWaitMs' | 'holdMs' | 'patienceMs' | 'ignoreCooldowns' | 'handoff'
>;

export async function readSettings(stateHome: string, directory: string): Promise<Result<Settings, Refusal>> {
  const user = await readOne(`${stateHome}/config.json`, ({ userConfigSchema }) =>
    userConfigSchema(ADAPTER_NAMES),
  );
  if (!user.ok) return user;
  const path = findUpToGitRoot('secondwind.config.json', directory);
  const project =
    path === undefined
      ? ok(undefined)
      : await readOne(path, ({ projectConfigSchema }) => projectConfigSchema());
  if (!project.ok) return project;
  return ok({ user: user.value ?? {}, project: project.value ?? {}, projectFile: path });
}

type Schemas = typeof schemas;

/** What checks a file is heavy, and loaded where there is one. */
async function readOne<Schema extends Parameters<typeof readConfig>[2]>(
  file: string,
  schemaIn: (schemas: Schemas) => Schema,
) {
  const text = readIfThere(file);
  if (!text.ok) return err(wrong({ file, line: undefined, message: `it cannot be read: ${text.error}` }));
  if (text.value === undefined) return ok(undefined);
  const [{ readConfig }, loaded] = await Promise.all([
    import('../store/read-config.ts'),
    import('../store/config.ts'),
  ]);
  const config = readConfig(file, text.value, schemaIn(loaded));
  return config.ok ? config : err(wrong(config.error));
}

function wrong({ file, line, message }: ConfigProblem): Refusal {
  return {
    reason: 'configuration',
    message: `${file}${line === undefined ? '' : `:${String(line)}`}: ${message}`,
  };
}

export const REST_VARIABLES: Readonly<Record<CooldownKind, string>> = {
  'rate-limit': 'SECONDWIND_COOLDOWN_RATELIMIT_MS',
  'out-of-credits': 'SECONDWIND_COOLDOWN_CREDITS_MS',
  'auth-failure': 'SECONDWIND_COOLDOWN_AUTH_MS',
  'cli-unavailable': 'SECONDWIND_COOLDOWN_CLI_MS',
  'connection-failure': 'SECONDWIND_COOLDOWN_CONNECTION_MS',
};

/** Options win over the project's file, that over the user's, that over the defaults. */
export function policyOf(
  { user, project }: Settings,
  options: PolicyOptions,
  env: Variables,
): Result<Policy, Refusal> {
  const rests = restLengths(env);
  if (!rests.ok) return rests;
  const cooldowns = env['SECONDWIND_COOLDOWN'] !== '0';
  return ok({
    onQuota: options.onQuota ?? project.onQuota ?? user.onQuota ?? 'stop',
    maxWaitMs: options.maxWaitMs ?? project.maxWait ?? user.maxWait,
    patienceMs: options.patienceMs ?? project.patience ?? user.patience ?? DEFAULT_PATIENCE,
    holdMs: options.holdMs ?? project.hold ?? user.hold ?? DEFAULT_HOLD,
    rests: rests.value,
    cooldowns,
    ignoreCooldowns: options.ignoreCooldowns === true || !cooldowns,
    handoff: options.handoff ?? true,
  });
}

export function restLengths(env: Variables): Result<RestLengths, Refusal> {
  const rests: Record<CooldownKind, DurationMs> = { ...DEFAULT_RESTS };
  for (const [kind, variable] of Object.entries(REST_VARIABLES) as [CooldownKind, string][]) {
    const value = env[variable];
    if (value === undefined || value === '') continue;
    const parsed = parseDuration(value);
    if (!parsed.ok) return err({ reason: 'configuration', message: `${variable}: ${parsed.error}` });
    rests[kind] = parsed.value;
  }
  return ok(rests);
}

/** A project's file may not widen what an agent is allowed: only the user says that, in a file or by an option. */
export function permissionsOf({ user }: Settings, asked: Permissions | undefined): Permissions {
  return asked ?? user.permissions ?? 'edit';
}

/** The workers asked for by name: the option, else `SECONDWIND_FLEET`, else the project's choice. */
export function askedFor(
  { project, projectFile = 'secondwind.config.json' }: Settings,
  option: readonly string[] | undefined,
  env: Variables,
): { readonly names: readonly string[] | undefined; readonly by: string | undefined } {
  if (option !== undefined) return { names: option, by: undefined };
  const fleet = env['SECONDWIND_FLEET'];
  if (fleet !== undefined && fleet.trim() !== '') return { names: commaList(fleet), by: 'SECONDWIND_FLEET' };
  return { names: project.workers, by: projectFile };
}

export function commaList(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
