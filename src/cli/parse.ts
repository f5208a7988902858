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
  if (own.length === 0 && cut === -1) {
    program.outputHelp();
    return EXIT.done;
  }
  // Whoever takes them says so in its usage; to all others they mean nothing.
  program.hook('preAction', (_, command) => {
    if (extraArgs.length > 0 && !/(?:^|[ [])-- /.test(command.usage()))
      command.error(
        `error: expected nothing after --, but found '${extraArgs.join(' ')}'; only the commands that start a CLI pass it on`,
      );
  });
  try {
    if (own.length === 0) program.error('error: expected a command before --, such as run');
    await program.parseAsync(own, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end the same way as mistakes do: only their exit codes differ.
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return code;
}
