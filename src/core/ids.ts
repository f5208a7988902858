import type { Brand } from './brand.ts';

/** A named way to run a task: `claude`, `claude-work`. */
export type WorkerId = Brand<string, 'WorkerId'>;
/** One login (an account). Workers on one seat share its quota. */
export type SeatId = Brand<string, 'SeatId'>;
/** A task from its first attempt to its last. */
export type SessionId = Brand<string, 'SessionId'>;

/**
 * What a worker, seat or session may be called: it ends up in file names, branch names and comma lists, so
 * letters, digits, `.`, `_` and `-`, not starting with a dot or a dash, at most 64 characters.
 */
export const ID_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$/;

export function workerId(text: string): WorkerId {
  return text as WorkerId;
}

export function seatId(text: string): SeatId {
  return text as SeatId;
}

export function sessionId(text: string): SessionId {
  return text as SessionId;
}
