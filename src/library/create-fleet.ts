import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { systemClock } from '../system/clock.ts';
import { homeDirectory, stateHome, systemZone, variables, workingDirectory } from '../system/environment.ts';
import { absolutePath } from '../system/input.ts';
import { CALLABLE, VARIABLES, whyNotCreate } from './check-calls.ts';
import type { Kind } from './check-options.ts';
import { TEXT } from './check-options.ts';
import type { Fleet } from './fleet.ts';
import { publicFleet } from './fleet.ts';
import { openHome } from './home.ts';
import type { Notice, Refusal } from './host.ts';
import type { FleetOptions } from './options.ts';
import { planOf } from './plan.ts';

/** What a fleet is made with; everything may be left out. */
export interface CreateFleetOptions extends FleetOptions {
  /** Where cooldowns, sessions and all other state lie. The default is `SECONDWIND_HOME`, else `~/.secondwind`. */
  readonly home?: string | undefined;
  /** The environment of the CLIs, and of our own settings. The default is that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Told what stops nothing and a person may want to know: a damaged state file, a hook that failed. What it throws is uncaught. */
  readonly onNotice?: ((notice: Notice) => void) | undefined;
}

type Own = Exclude<keyof CreateFleetOptions, keyof FleetOptions>;
const OWN: Readonly<Record<Own, Kind>> = { home: TEXT, env: VARIABLES, onNotice: CALLABLE };

/**
 * A fleet as the command line would have it from here: its configuration files, its state, its rules. Nothing starts
 * before `run`; nothing is printed, and no signal of the process is taken. What is wrong with the options or with a file is a value, `{ ok: false, error }`; nothing is thrown for it.
 *
 * ```ts
 * const fleet = await createFleet({ workers: ['claude-work', 'codex'] });
 * if (!fleet.ok) throw new Error(fleet.error.message);
 * const run = fleet.value.run('fix the failing test', { signal: AbortSignal.timeout(3_600_000) });
 * for await (const event of run) if (event.type === 'attempt.text') process.stdout.write(event.text);
 * const outcome = await run.outcome;
 * ```
 */
export async function createFleet(options: CreateFleetOptions = {}): Promise<Result<Fleet, Refusal>> {
  const wrong = whyNotCreate(options, OWN);
  if (wrong !== undefined) return err(wrong);
  const { home = '', env = variables(), onNotice = () => undefined, ...rest } = options;
  const directory = workingDirectory();
  if (directory === undefined)
    return err({ reason: 'usage', message: 'the directory that this process was started in is gone.' });
  const host = {
    ...{ clock: systemClock, env, home: homeDirectory(env), directory, zone: systemZone() },
    // Absolute, whatever `process.chdir` does later.
    stateHome: absolutePath(home === '' ? stateHome(env) : home, directory),
    report: aside(onNotice),
  };
  const planned = await planOf(host, rest);
  return planned.ok ? ok(publicFleet(openHome(host), planned.value, rest)) : planned;
}

/** What a caller's function throws is the caller's: no run fails by it, and it is told as what nobody caught. */
function aside<Told>(tell: (told: Told) => void): (told: Told) => void {
  return (told) => {
    try {
      tell(told);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
