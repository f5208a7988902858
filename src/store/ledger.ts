import type { DurationMs, EpochMs } from '../core/time.ts';
import { DAY, fromIso, toIso } from '../core/time.ts';
import type { Journal } from '../system/journal.ts';
import { openJournal, readJournal, removeFile } from '../system/journal.ts';
import { namesIn } from '../system/state-folder.ts';
import { causeOf, isSystemError } from '../system/system-error.ts';
import type { StoreProblem } from './problem.ts';
import { onceEach } from './problem.ts';

/** What was done, one JSON object a line, one file a day (UTC), in the order in which it was written. */
export interface Ledger {
  /** Adds a line, a JSON object without line breaks. A failure is reported once, and stops nothing. */
  readonly append: (line: string, at: EpochMs) => void;
  /** Removes the days that ended more than `keep` before `now`. */
  readonly prune: (now: EpochMs, keep: DurationMs) => void;
  readonly close: () => void;
}

/** A line of the ledger, read again: an event as `--json` has it. */
export type LedgerEntry = Readonly<Record<string, unknown>> & {
  readonly type: string;
  /** ISO 8601. */
  readonly at: string;
};

interface LedgerOptions {
  /** The state folder. */
  readonly home: string;
  readonly report: (problem: StoreProblem) => void;
}

const DAY_FILE = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

export function openLedger({ home, report }: LedgerOptions): Ledger {
  const folder = folderOf(home);
  const say = onceEach(report);
  let open: { readonly day: string; readonly journal: Journal } | undefined;

  function attempted(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      const message = `Expected to write ${folder}, but ${causeOf(error)}; the run goes on without its ledger.`;
      say({ type: 'unwritable', path: folder, message });
    }
  }

  function close(): void {
    open?.journal.close();
    open = undefined;
  }

  return {
    append(line, at) {
      attempted(() => {
        const day = dayOf(at);
        if (open?.day !== day) {
          close();
          open = { day, journal: openJournal(folder, `${day}.jsonl`) };
        }
        open.journal.append(line);
      });
    },
    prune(now, keep) {
      const oldest = dayOf((now - keep - DAY) as EpochMs);
      attempted(() => {
        for (const { name, day } of daysIn(home)) if (day < oldest) removeFile(`${folder}/${name}`);
      });
    },
    close,
  };
}

export interface LedgerQuery {
  readonly since?: EpochMs | undefined;
  /** Only lines that hold this text, or one of these, as it stands in JSON: looked for before a line is parsed. */
  readonly holding?: string | readonly string[] | undefined;
}

/** The entries of a home, oldest first, in bounded memory. Lines that are none (torn, damaged) are passed over. */
export async function* readLedger(home: string, query: LedgerQuery = {}): AsyncGenerator<LedgerEntry> {
  const { since, holding } = query;
  const texts = typeof holding === 'string' ? [holding] : holding;
  const first = since === undefined ? '' : dayOf(since);
  for (const { name, day } of daysIn(home)) {
    if (day < first) continue;
    for await (const line of readJournal(`${folderOf(home)}/${name}`)) {
      if (texts?.some((text) => line.includes(text)) === false) continue;
      const entry = entryOf(line);
      if (entry !== undefined && (since === undefined || (fromIso(entry.at) ?? 0) >= since)) yield entry;
    }
  }
}

function entryOf(line: string): LedgerEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { type, at } = value as Readonly<Record<string, unknown>>;
  return typeof type === 'string' && typeof at === 'string' ? (value as LedgerEntry) : undefined;
}

function daysIn(home: string): readonly { readonly name: string; readonly day: string }[] {
  return namesIn(folderOf(home))
    .flatMap((name) => {
      const day = DAY_FILE.exec(name)?.[1];
      return day === undefined ? [] : [{ name, day }];
    })
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

function folderOf(home: string): string {
  return `${home}/ledger`;
}

function dayOf(at: EpochMs): string {
  return toIso(at).slice(0, 10);
}
