import type { StoreProblem } from '../store/problem.ts';
import type { Clock } from '../system/clock.ts';
import type { Variables } from '../system/environment.ts';
import type { Terminal } from '../system/terminal.ts';

import { harmless } from '../core/harmless.ts';

/** The world as a command sees it. */
export interface Io {
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly env: Variables;
  /** The user's home directory. */
  readonly home: string;
  /** Where our state lies. */
  readonly stateHome: string;
  readonly directory: string;
  /** IANA zone in which times are shown and times of day without a zone are read. */
  readonly zone: string;
}

/** An ending that is the user's to mend: one sentence, then the code. */
export interface Refusal {
  readonly code: number;
  readonly message: string;
}

/** Tells a person what went wrong with a state file, without stopping anything. */
export function problemTeller({ terminal }: Pick<Io, 'terminal'>): (problem: StoreProblem) => void {
  return ({ message }) => {
    terminal.err(`secondwind: ${message}\n`);
  };
}

export function refuse({ terminal }: Io, { code, message }: Refusal): number {
  terminal.err(`secondwind: ${harmless(message)}\n`);
  return code;
}
