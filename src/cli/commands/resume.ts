import { openHome } from '../../library/home.ts';
import { resumeSession } from '../../library/resume.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import type { PlanFlags } from '../plan-flags.ts';
import { optionsOf } from '../plan-flags.ts';
import { runInSight } from '../run-session.ts';
import { supervise } from '../supervise.ts';

export type ResumeFlags = Omit<PlanFlags, 'cd'>;

/** `secondwind resume`: a session goes on where it was stopped, exhausted or killed. Returns the exit code. */
export function resume(
  io: Io,
  name: string,
  words: readonly string[],
  flags: ResumeFlags,
  extraArgs: readonly string[],
): Promise<number> {
  const { json = false, quiet = false } = flags;
  const addition = words.length === 0 ? undefined : words.join(' ');
  const home = openHome(io);
  return supervise(home, async (signal) => {
    const resumed = await resumeSession(home, optionsOf(flags, extraArgs), name, { addition, signal });
    if (!resumed.ok) return refuse(io, resumed.error);
    const { run, plan } = resumed.value;
    return runInSight(io, run, plan, { json, quiet });
  });
}
