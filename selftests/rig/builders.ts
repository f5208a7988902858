import { durationMs } from '../../src/core/time.ts';
import { seatId, sessionId, workerId } from '../../src/core/ids.ts';
import type { Line } from '../../src/core/line.ts';
import type { Policy } from '../../src/core/policy.ts';
import { DEFAULT_HOLD, DEFAULT_PATIENCE, DEFAULT_RESTS } from '../../src/core/policy.ts';
import type { AttemptProgress, SessionRecord } from '../../src/core/session.ts';
import { newSession, NOTHING_BEGUN } from '../../src/core/session.ts';
import type { Signal } from '../../src/core/signal.ts';
import type { Worker } from '../../src/core/worker.ts';
import type { Situation, Spent } from '../../src/fleet/order.ts';
import type { Assignment, Retrying } from '../../src/workers/adapter.ts';
import type { EndedAttempt } from '../../src/workers/attempt.ts';
import { NOW } from './a-cooldown.ts';

/** A worker on a seat of its own, unless told otherwise. */
export function aWorker(
  overrides: Partial<Omit<Worker, 'id' | 'seat'>> & { readonly id?: string; readonly seat?: string } = {},
): Worker {
  const { id = 'claude-work', seat = id, ...rest } = overrides;
  return {
    ...{ adapter: 'claude', workspace: undefined, model: undefined, command: undefined, args: [], env: {} },
    ...{ billing: undefined, ...rest, id: workerId(id), seat: seatId(seat) },
  };
}

export function aSignal(overrides: Partial<Signal> = {}): Signal {
  return {
    kind: 'rate-limit',
    scope: 'seat',
    resetAt: undefined,
    untilCleared: false,
    source: 'event',
    reason: 'five-hour limit',
    evidence: "You've hit your session limit",
    ...overrides,
  };
}

export function aRetry(overrides: Partial<Omit<Retrying, 'type'>> = {}): Retrying {
  return { type: 'retrying', status: 429, delayMs: undefined, signal: aSignal(), ...overrides };
}

export function aLine(overrides: Partial<Line> = {}): Line {
  const at = overrides.at ?? NOW;
  return { channel: 'stdout', text: '', at, monotonic: durationMs(at - NOW), ...overrides };
}

export function aPolicy(overrides: Partial<Policy> = {}): Policy {
  return {
    onQuota: 'stop',
    maxWaitMs: undefined,
    patienceMs: DEFAULT_PATIENCE,
    holdMs: DEFAULT_HOLD,
    rests: DEFAULT_RESTS,
    cooldowns: true,
    ignoreCooldowns: false,
    handoff: true,
    ...overrides,
  };
}

export function anAssignment(overrides: Partial<Assignment> = {}): Assignment {
  return {
    prompt: 'fix the tests',
    permissions: 'edit',
    model: undefined,
    extraArgs: [],
    resume: undefined,
    ...overrides,
  };
}

/** An attempt that ended; what was known of it may be said in part. */
export function anEndedAttempt(
  overrides: Partial<Omit<EndedAttempt, 'progress'>> & { readonly progress?: Partial<AttemptProgress> } = {},
): EndedAttempt {
  const { progress, ...rest } = overrides;
  return {
    ending: { type: 'done', text: 'All done.' },
    progress: { ...NOTHING_BEGUN, ...progress },
    busyMs: durationMs(0),
    startedAt: NOW,
    endedAt: NOW,
    ...rest,
  };
}

/** A session that has not begun. */
export function aSession(overrides: Partial<SessionRecord> = {}): SessionRecord {
  const request = {
    ...{ task: 'the task', directory: '/project', permissions: 'edit' as const },
    ...{ model: undefined, workers: undefined, extraArgs: [] },
  };
  return { ...newSession(sessionId('20260929-120000-test'), request, NOW), ...overrides };
}

export function aSpent(overrides: Partial<Spent> = {}): Spent {
  return { signal: aSignal({ kind: 'overloaded', reason: 'overloaded' }), until: undefined, ...overrides };
}

export function aSituation(overrides: Partial<Situation> = {}): Situation {
  return {
    ...{ fleet: [aWorker()], cooldowns: [], health: [], now: NOW, model: undefined, onQuota: 'stop' },
    ...{ ignoreCooldowns: false, missing: new Map(), spent: new Map(), loads: new Map(), spread: false },
    ...overrides,
  };
}
