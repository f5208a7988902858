import type { HandoverWay } from '../core/session.ts';
import type { HealthCause } from '../core/health.ts';
import type { SignalKind } from '../core/signal.ts';

/** What each kind is called where a person reads it. */
export const KIND_WORDS: Readonly<Record<SignalKind | HealthCause, string>> = {
  'rate-limit': 'out of quota',
  'out-of-credits': 'out of credits',
  'auth-failure': 'login refused',
  'cli-unavailable': 'cannot run',
  'connection-failure': 'no connection',
  overloaded: 'overloaded',
  'server-error': 'server error',
  timeout: 'no answer',
};

/** A rest that somebody added: it met nothing. Its reason too, where nobody gave one. */
export const BY_HAND = 'rested by hand';

/** What a person reads where the reason follows. */
export function kindWords(kind: SignalKind | HealthCause, byHand: boolean): string {
  return byHand ? BY_HAND : KIND_WORDS[kind];
}

/** `out of quota (five-hour limit)`; `rested by hand (the team needs it)`, or `rested by hand`. */
export function restWords(kind: SignalKind | HealthCause, reason: string, byHand: boolean): string {
  const what = kindWords(kind, byHand);
  return reason === what ? what : `${what} (${reason})`;
}

/** How work was handed over, where a person reads it. */
export const HANDOVER_WORDS: Readonly<Record<HandoverWay, string>> = {
  prompt: 'same task, nothing was begun',
  resume: 'same conversation',
  transcript: 'same conversation, moved to this seat',
  brief: 'told what was done so far',
  afresh: 'from the beginning, as asked',
};
