import type { Event } from '../core/event.ts';
import { evidence } from '../signals/evidence.ts';
import type { Ledger } from '../store/ledger.ts';
import { openLedger } from '../store/ledger.ts';
import type { ToldEvent } from './event.ts';
import { eventLine } from './event-json.ts';
import type { Host } from './host.ts';
import { stateTeller } from './host.ts';

export function ledgerOf(host: Pick<Host, 'stateHome' | 'report'>): Ledger {
  return openLedger({
    home: host.stateHome,
    report: stateTeller(host),
  });
}

/** Writes events down: what an agent said is the session's own, and secrets are nobody's. */
export function recorder(ledger: Ledger): (event: ToldEvent) => void {
  return (event) => {
    const { at, session } = event;
    const kept = forTheLedger(event);
    if (kept !== undefined) ledger.append(eventLine({ ...kept, at, session }).trimEnd(), at);
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
