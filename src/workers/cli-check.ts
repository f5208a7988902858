import type { DurationMs } from '../core/time.ts';
import { durationMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { Adapter } from './adapter.ts';
import { childEnvironment, expandHome } from './child-environment.ts';
import type { Login, LoginPlaces } from './login.ts';
import { isSince, versionIn } from './login.ts';
import type { Asked, ProbeEffects } from './probe.ts';
import { ask } from './probe.ts';

/** What a CLI says of itself, offline: whether it starts, which version it is, and whether somebody is logged in. */
export type CliCheck =
  | { readonly starts: false; readonly why: string }
  | { readonly starts: true; readonly version: string | undefined; readonly login: Login };

export interface CliCheckEffects extends ProbeEffects {
  /** The text of a file; `undefined` when it is not there or may not be read. */
  readonly readText: (path: string) => string | undefined;
}

/** Gemini CLI 0.61 takes 1.8 s to say its version on an idle machine. */
const LONGEST_CHECK: DurationMs = durationMs(10_000);

/** Starts a worker's CLI for its version and for its own check of the login: offline, no tokens, ten seconds each at most. */
export async function checkCli(
  adapter: Adapter,
  worker: Worker,
  directory: string,
  effects: CliCheckEffects,
): Promise<CliCheck> {
  const run = (args: readonly string[]): Promise<Asked> =>
    ask(
      {
        program: programOf(adapter, worker, args, effects.home),
        directory,
        env: environmentOf(adapter, worker, effects),
      },
      LONGEST_CHECK,
      effects,
    );
  const started = await run(['--version']);
  if (started.type !== 'exited' || started.code !== 0) return { starts: false, why: whyNot(started) };
  const version = versionIn(started.stdout);
  const { check, read } = adapter.logins;
  const asked =
    check !== undefined && (version === undefined || isSince(version, check.since))
      ? await run(check.args)
      : undefined;
  const said =
    asked?.type === 'exited' ? { code: asked.code, text: `${asked.stdout}\n${asked.stderr}` } : undefined;
  return {
    starts: true,
    version,
    login: read({ ...placesOf(adapter, worker, effects), args: worker.args, said }),
  };
}

function whyNot(started: Asked): string {
  switch (started.type) {
    case 'exited':
      return `its --version ended with ${String(started.code ?? started.signal ?? 'nothing')}`;
    case 'not-started':
      return `it cannot be started (${started.code})`;
    case 'too-slow':
      return 'its --version took longer than ten seconds';
  }
}

/** All that changes when a person logs in. They are secret: only a fingerprint of them may be kept. */
export function secretsOf(
  adapter: Adapter,
  worker: Worker,
  effects: Pick<CliCheckEffects, 'env' | 'home' | 'readText'>,
): readonly (string | undefined)[] {
  return [adapter.name, ...adapter.logins.secrets(placesOf(adapter, worker, effects))];
}

function placesOf(
  adapter: Adapter,
  worker: Worker,
  effects: Pick<CliCheckEffects, 'env' | 'home' | 'readText'>,
): LoginPlaces {
  return { env: environmentOf(adapter, worker, effects), home: effects.home, file: effects.readText };
}

/** What the CLI gets when it works. */
export function environmentOf(
  adapter: Adapter,
  worker: Worker,
  { env, home }: Pick<ProbeEffects, 'env' | 'home'>,
): Readonly<Record<string, string>> {
  const nothing = {
    prompt: '',
    permissions: 'read',
    model: undefined,
    extraArgs: [],
    resume: undefined,
  } as const;
  return childEnvironment(env, adapter.command(nothing, worker).env, worker.env, home);
}

export function programOf(
  adapter: Adapter,
  worker: Worker,
  args: readonly string[],
  home: string,
): readonly [string, ...string[]] {
  const [named, ...leading] = worker.command ?? [adapter.program];
  return [expandHome(named, home), ...leading, ...args];
}
