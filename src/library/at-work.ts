import type { SessionId } from '../core/ids.ts';

// Of the whole process: a session's file says which process works on it, and not which of its runs.
const sessions = new Set<SessionId>();

/** Begins work on a session in this process. Returns how to cease; `undefined`: another run of this process is at it. */
export function beginWork(session: SessionId): (() => void) | undefined {
  if (sessions.has(session)) return undefined;
  sessions.add(session);
  return () => {
    sessions.delete(session);
  };
}
