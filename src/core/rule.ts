import type { SeatId } from './ids.ts';
import type { DurationMs } from './time.ts';

export const RULE_ACTIONS = ['prefer-others', 'avoid-new-sessions'] as const;
/**
 * What follows when a rule matches: `prefer-others`: whoever else may take the work is asked first; `avoid-new-sessions`:
 * the same, but only where a session begins.
 */
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** What an operator wants to happen before a window is full. It advises: it can refuse nothing. */
export interface Rule {
  readonly when: {
    readonly seat: SeatId;
    readonly window: string;
    readonly usedPercent: { readonly gte: number };
    /** An older reading counts as none. */
    readonly freshWithin: DurationMs;
  };
  readonly then: RuleAction;
  /** Why, for whoever reads of it later. */
  readonly note: string | undefined;
}
