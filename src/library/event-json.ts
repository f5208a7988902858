import type { Event } from '../core/event.ts';
import type { SessionId } from '../core/ids.ts';
import type { EpochMs } from '../core/time.ts';
import { toIso } from '../core/time.ts';
import { jsonText } from '../core/harmless.ts';
import type { Io } from './io.ts';

/** The fields that hold instants: ISO 8601 strings in UTC on every wire. */
const INSTANTS: ReadonlySet<string> = new Set(['until', 'resetAt', 'retryAt', 'observedAt']);

/** One event as one line of `--json`. What is not known is left out; so is the session of what belongs to none. */
export function eventLine(event: Event, at: EpochMs, session: SessionId | undefined): string {
  const fields = Object.entries(event).map(([key, value]: [string, unknown]) =>
    typeof value !== 'number'
      ? [key, value]
      : [key, INSTANTS.has(key) ? toIso(value as EpochMs) : key.endsWith('Ms') ? Math.round(value) : value],
  );
  const { type, ...rest } = Object.fromEntries(fields) as Record<string, unknown>;
  return `${jsonText({ type, at: toIso(at), session, ...rest })}\n`;
}

/** Tells events of a session on stdout, as `--json` promises. */
export function eventTeller(
  { terminal, clock }: Pick<Io, 'terminal' | 'clock'>,
  session: SessionId,
): (event: Event) => void {
  return (event) => {
    terminal.out(eventLine(event, clock.now(), session));
  };
}
