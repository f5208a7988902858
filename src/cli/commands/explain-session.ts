import { jsonText } from '../../core/harmless.ts';
import { readLedger } from '../../store/ledger.ts';
import type { LedgerEntry } from '../../store/ledger.ts';
import { EXIT } from '../exit-codes.ts';
import { findSession } from '../../library/find-session.ts';
import { formatMoment } from '../format.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { tellEntry } from '../session-story.ts';
import { sessionsOf } from '../../library/memory.ts';
import { textTable } from '../table.ts';

/** `explain --session ID`: who was chosen, who was passed over and why, from the ledger. */
export async function explainSession(
  io: Io,
  name: string,
  { json }: { readonly json?: boolean },
): Promise<number> {
  const found = await findSession(sessionsOf(io), name);
  if (!found.ok) return refuse(io, found.error);
  const { id, createdAt } = found.value.record;
  const now = io.clock.now();
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(io.stateHome, { since: createdAt, holding: `"session":"${id}"` }))
    if (entry['session'] === id) entries.push(entry);
  if (json === true) {
    io.terminal.out(`${jsonText(entries, 2)}\n`);
    return EXIT.done;
  }
  const told = entries.flatMap((entry) => tellEntry(entry, now, io.zone) ?? []);
  if (told.length === 0) {
    io.terminal.out(`The ledger holds nothing of session ${id} any more.\n`);
    return EXIT.done;
  }
  const rows = told.map(({ at, worker, text }) => [formatMoment(at, now, io.zone), worker, text]);
  io.terminal.out(textTable(['WHEN', 'WHO', 'WHAT'], rows, { columns: io.terminal.outColumns }));
  return EXIT.done;
}
