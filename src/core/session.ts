import type { SeatId, SessionId, WorkerId } from './ids.ts';
import type { Scope, SignalKind, Source } from './signal.ts';
import type { DurationMs, EpochMs } from './time.ts';
import type { Permissions } from './worker.ts';

/** One use of a tool by an agent, as whoever carries on is told of it. */
export interface ToolUse {
  readonly name: string;
  /** What it was used on, in one line. */
  readonly detail: string;
  readonly status: 'started' | 'done' | 'failed';
}

/** What is known of an attempt from its stream, at any moment of it. */
export interface AttemptProgress {
  /** Work was begun: the same prompt must not be sent again. */
  readonly committed: boolean;
  /** The CLI's own id of its conversation, once it named one. */
  readonly conversation: string | undefined;
  readonly tools: readonly ToolUse[];
  /** How many earlier tool uses are not in `tools`. */
  readonly droppedTools: number;
  /** What the agent said after its last tool use. */
  readonly lastWords: string;
}

/** What is known of an attempt that has not begun. */
export const NOTHING_BEGUN: AttemptProgress = {
  committed: false,
  conversation: undefined,
  tools: [],
  droppedTools: 0,
  lastWords: '',
};

/**
 * How an attempt is told of the work. `prompt`: nothing was begun yet, so the task itself is sent; `resume`: its CLI goes
 * on with its own conversation; `transcript`: the same, with the conversation moved from another seat; `brief`: what was
 * done is told; `afresh`: the task is sent again although work was begun, because somebody asked for that.
 */
export type HandoverWay = 'prompt' | 'resume' | 'transcript' | 'brief' | 'afresh';

export type AttemptOutcome = 'done' | 'exhausted' | 'overloaded' | 'failed' | 'stopped';

/** One attempt as its session remembers it. */
export interface AttemptRecord extends AttemptProgress {
  readonly worker: WorkerId;
  readonly adapter: string;
  readonly seat: SeatId;
  readonly model: string | undefined;
  readonly how: HandoverWay;
  /** The home in which its CLI keeps its conversations, an absolute path; `undefined` in what older versions saved. */
  readonly cliHome?: string | undefined;
  /** False: no other seat is to go on with its conversation. */
  readonly shareTranscripts?: boolean | undefined;
  /** It was unhealthy, and asked because so was everybody else who could be. */
  readonly lastResort: boolean;
  readonly startedAt: EpochMs;
  /** `undefined` while it runs, and for ever when secondwind was killed meanwhile. */
  readonly endedAt: EpochMs | undefined;
  readonly outcome: AttemptOutcome | undefined;
  readonly reason: string | undefined;
  readonly signal: SignalSummary | undefined;
}

/** A signal without its evidence, which the ledger keeps. */
export interface SignalSummary {
  readonly kind: SignalKind;
  readonly scope: Scope;
  readonly resetAt: EpochMs | undefined;
  readonly source: Source;
}

export const SESSION_ENDINGS = [
  'done',
  'failed',
  'exhausted',
  'unavailable',
  'timeout',
  'interrupted',
] as const;
export type SessionEnding = (typeof SESSION_ENDINGS)[number];

export const SESSION_STATES = ['running', 'holding', 'waiting', ...SESSION_ENDINGS] as const;
/** What a session is doing, or how it ended. One that is not over and whose secondwind is gone was killed. */
export type SessionState = (typeof SESSION_STATES)[number];

export function isOver(state: SessionState): state is SessionEnding {
  return (SESSION_ENDINGS as readonly string[]).includes(state);
}

/** A git worktree and a branch that are a session's own. */
export interface SessionWorktree {
  /** The work tree of the user that it was made beside, an absolute path. */
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  /** The commit from which it started. */
  readonly base: string;
}

/** What a person asked for on top of a task that was begun. */
export interface Addition {
  readonly text: string;
  readonly at: EpochMs;
}

/** What was asked for, as far as a resume has to know it: policies are those of the day. */
export interface SessionRequest {
  readonly task: string;
  /** Where the agents work, an absolute path. */
  readonly directory: string;
  readonly permissions: Permissions;
  readonly model: string | undefined;
  /** The workers asked for by name, where they were. */
  readonly workers: readonly string[] | undefined;
  readonly extraArgs: readonly string[];
  /** What was asked for on top of the task whenever it was resumed, the newest last. */
  readonly additions?: readonly Addition[] | undefined;
  /** The list of tasks that it is one of, and which: how a second run of the list finds what is done. */
  readonly batch?:
    | {
        readonly file: string;
        /** Where it was run: one list may be for many directories. An absolute path. */
        readonly directory?: string | undefined;
        readonly key: string;
      }
    | undefined;
  /** `directory` lies in it. */
  readonly worktree?: SessionWorktree | undefined;
}

/** A task from its first attempt to its last, as it is saved. */
export interface SessionRecord {
  readonly id: SessionId;
  readonly request: SessionRequest;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly state: SessionState;
  /** Until when it holds or waits, or when trying again makes sense. */
  readonly until: EpochMs | undefined;
  /** How often the work went from one worker to another. */
  readonly switchCount: number;
  readonly holdCount: number;
  readonly heldMs: DurationMs;
  readonly waitedMs: DurationMs;
  /** The newest last; only the newest few remember their tools. */
  readonly attempts: readonly AttemptRecord[];
  /** The final answer of a session that is done. */
  readonly text: string;
}

/** A session that has not begun. */
export function newSession(id: SessionId, request: SessionRequest, now: EpochMs): SessionRecord {
  return {
    ...{ id, request, createdAt: now, updatedAt: now, state: 'running', until: undefined, switchCount: 0 },
    ...{ holdCount: 0, heldMs: 0 as DurationMs, waitedMs: 0 as DurationMs, attempts: [], text: '' },
  };
}

/**
 * A session whose secondwind was killed, as it goes on: nobody can say how far its last attempt came, so its work counts
 * as begun (DESIGN 7: after the commit point nothing is replayed).
 */
export function afterKill(record: SessionRecord): SessionRecord {
  const attempts = record.attempts.map((attempt): AttemptRecord => {
    if (attempt.endedAt !== undefined) return attempt;
    const reason = 'secondwind was killed while it ran';
    return { ...attempt, committed: true, endedAt: record.updatedAt, outcome: 'stopped', reason };
  });
  return { ...record, attempts };
}
