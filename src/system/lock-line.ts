import type { Turn } from './turns.ts';
import { Turns } from './turns.ts';

/** What this process remembers of a lock. */
export interface Line {
  /** How often it got the lock at the first attempt since it last waited. */
  inARow: number;
  /** Until when it lets other processes go first, in milliseconds of the monotonic clock. */
  courtesyUntil: number;
}

/** A call in the line before a lock. */
interface Place {
  readonly line: Line;
  readonly turn: Turn;
  /** Whoever joined must leave, whether or not the turn came. */
  readonly leave: () => void;
}

/**
 * How many lines without anybody in them are kept. What they know only matters to a process that takes one lock again
 * and again, and one that has saved a thousand sessions does not take theirs any more.
 */
const MOST_EMPTY = 64;

/** The lines of this process's own calls before the locks that it takes, by the file that is locked. */
export class Lines {
  readonly #lines = new Map<string, Line & { readonly turns: Turns; calls: number }>();

  /** How many are remembered. */
  get size(): number {
    return this.#lines.size;
  }

  /** The place behind all who joined before and have not left. */
  join(file: string): Place {
    const line = this.#lines.get(file) ?? { turns: new Turns(), calls: 0, inARow: 0, courtesyUntil: 0 };
    // As the newest: the one that was not used for the longest is the first to be forgotten.
    this.#lines.delete(file);
    this.#lines.set(file, line);
    line.calls += 1;
    const turn = line.turns.join();
    return {
      ...{ line, turn },
      leave: () => {
        turn.leave();
        line.calls -= 1;
        this.#forget();
      },
    };
  }

  #forget(): void {
    if (this.#lines.size <= MOST_EMPTY) return;
    const empty = [...this.#lines].filter(([, { calls }]) => calls === 0);
    for (const [file] of empty.slice(0, Math.max(0, empty.length - MOST_EMPTY))) this.#lines.delete(file);
  }
}
