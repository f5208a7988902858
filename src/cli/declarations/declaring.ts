import type { Io } from '../io.ts';

/** What the declaration of a command is handed. What the command does is loaded when it is used. */
export interface Declaring {
  readonly io: Io;
  /** What followed `--` on the command line. */
  readonly extraArgs: readonly string[];
  /** Takes the exit code. */
  readonly done: (code: number) => void;
}
