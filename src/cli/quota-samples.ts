import type { QuotaReading, ReadingSource } from '../core/quota.ts';
import { believable, READING_SOURCES, windowKey } from '../core/quota.ts';
import type { SeatId } from '../core/ids.ts';
import { seatId } from '../core/ids.ts';
import { fromIso } from '../core/time.ts';
import type { EpochMs } from '../core/time.ts';
import type { LedgerEntry } from '../store/ledger.ts';

/** One point of a window's history. */
export interface Sample extends Omit<QuotaReading, 'observedAt'> {
  readonly at: EpochMs;
  /** How many sessions had an attempt on the seat that ended since this window's sample before. */
  readonly sessions: number;
  /** What those attempts cost by their CLIs' own account; `undefined`: none of them said. */
  readonly costUsd: number | undefined;
}

/** What a line of the ledger has to hold to matter here: looked for before it is parsed. */
export const SAMPLE_TYPES = ['"type":"reading"', '"type":"attempt.ended"'] as const;

/** In bounded memory, whatever the ledger holds: beyond these nothing more is told apart. */
const MOST_WINDOWS = 1_000;
const MOST_SESSIONS = 1_000;

/** What was done on a seat since some sample. */
class Work {
  readonly #sessions = new Set<string>();
  #more = 0;
  costUsd: number | undefined;

  add(session: string, costUsd: number | undefined): void {
    if (this.#sessions.size < MOST_SESSIONS) this.#sessions.add(session);
    else if (!this.#sessions.has(session)) this.#more += 1;
    if (costUsd !== undefined) this.costUsd = (this.costUsd ?? 0) + costUsd;
  }

  get sessions(): number {
    return this.#sessions.size + this.#more;
  }
}

/** Puts the history of the windows together, entry by entry, oldest first. */
export class Samples {
  readonly #work = new Map<string, { readonly seat: SeatId; work: Work }>();
  /** Of seats, before a window of theirs was ever seen. */
  readonly #before = new Map<SeatId, Work>();

  /** The sample that an entry is; `undefined` when it is none. */
  push(entry: LedgerEntry): Sample | undefined {
    if (entry.type === 'attempt.ended') this.#worked(entry);
    return entry.type === 'reading' ? this.#sample(entry) : undefined;
  }

  #worked(entry: LedgerEntry): void {
    const seat = textIn(entry, 'seat') ?? textIn(entry, 'worker');
    const session = textIn(entry, 'session');
    if (seat === undefined || session === undefined) return;
    const costUsd = numberIn(entry, 'costUsd');
    let isSeen = false;
    for (const known of this.#work.values()) {
      if (known.seat !== seat) continue;
      isSeen = true;
      known.work.add(session, costUsd);
    }
    if (isSeen || this.#before.size >= MOST_WINDOWS) return;
    const before = this.#before.get(seatId(seat)) ?? new Work();
    before.add(session, costUsd);
    this.#before.set(seatId(seat), before);
  }

  #sample(entry: LedgerEntry): Sample | undefined {
    const read = readingIn(entry);
    if (read === undefined) return undefined;
    const { observedAt: at, ...reading } = read;
    const key = windowKey(reading);
    const known = this.#work.get(key);
    if (known === undefined && this.#work.size >= MOST_WINDOWS) return undefined;
    const { sessions, costUsd } = known?.work ?? this.#before.get(reading.seat) ?? new Work();
    if (known === undefined) this.#work.set(key, { seat: reading.seat, work: new Work() });
    else known.work = new Work();
    return { ...reading, at, sessions, costUsd };
  }
}

function readingIn(entry: LedgerEntry): QuotaReading | undefined {
  const [seat, window] = [textIn(entry, 'seat'), textIn(entry, 'window')];
  const observedAt = fromIso(textIn(entry, 'observedAt') ?? entry.at);
  if (seat === undefined || window === undefined || observedAt === undefined) return undefined;
  const source = READING_SOURCES.find((one) => one === entry['source']) ?? ('event' satisfies ReadingSource);
  return believable({
    ...{ seat: seatId(seat), window, source, observedAt },
    usedPercent: numberIn(entry, 'usedPercent'),
    resetAt: fromIso(textIn(entry, 'resetAt') ?? ''),
  });
}

function textIn(entry: LedgerEntry, key: string): string | undefined {
  const value = entry[key];
  return typeof value === 'string' ? value : undefined;
}

function numberIn(entry: LedgerEntry, key: string): number | undefined {
  const value = entry[key];
  return typeof value === 'number' ? value : undefined;
}
