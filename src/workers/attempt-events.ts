import type { Event } from '../core/event.ts';
import type { Line } from '../core/line.ts';
import type { AttemptOutcome } from '../core/session.ts';
import type { Signal } from '../core/signal.ts';
import { unreachable } from '../core/unreachable.ts';
import type { Worker } from '../core/worker.ts';
import type { Observation } from './adapter.ts';
import type { Ending } from './ending.ts';
import { readingEvent } from './quota-readings.ts';
import type { Transcript } from './transcript.ts';

/** What an attempt tells of what its reader observed, in the words of events. */
export function eventOf(observation: Observation, worker: Worker, transcript: Transcript): Event | undefined {
  switch (observation.type) {
    case 'text':
      return { type: 'attempt.text', worker: worker.id, text: observation.text, delta: observation.delta };
    case 'tool': {
      const { id, status } = observation;
      const { name, detail } = transcript.tool(id) ?? observation;
      return { type: 'attempt.tool', worker: worker.id, id, name, detail, status };
    }
    case 'retrying': {
      const { status, delayMs, signal } = observation;
      return { type: 'attempt.retrying', worker: worker.id, kind: signal.kind, status, delayMs };
    }
    case 'reading':
      return readingEvent(worker, observation, 'event');
    case 'note':
      return { type: 'attempt.note', worker: worker.id, text: observation.text };
    case 'conversation':
    case 'progress':
    case 'finished':
    case 'cost':
    case 'refused':
      return undefined;
    default:
      return unreachable(observation);
  }
}

export function signalSeen(worker: Worker, signal: Signal): Event {
  const { kind, scope, resetAt, source, evidence } = signal;
  return { type: 'signal', worker: worker.id, kind, scope, resetAt, source, evidence };
}

export function outcomeOf(ending: Ending): AttemptOutcome {
  if (ending.type !== 'refused') return ending.type;
  if (ending.signal.kind === 'overloaded') return 'overloaded';
  return ending.signal.kind === 'server-error' ? 'failed' : 'exhausted';
}

export function cutNote(line: Line): string {
  return `a line on ${line.channel} was longer than we keep; only its first ${String(line.text.length)} characters were read`;
}

export function reasonOf(ending: Ending, killedBecause: string | undefined): string | undefined {
  switch (ending.type) {
    case 'done':
      return undefined;
    case 'refused':
      return ending.signal.reason;
    case 'failed':
      return ending.reason;
    case 'stopped':
      return killedBecause ?? ending.because;
    default:
      return unreachable(ending);
  }
}
