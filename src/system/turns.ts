/** One call's place in a line of calls of the same process. */
export interface Turn {
  /** Resolves when everybody ahead has left. */
  readonly comes: Promise<void>;
  /** Lets the next one in; whoever joined must leave, whether or not the turn came. */
  leave(): void;
}

/** Lets the calls of one process through one at a time, in the order in which they came. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  join(): Turn {
    const comes = this.#last;
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    this.#last = comes.then(() => left);
    return { comes, leave };
  }
}
