/** What was measured of one thing, once a round. */
export type Figures = readonly number[];

export function median(figures: Figures): number {
  return quantile(figures, 0.5);
}

/** Between which two figures the middle half lies: what else the machine did in a round or two does not widen it. */
export function middleHalf(figures: Figures): readonly [number, number] {
  return [quantile(figures, 0.25), quantile(figures, 0.75)];
}

/** Round by round: what slowed the one then slowed the other too. */
export function ratios(some: Figures, others: Figures): Figures {
  return some.map((figure, round) => figure / (others[round] ?? NaN));
}

export function differences(some: Figures, others: Figures): Figures {
  return some.map((figure, round) => figure - (others[round] ?? NaN));
}

function quantile(figures: Figures, share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(at)] ?? NaN, sorted[Math.ceil(at)] ?? NaN];
  return below + (above - below) * (at - Math.floor(at));
}
