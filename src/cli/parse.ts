import { CommanderError } from 'commander';
import { EXIT } from './exit-codes.ts';
import type { Io } from './io.ts';
import { createProgram } from './program.ts';

/** Reads the command line and runs the command it names. Returns the exit code. */
export async function parse(io: Io, argv: readonly string[], version: string): Promise<number> {
  // What follows `--` belongs to the CLI that is started, and commander would mix it with the task.
  const cut = argv.indexOf('--');
  const own = cut === -1 ? argv : argv.slice(0, cut);
  const extraArgs = cut === -1 ? [] : argv.slice(cut + 1);
  let code: number = EXIT.done;
  const done = (result: number): void => {
    code = result;
  };
  const program = createProgram(version, { io, extraArgs, done });
  if (own.length === 0) {
    program.outputHelp();
    return EXIT.done;
  }
  try {
    await program.parseAsync(own, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end the same way as mistakes do: only their exit codes differ.
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return code;
}
