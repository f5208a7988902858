import type { Worker } from '../../src/core/worker.ts';
import { fromIso } from '../../src/core/time.ts';
import type { LedgerEntry } from '../../src/store/ledger.ts';

/** What may take time, with what ends it. */
const SPANS: Readonly<Record<string, string>> = {
  'attempt.started': 'attempt.ended',
  'hold.started': 'hold.ended',
  'wait.started': 'wait.ended',
};

/** How long deciding may take, in ms. */
const MOMENT = 1_000;

/** What of a session's steps its ledger does not explain, in sentences; all entries of all sessions, as they were written. */
export function unexplained(entries: readonly LedgerEntry[], fleet: readonly Worker[]): readonly string[] {
  const sessions = new Map<string, Reading>();
  const rests = new Map<string, number>();
  return entries.flatMap((entry) => {
    const session = String(entry['session']);
    const reading = sessions.get(session) ?? new Reading();
    sessions.set(session, reading);
    const problems = reading.read(entry, fleet, rests);
    if (entry.type === 'cooldown.recorded')
      rests.set(nameOf(entry['seat'], entry['model']), instant(entry['until']));
    return problems.map((problem) => `${session} at ${entry.at}: ${problem}`);
  });
}

/** One session's entries, read one after the other. */
class Reading {
  #before: LedgerEntry | undefined;
  /** What goes on, by the entry that ends it. */
  #until: string | undefined;
  /** Why the next attempt may start. */
  #reason: string | undefined;
  #worker: string | undefined;
  #told = new Map<unknown, number>();

  read(entry: LedgerEntry, fleet: readonly Worker[], rests: ReadonlyMap<string, number>): readonly string[] {
    const { type } = entry;
    const problems: string[] = [];
    if (type === 'session.started') {
      const wasBegun = this.#before !== undefined;
      if (wasBegun !== entry['resumed']) problems.push(`resumed is ${String(entry['resumed'])}`);
      // What went on was killed with its secondwind.
      [this.#until, this.#reason, this.#before] = [undefined, 'the session', entry];
      this.#told = new Map();
      return problems;
    }
    if (this.#before === undefined) return [`${type} comes before the session's start`];
    const gap = instant(entry.at) - instant(this.#before.at);
    if (gap > MOMENT && this.#until === undefined)
      problems.push(`${String(gap)} ms went by before ${type}, and nothing says why`);
    this.#before = entry;
    if (type === this.#until) this.#until = undefined;
    if (SPANS[type] !== undefined) this.#until = SPANS[type];
    if (type === 'attempt.started') problems.push(...this.#start(entry, fleet, rests));
    this.#learn(entry);
    return problems;
  }

  #start(entry: LedgerEntry, fleet: readonly Worker[], rests: ReadonlyMap<string, number>): string[] {
    const worker = String(entry['worker']);
    const problems: string[] = [];
    if (this.#reason === undefined) problems.push(`${worker} starts, and nothing says why`);
    if (this.#worker !== undefined && this.#worker !== worker)
      problems.push(`${this.#worker} hands over to ${worker} without a word`);
    for (const { id, seat, model } of fleet) {
      const until = Math.max(...[nameOf(seat), nameOf(seat, model)].map((name) => rests.get(name) ?? 0));
      if (until <= instant(entry.at)) continue;
      if (id === worker) problems.push(`${id} starts while its seat rests`);
      else if (this.#told.get(id) !== until) problems.push(`nothing says why ${id} was passed over`);
    }
    [this.#worker, this.#reason] = [worker, undefined];
    return problems;
  }

  #learn(entry: LedgerEntry): void {
    const { type, worker } = entry;
    if (type === 'handoff') this.#worker = String(entry['to']);
    if (type === 'cooldown.recorded' || type === 'hold.ended') this.#reason = type;
    if (type === 'worker.skipped' || type === 'cooldown.recorded')
      this.#told.set(worker, instant(entry['until']));
  }
}

function instant(text: unknown): number {
  return fromIso(String(text)) ?? Infinity;
}

/** What rests: a seat, or a model on it. */
function nameOf(...parts: readonly unknown[]): string {
  return JSON.stringify(parts.filter((part) => part !== undefined));
}
