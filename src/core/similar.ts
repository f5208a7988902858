/** Which of the names was meant by one that is none of them: the nearest, when it is near enough for a slip. */
export function closest(word: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, slips: slipsBetween(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, slips }) => slips <= Math.max(1, Math.floor(Math.max(word.length, name.length) / 3)))
    .sort((one, other) => one.slips - other.slips);
  return ranked[0]?.name;
}

/** ` (did you mean 'claude'?)`, for behind the word in quotes; nothing when no name is near. */
export function didYouMean(word: string, names: readonly string[]): string {
  const meant = closest(word, names);
  return meant === undefined ? '' : ` (did you mean '${meant}'?)`;
}

/** `stop, wait or api`. */
export function anyOf(choices: readonly string[]): string {
  return choices.length < 2
    ? (choices[0] ?? '')
    : `${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`;
}

/** Letters to add, drop, replace or swap with their neighbour (optimal string alignment). */
function slipsBetween(from: string, to: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const costs = [
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      ];
      if (isSwap) costs.push((beforeLast[column - 2] ?? 0) + 1);
      next.push(Math.min(...costs));
    }
    [beforeLast, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
