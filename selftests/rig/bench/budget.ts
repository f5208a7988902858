import type { Figures } from './figures.ts';
import { median, middleHalf } from './figures.ts';

/** One line of the bench: what was measured, and what it may be. */
export interface Budget {
  readonly name: string;
  readonly figures: Figures;
  /** What the figures are: `x node -e 0`, `ms`. */
  readonly unit: string;
  /** Without a goal it is told and not judged. */
  readonly goal?: Goal;
  readonly digits?: number;
  /** What else was measured with it, a line each. */
  readonly details?: readonly string[];
}

export type Goal = { readonly atMost: number } | { readonly atLeast: number };

export type Judgement = 'met' | 'MISSED' | 'told';

export function judge({ figures, goal }: Budget): Judgement {
  if (goal === undefined) return 'told';
  const value = median(figures);
  return ('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast) ? 'met' : 'MISSED';
}

/** `met     --version   1.21 x node -e 0 (1.18-1.25)   goal: at most 1.25`, and the details below it. */
export function lineOf(budget: Budget): string {
  const { name, figures, unit, goal, digits = 2, details = [] } = budget;
  const judgement = judge(budget);
  const figure = spread(figures, digits, unit);
  const wanted =
    goal === undefined
      ? ''
      : `goal: ${'atMost' in goal ? `at most ${String(goal.atMost)}` : `at least ${String(goal.atLeast)}`}`;
  const head = `${(judgement === 'told' ? '' : judgement).padEnd(7)} ${name.padEnd(42)} ${figure.padEnd(48)} ${wanted}`;
  return [head.trimEnd(), ...details.map((detail) => `        ${' '.repeat(42)} ${detail}`)].join('\n');
}

/** `1.21 ms (1.18-1.25)`: the median, and between what the middle half of the rounds lies. */
export function spread(figures: Figures, digits: number, unit: string): string {
  const [low, high] = middleHalf(figures);
  const figure = `${median(figures).toFixed(digits)} ${unit}`;
  return figures.length < 2 ? figure : `${figure} (${low.toFixed(digits)}-${high.toFixed(digits)})`;
}
