import type { DurationMs } from '../../core/time.ts';
import { formatDuration } from '../../core/time.ts';
import type { Variables } from '../../system/environment.ts';
import type { Refusal } from '../../library/host.ts';
import type { Settings } from '../../library/settings.ts';
import type { Finding } from './finding.ts';
import { green, red, yellow } from './finding.ts';

/** Both files, and what overrules what: the command line, then the environment, then the project's file, then the user's. */
export function configFindings(
  settings: { readonly ok: true; readonly value: Settings } | { readonly ok: false; readonly error: Refusal },
  userFile: string,
  env: Variables,
): readonly Finding[] {
  if (!settings.ok) return [red(settings.error.message, 'correct that line; until then nothing runs')];
  const { user, project, projectFile } = settings.value;
  const findings: Finding[] = [
    green(`${userFile}: ${namedIn(user) ?? 'not there, or empty: the fleet is every CLI that is installed'}`),
  ];
  if (projectFile !== undefined) findings.push(green(`${projectFile}: ${namedIn(project) ?? 'empty'}`));
  for (const key of ['onQuota', 'maxWait', 'patience', 'hold'] as const) {
    if (user[key] !== undefined && project[key] !== undefined && user[key] !== project[key])
      findings.push(
        green(`${key}: ${shown(project[key])} of the project overrules ${shown(user[key])} of ${userFile}`),
      );
  }
  const fleet = env['SECONDWIND_FLEET'];
  if (fleet !== undefined && fleet.trim() !== '')
    findings.push(
      green(
        `SECONDWIND_FLEET=${fleet} chooses the workers${project.workers === undefined ? '' : ', and overrules those of the project'}`,
      ),
    );
  if (env['SECONDWIND_COOLDOWN'] === '0')
    findings.push(
      yellow(
        'SECONDWIND_COOLDOWN=0: rests are neither recorded nor obeyed',
        'unset it, if that was not meant',
      ),
    );
  for (const name of Object.keys(env)
    .filter((key) => /^SECONDWIND_COOLDOWN_\w+_MS$/.test(key))
    .sort())
    findings.push(green(`${name}=${env[name] ?? ''} overrules a default length`));
  return findings;
}

function shown(value: string | DurationMs): string {
  return typeof value === 'number' ? formatDuration(value) : value;
}

function namedIn(config: object): string | undefined {
  const keys = Object.entries(config).filter(([key, value]) => key !== '$schema' && value !== undefined);
  if (keys.length === 0) return undefined;
  return keys.map(([key, value]) => (Array.isArray(value) ? counted(value.length, key) : key)).join(', ');
}

/** `2 workers`, `1 rule`: of keys that are plurals. */
function counted(count: number, key: string): string {
  return `${String(count)} ${count === 1 ? key.replace(/s$/, '') : key}`;
}
