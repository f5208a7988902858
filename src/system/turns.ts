/** One call's place in a line of calls of the same process. */
export interface Turn {
  /** Resolves when everybody ahead has left; `undefined` when nobody is ahead. */
  readonly comes: Promise<void> | undefined;
  /** Lets the next one in; whoever joined must leave, whether or not the turn came. */
  leave(): void;
}

/** Lets the calls of one process through one at a time, in the order in which they came. */
export class Turns {
  #last: Promise<void> | undefined;

  join(): Turn {
    const comes = this.#last;
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const mine = comes === undefined ? left : comes.then(() => left);
    this.#last = mine;
    void mine.then(() => {
      if (this.#last === mine) this.#last = undefined;
    });
    return { comes, leave };
  }
}
