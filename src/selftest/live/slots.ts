/** Lets so many go on at once; the others wait in the order in which they came. */
export function slots(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
