import type { HealthCause } from './health.ts';
import type { SeatId, WorkerId } from './ids.ts';
import type { ReadingSource } from './quota.ts';
import type { RuleAction } from './rule.ts';
import type { AttemptOutcome, HandoverWay, SessionEnding, SessionWorktree } from './session.ts';
import type { CooldownKind, Scope, SignalKind, Source } from './signal.ts';
import type { DurationMs, EpochMs } from './time.ts';
import type { Unknown } from './unknown.ts';

/** Everything that happens in a session, as reports, `--json` and the ledger see it. */
export type Event =
  | SessionStarted
  | WorkerSkipped
  | AttemptStarted
  | AttemptText
  | AttemptTool
  | AttemptRetrying
  | AttemptNote
  | AttemptUnknown
  | SignalSeen
  | AttemptEnded
  | CooldownRecorded
  | CooldownNotRecorded
  | CooldownCleared
  | HoldStarted
  | HoldEnded
  | WaitStarted
  | WaitEnded
  | Handoff
  | Reading
  | RuleWeighed
  | SessionEnded;

/** The first event of a session; its id is what `resume` takes. */
export interface SessionStarted {
  readonly type: 'session.started';
  readonly task: string;
  readonly directory: string;
  /** It was begun before, and goes on. */
  readonly resumed: boolean;
  /** The worktree of its own that `directory` lies in, where it has one. */
  readonly worktree?: SessionWorktree | undefined;
}

/** A worker was passed over: by the gate, because it already failed in this session, or for a healthier one. */
export interface WorkerSkipped {
  readonly type: 'worker.skipped';
  readonly worker: WorkerId;
  readonly reason: string;
  readonly kind: SignalKind | HealthCause | undefined;
  readonly until: EpochMs | undefined;
}

/** A child process was started. */
export interface AttemptStarted {
  readonly type: 'attempt.started';
  readonly worker: WorkerId;
  readonly adapter: string;
  readonly model: string | undefined;
  readonly pid: number;
  /** It is unhealthy, and asked because so is everybody else who could be. */
  readonly lastResort: boolean;
}

/** The agent said something. */
export interface AttemptText {
  readonly type: 'attempt.text';
  readonly worker: WorkerId;
  readonly text: string;
  /** A piece of a message that goes on; otherwise it is a whole one. */
  readonly delta: boolean;
}

/** The agent used a tool. */
export interface AttemptTool {
  readonly type: 'attempt.tool';
  readonly worker: WorkerId;
  /** The CLI's own id of this use, the same on its start and its end. */
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly status: 'started' | 'done' | 'failed';
}

/** The CLI retries by itself. */
export interface AttemptRetrying {
  readonly type: 'attempt.retrying';
  readonly worker: WorkerId;
  readonly kind: SignalKind;
  readonly status: number | undefined;
  readonly delayMs: DurationMs | undefined;
}

/** Something about the attempt that a person may want to know: a cut line, leftover processes. */
export interface AttemptNote {
  readonly type: 'attempt.note';
  readonly worker: WorkerId;
  readonly text: string;
}

/** What the attempt's CLI printed that its adapter does not know; told once, before the attempt's end. */
export interface AttemptUnknown {
  readonly type: 'attempt.unknown';
  readonly worker: WorkerId;
  readonly unknown: readonly Unknown[];
}

/** A typed fact was read from vendor-authored output. */
export interface SignalSeen {
  readonly type: 'signal';
  readonly worker: WorkerId;
  readonly kind: SignalKind;
  readonly scope: Scope;
  readonly resetAt: EpochMs | undefined;
  readonly source: Source;
  readonly evidence: string;
}

/** The child is gone, and so is everything it started. */
export interface AttemptEnded {
  readonly type: 'attempt.ended';
  readonly worker: WorkerId;
  readonly outcome: AttemptOutcome;
  readonly exitCode: number | undefined;
  /** What it met, or why it failed; `undefined` when it is done. */
  readonly reason: string | undefined;
  /** Why we ended it; `undefined` when it went by itself. */
  readonly killedBecause: string | undefined;
  readonly durationMs: DurationMs;
  readonly seat?: SeatId | undefined;
  /** What it cost by its CLI's own account, where it gives one. */
  readonly costUsd?: number | undefined;
}

