import type { OnQuota } from '../core/policy.ts';
import type { Permissions } from '../core/worker.ts';

/**
 * What a fleet is to do and how, as the command line's options of the same names say it. What is left out is taken from
 * the project's file, else the user's, else the default. Lengths of time are in milliseconds.
 */
export interface FleetOptions {
  /** Where the agents work, and from where a project's configuration is looked for. The default is the working directory. */
  readonly directory?: string | undefined;
  /** Which workers are asked, in this order, by their names. */
  readonly workers?: readonly string[] | undefined;
  /** For every worker, in the words of its CLI. */
  readonly model?: string | undefined;
  /** What an agent may do. The default is `edit`. */
  readonly permissions?: Permissions | undefined;
  /** Given to every CLI as they are. */
  readonly extraArgs?: readonly string[] | undefined;
  /** What to do when every worker rests. The default is `stop`. */
  readonly onQuota?: OnQuota | undefined;
  /** The longest that `onQuota: 'wait'` waits in one run. */
  readonly maxWaitMs?: number | undefined;
  /** How long, in total, a busy provider is given on the same worker. */
  readonly holdMs?: number | undefined;
  /** How long a CLI may sit in its own retries over a limit; 0 takes the first refusal for the answer. */
  readonly patienceMs?: number | undefined;
  /** After how long a run is stopped. */
  readonly timeoutMs?: number | undefined;
  /** After how long without a word from its worker a run is stopped. */
  readonly idleTimeoutMs?: number | undefined;
  /** Records rests, and does not obey them. */
  readonly ignoreCooldowns?: boolean | undefined;
  /** A look at a worker's quota, free of tokens, before it is given the task. */
  readonly preflight?: boolean | undefined;
  /** False: who takes over begins at the beginning, knowing nothing of what was done. */
  readonly handoff?: boolean | undefined;
}

/** How one task is run. */
export interface RunOptions {
  /** Stops the run: its children are gone before its outcome is known. One signal may stop any number of runs. */
  readonly signal?: AbortSignal | undefined;
  /** In a git worktree and on a branch of its own; `session.started` says where. */
  readonly worktree?: boolean | undefined;
}

/** How a session goes on. */
export interface ResumeOptions {
  /** What is to be done besides what the task says; a session that is done needs one. */
  readonly addition?: string | undefined;
  /** Stops the run: its children are gone before its outcome is known. */
  readonly signal?: AbortSignal | undefined;
}
