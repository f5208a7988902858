import type { Unknown } from '../core/unknown.ts';
import { evidence } from '../signals/evidence.ts';

/** How many different ones are kept; a CLI of which we know less than this is told of well enough. */
const MOST = 20;
const LONGEST_NAME = 120;

/** Counts what a reader does not know, in bounded memory. */
export class Unknowns {
  readonly #found = new Map<string, Unknown>();

  add(what: Unknown['what'], name: string, line: string): void {
    // What the vendor wrote goes to terminals and reports: no secrets, no escapes, no end.
    const safe = evidence(name).slice(0, LONGEST_NAME);
    const key = `${what} ${safe}`;
    const known = this.#found.get(key);
    if (known !== undefined) this.#found.set(key, { ...known, count: known.count + 1 });
    else if (this.#found.size < MOST) {
      this.#found.set(key, { what, name: safe, count: 1, evidence: evidence(line) });
    }
  }

  list(): readonly Unknown[] {
    return [...this.#found.values()];
  }
}
