import type { Event } from '../core/event.ts';
import { jsonText } from '../core/harmless.ts';
import type { SessionId } from '../core/ids.ts';
import type { EpochMs } from '../core/time.ts';
import { toIso } from '../core/time.ts';

/** The fields that hold instants: ISO 8601 strings in UTC on every wire. */
const INSTANTS: ReadonlySet<string> = new Set(['at', 'until', 'resetAt', 'retryAt', 'observedAt']);

/** One event as one line of `--json` and of the ledger. What is not known is left out; so is the session of what belongs to none. */
export function eventLine(
  event: Event & { readonly at: EpochMs; readonly session?: SessionId | undefined },
): string {
  const fields = Object.entries(event).map(([key, value]: [string, unknown]) =>
    typeof value !== 'number'
      ? [key, value]
      : [key, INSTANTS.has(key) ? toIso(value as EpochMs) : key.endsWith('Ms') ? Math.round(value) : value],
  );
  const { type, at, session, ...rest } = Object.fromEntries(fields) as Record<string, unknown>;
  return `${jsonText({ type, at, session, ...rest })}\n`;
}
