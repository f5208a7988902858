import { seatId, sessionId, workerId } from '../core/ids.ts';
import type { AttemptRecord, SessionRecord } from '../core/session.ts';
import type { Scope } from '../core/signal.ts';
import type { EpochMs } from '../core/time.ts';
import { durationMs, epochMs, fromIso, toIso } from '../core/time.ts';
import type { SavedSession } from './session-schema.ts';

// Between the file's words (texts, and nothing for what is not known) and ours. Keys that are not ours travel along.

type SavedAttempt = SavedSession['attempts'][number];

export function fromSavedSession(saved: SavedSession): SessionRecord {
  const { model, workers, additions } = saved.request;
  return {
    ...saved,
    id: sessionId(saved.id),
    request: {
      ...{ ...saved.request, model, workers },
      additions: additions?.map((one) => ({ ...one, at: instantFrom(one.at) })),
    },
    createdAt: instantFrom(saved.createdAt),
    updatedAt: instantFrom(saved.updatedAt),
    until: maybeFrom(saved.until),
    heldMs: durationMs(saved.heldMs),
    waitedMs: durationMs(saved.waitedMs),
    attempts: saved.attempts.map(fromSavedAttempt),
  };
}

function fromSavedAttempt(saved: SavedAttempt): AttemptRecord {
  const { model, conversation, outcome, reason, signal } = saved;
  return {
    ...saved,
    ...{ model, conversation, outcome, reason, lastResort: saved.lastResort ?? false },
    worker: workerId(saved.worker),
    seat: seatId(saved.seat),
    startedAt: instantFrom(saved.startedAt),
    endedAt: maybeFrom(saved.endedAt),
    signal: signal && { ...signal, scope: signal.scope as Scope, resetAt: maybeFrom(signal.resetAt) },
  };
}

export function toSavedSession(record: SessionRecord, owner: string | undefined): SavedSession {
  return {
    ...record,
    owner,
    request: {
      ...record.request,
      workers: record.request.workers && [...record.request.workers],
      extraArgs: [...record.request.extraArgs],
      additions: record.request.additions?.map((one) => ({ ...one, at: toIso(one.at) })),
      batch: record.request.batch && { ...record.request.batch },
      worktree: record.request.worktree && { ...record.request.worktree },
    },
    createdAt: toIso(record.createdAt),
    updatedAt: toIso(record.updatedAt),
    until: maybeTo(record.until),
    attempts: record.attempts.map((attempt) => ({
      ...attempt,
      tools: attempt.tools.map((tool) => ({ ...tool })),
      startedAt: toIso(attempt.startedAt),
      endedAt: maybeTo(attempt.endedAt),
      signal: attempt.signal && { ...attempt.signal, resetAt: maybeTo(attempt.signal.resetAt) },
    })),
  };
}

/** The schema has read it before. */
function instantFrom(text: string): EpochMs {
  return fromIso(text) ?? epochMs(0);
}

function maybeFrom(text: string | undefined): EpochMs | undefined {
  return text === undefined ? undefined : instantFrom(text);
}

function maybeTo(instant: EpochMs | undefined): string | undefined {
  return instant === undefined ? undefined : toIso(instant);
}
