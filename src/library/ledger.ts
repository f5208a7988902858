import type { Event } from '../core/event.ts';
import type { SessionId } from '../core/ids.ts';
import { evidence } from '../signals/evidence.ts';
import type { Ledger } from '../store/ledger.ts';
import { openLedger } from '../store/ledger.ts';
import { eventLine } from './event-json.ts';
import type { Io } from './io.ts';
import { problemTeller } from './io.ts';

export function ledgerOf(io: Pick<Io, 'stateHome' | 'terminal'>): Ledger {
  return openLedger({
    home: io.stateHome,
    report: problemTeller(io),
  });
}

/** Writes a session's events down: what an agent said is the session's own, and secrets are nobody's. */
export function recorder(
  ledger: Ledger,
  { clock }: Pick<Io, 'clock'>,
  session: SessionId,
): (event: Event) => void {
  return (event) => {
    const kept = forTheLedger(event);
    if (kept === undefined) return;
    const at = clock.now();
    ledger.append(eventLine(kept, at, session).trimEnd(), at);
  };
}

function forTheLedger(event: Event): Event | undefined {
  switch (event.type) {
    case 'attempt.text':
      return undefined;
    case 'session.started':
      return { ...event, task: evidence(event.task) };
    case 'session.ended':
      return {
        ...event,
        text: '',
        reason: event.reason && evidence(event.reason),
        evidence: event.evidence && evidence(event.evidence),
      };
    case 'attempt.tool':
      return { ...event, detail: evidence(event.detail) };
    case 'attempt.note':
      return { ...event, text: evidence(event.text) };
    case 'attempt.ended':
      return {
        ...event,
        reason: event.reason && evidence(event.reason),
        killedBecause: event.killedBecause && evidence(event.killedBecause),
      };
    default:
      return event;
  }
}