/** A rest was written, before anybody else may start. */
export interface CooldownRecorded {
  readonly type: 'cooldown.recorded';
  readonly worker: WorkerId;
  readonly seat: SeatId;
  readonly model: string | undefined;
  readonly kind: CooldownKind;
  readonly until: EpochMs | undefined;
  readonly source: Source;
  readonly reason: string;
}

/** A rest could not be written, or is not to be: the run goes on without it. */
export interface CooldownNotRecorded {
  readonly type: 'cooldown.not-recorded';
  readonly worker: WorkerId;
  readonly kind: CooldownKind;
  readonly reason: string;
}

/** Newer evidence ended a rest. */
export interface CooldownCleared {
  readonly type: 'cooldown.cleared';
  readonly worker: WorkerId;
  readonly by: 'clean-run' | 'reading' | 'probe' | 'operator';
}

/** The same worker is given time: its provider is merely busy. */
export interface HoldStarted {
  readonly type: 'hold.started';
  readonly worker: WorkerId;
  readonly delayMs: DurationMs;
  readonly holdCount: number;
}

export interface HoldEnded {
  readonly type: 'hold.ended';
  readonly worker: WorkerId;
  readonly heldMs: DurationMs;
}

/** Everybody rests, and the run waits for the first to come back; or everybody is at work, and it waits for a place. */
export interface WaitStarted {
  readonly type: 'wait.started';
  readonly worker: WorkerId;
  /** `undefined`: until an attempt that runs now makes room. */
  readonly until: EpochMs | undefined;
}

export interface WaitEnded {
  readonly type: 'wait.ended';
  readonly waitedMs: DurationMs;
}

/** The work goes on with another attempt. */
export interface Handoff {
  readonly type: 'handoff';
  readonly from: WorkerId;
  readonly to: WorkerId;
  readonly how: HandoverWay;
}

/** One observation of a quota window. */
export interface Reading {
  readonly type: 'reading';
  readonly worker: WorkerId;
  readonly seat: SeatId;
  readonly window: string;
  readonly usedPercent: number | undefined;
  readonly resetAt: EpochMs | undefined;
  /** The vendor itself warns that the window is nearly full. */
  readonly warning: boolean;
  readonly source: ReadingSource;
  /** When it was so, where that was before it was told. */
  readonly observedAt?: EpochMs | undefined;
}

/** Why a rule matches, or does not. */
export type RuleOutcome = 'matched' | 'below' | 'stale' | 'reset' | 'unknown' | 'future' | 'no-reading';

/** A rule of the operator's was held against its window before somebody was chosen; told when that changes. */
export interface RuleWeighed {
  readonly type: 'rule';
  /** Its place in the configuration, from 1. */
  readonly rule: number;
  readonly seat: SeatId;
  readonly window: string;
  readonly then: RuleAction;
  readonly gte: number;
  readonly outcome: RuleOutcome;
  readonly usedPercent: number | undefined;
  readonly observedAt: EpochMs | undefined;
  readonly note: string | undefined;
  /** Whom it puts behind others, where others are there to be asked. */
  readonly behind: readonly WorkerId[];
}

/** The last event of a session. */
export interface SessionEnded {
  readonly type: 'session.ended';
  readonly outcome: SessionEnding;
  readonly worker: WorkerId | undefined;
  readonly switchCount: number;
  readonly holdCount: number;
  readonly heldMs: DurationMs;
  readonly text: string;
  /** Why it failed, with the vendor's own line; `undefined` when it did not. */
  readonly reason: string | undefined;
  readonly evidence: string | undefined;
  /** When trying again makes sense, after `exhausted`. */
  readonly retryAt: EpochMs | undefined;
}
