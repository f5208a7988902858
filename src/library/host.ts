import type { StoreProblem } from '../store/problem.ts';
import type { Clock } from '../system/clock.ts';
import type { Variables } from '../system/environment.ts';
import type { FleetOptions } from './options.ts';

/** The world as a fleet sees it. */
export interface Host {
  readonly clock: Clock;
  readonly env: Variables;
  /** The user's home directory. */
  readonly home: string;
  /** Where our state lies. */
  readonly stateHome: string;
  readonly directory: string;
  /** IANA zone in which times of day without a zone are read. */
  readonly zone: string;
  /** Takes what a person may want to know, and what stops nothing. */
  readonly report: (notice: Notice) => void;
}

/** Something that stops nothing and that a person may want to know, in one sentence. */
export interface Notice {
  readonly about: 'state' | 'hook' | 'worktree' | 'leftovers';
  readonly message: string;
}

/** Why what was asked for cannot be done: something for a person to mend. */
export interface Refusal {
  /** `usage`: what was asked for; `configuration`: a file or a variable; `unavailable`: what is needed is not there; `failed`: it was tried. */
  readonly reason: 'usage' | 'configuration' | 'unavailable' | 'failed';
  /** The option that is to be changed, where it is one. */
  readonly option?: keyof FleetOptions | undefined;
  /** One sentence: what was expected, what was found, what to do. */
  readonly message: string;
}

/** Tells a person what went wrong with a state file, without stopping anything. */
export function stateTeller({ report }: Pick<Host, 'report'>): (problem: StoreProblem) => void {
  return ({ message }) => {
    report({ about: 'state', message });
  };
}
