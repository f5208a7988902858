import type { Cooldown } from '../core/cooldown.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { SessionRecord } from '../core/session.ts';
import { newSession } from '../core/session.ts';
import type { KnownWorker } from '../core/worker.ts';
import type { Standing } from '../fleet/standing.ts';
import { standings } from '../fleet/standing.ts';
import { beginWork } from './at-work.ts';
import { whyNotRun } from './check-calls.ts';
import { cooldownsOf } from './cooldowns.ts';
import type { Home } from './home.ts';
import type { Refusal } from './host.ts';
import { newSessionId, requestOf } from './memory.ts';
import type { FleetOptions, ResumeOptions, RunOptions } from './options.ts';
import type { Plan } from './plan.ts';
import { planOf } from './plan.ts';
import { resumeSession } from './resume.ts';
import type { Run } from './run.ts';
import { startRun } from './run.ts';
import type { SessionRun } from './play-session.ts';
import { situationOf } from './situation.ts';
import { toldStanding, toldWorker } from './told.ts';
import { worktreeOf, worktreeSource } from './worktree.ts';

/** Workers that stand in for one another, over the state that all secondwinds of one home share. */
export interface Fleet {
  /** In the order in which they are asked. */
  readonly workers: readonly KnownWorker[];
  /** Where the agents work, an absolute path. */
  readonly directory: string;
  /** Starts a task: one worker after the other works on it, until it is done or nobody is left. Any number may run at once. */
  run(task: string, options?: RunOptions): Run;
  /**
   * Goes on with a session that was stopped, exhausted or killed, where it worked and as it was asked for, but for the
   * options of this fleet. `session` is its id, or the beginning of it.
   */
  resume(session: string, options?: ResumeOptions): Promise<Result<Run, Refusal>>;
  /** Where every worker stands at this moment: its place in the order, or why it would be passed over and until when. */
  standings(): Promise<readonly Standing[]>;
  /** The rests that are on record, of all workers of this home; those whose `until` is over no longer close anything. */
  cooldowns(): Promise<readonly Cooldown[]>;
  /** After the last run: resolves when the hooks that are at work are over, five seconds later at most. */
  close(): Promise<void>;
}

/** A fleet with what only the command line needs of it. */
export interface OpenFleet extends Fleet {
  readonly plan: Plan;
  /** Starts a session that was made elsewhere, or goes on with one. */
  readonly start: (session: SessionRecord, options: StartOptions) => Run;
}

interface StartOptions extends Pick<RunOptions, 'signal'> {
  /** One of many tasks at once: they spread over the seats. */
  readonly spread: boolean;
}

/** The fleet that `options` and the configuration describe, in a home. Refuses what is to be mended first. */
export async function openFleet(home: Home, options: FleetOptions): Promise<Result<OpenFleet, Refusal>> {
  const planned = await planOf(home.host, options);
  return planned.ok ? ok(fleetOf(home, planned.value, options)) : planned;
}

export function fleetOf(home: Home, plan: Plan, options: FleetOptions): OpenFleet {
  return {
    ...publicFleet(home, plan, options),
    plan,
    start: (session, { signal, spread }) =>
      startRun(home, {
        ...{ session: session.id, signal, timeoutMs: plan.timeoutMs, leave: beginWork(session.id) },
        prepare: () => Promise.resolve(ok(sessionRun(plan, session, spread))),
      }),
  };
}

/** The fleet as a stranger has it, with nothing besides what `Fleet` says. */
export function publicFleet(home: Home, plan: Plan, fleetOptions: FleetOptions): Fleet {
  const { host } = home;
  const { directory, timeoutMs } = plan;
  return {
    ...{ workers: plan.fleet.map(toldWorker), directory },
    run(task, options = {}) {
      const now = host.clock.now();
      const session = newSessionId(now);
      const leave = beginWork(session);
      const wrong = whyNotRun(task, options);
      if (wrong !== undefined) {
        const prepare = () => Promise.resolve(err(wrong));
        return startRun(home, { ...{ session, leave, prepare }, signal: undefined, timeoutMs: undefined });
      }
      const { signal, worktree = false } = options;
      const prepare = async () => {
        const source = worktree ? await worktreeSource(host, directory) : undefined;
        if (source?.ok === false) return source;
        const place = source && worktreeOf(host, source.value, session);
        return ok(sessionRun(plan, newSession(session, { ...requestOf(task, plan), ...place }, now), false));
      };
      return startRun(home, { session, signal, timeoutMs, leave, prepare });
    },
    async resume(session, resumption = {}) {
      const resumed = await resumeSession(home, fleetOptions, session, resumption);
      return resumed.ok ? ok(resumed.value.run) : resumed;
    },
    standings: async () => standings(await situationOf(host, plan)).map(toldStanding),
    cooldowns: () => cooldownsOf(host).read(),
    close: home.close,
  };
}

function sessionRun(plan: Plan, session: SessionRecord, spread: boolean): SessionRun {
  return { session, spread, plan: { ...plan, directory: session.request.directory } };
}
