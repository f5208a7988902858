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

/** What a person reads where the reason follows; a rest that was added by hand met nothing. */
export function kindWords(kind: SignalKind | HealthCause, byHand: boolean): string {
  return byHand ? 'rested by hand' : KIND_WORDS[kind];
}

/** What `cooldown add` says where nobody gave a reason. */
export const ADDED_BY_HAND = 'added by hand';

/** How work was handed over, where a person reads it. */
export const HANDOVER_WORDS: Readonly<Record<HandoverWay, string>> = {
  prompt: 'same task, nothing was begun',
  resume: 'same conversation',
  transcript: 'same conversation, moved to this seat',
  brief: 'told what was done so far',
  afresh: 'from the beginning, as asked',
};
