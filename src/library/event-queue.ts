import type { ToldEvent } from './event.ts';

/** How much waits for a reader who is slower than the agent, or who has not come yet. */
const MOST_EVENTS = 10_000;
const MOST_CHARACTERS = 32 * 1_024 * 1_024;

/** Of these a CLI may print any number: they are what a slow reader misses. */
const CHATTER: ReadonlySet<ToldEvent['type']> = new Set([
  'attempt.text',
  'attempt.tool',
  'attempt.retrying',
  'attempt.note',
  'signal',
  'reading',
]);

/**
 * The events of one run for one reader, from the first on. Nobody who tells waits for the reader: where that one is too
 * far behind, what an agent says and does is left out, and said so; what happens to the session never is.
 */
export class EventQueue {
  #waiting: ToldEvent[] = [];
  #characters = 0;
  #leftOut = 0;
  #isOver = false;
  #reader: 'none' | 'here' | 'gone' = 'none';
  #wake: () => void = () => undefined;

  push(event: ToldEvent): void {
    if (this.#reader === 'gone') return;
    const isFull = this.#waiting.length >= MOST_EVENTS || this.#characters > MOST_CHARACTERS;
    if (isFull && CHATTER.has(event.type)) {
      this.#leftOut += 1;
      return;
    }
    if (this.#leftOut > 0 && 'worker' in event && event.worker !== undefined) {
      const { worker, at, session } = event;
      const text = `${String(this.#leftOut)} events are left out here: they came faster than they were read`;
      this.#waiting.push({ type: 'attempt.note', worker, text, at, session });
      this.#leftOut = 0;
    }
    if (event.type === 'attempt.text') this.#characters += event.text.length;
    this.#waiting.push(event);
    this.#wake();
  }

  /** No more comes. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *read(): AsyncGenerator<ToldEvent, void, undefined> {
    if (this.#reader !== 'none') throw new TypeError('The events of a run can be read once.');
    this.#reader = 'here';
    try {
      for (;;) {
        const events = this.#waiting;
        this.#waiting = [];
        this.#characters = 0;
        yield* events;
        if (this.#waiting.length > 0) continue;
        if (this.#isOver) return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#reader = 'gone';
      this.#waiting = [];
    }
  }
}
