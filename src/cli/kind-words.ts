import type { SignalKind } from '../core/signal.ts';

/** What each kind is called where a person reads it. */
export const KIND_WORDS: Readonly<Record<SignalKind, string>> = {
  'rate-limit': 'out of quota',
  'out-of-credits': 'out of credits',
  'auth-failure': 'login refused',
  'cli-unavailable': 'cannot run',
  'connection-failure': 'no connection',
  overloaded: 'overloaded',
  'server-error': 'server error',
};
