import type { Command } from 'commander';
import { CommanderError } from 'commander';
import { didYouMean } from '../core/similar.ts';
import { noneOf } from './declarations/default-command.ts';
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
  const program = createProgram(version, { io, extraArgs, done }, own[0]);
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
    const asked = asAsked(program, own);
    if (own.length === 0) program.error('error: expected a command before --, such as run');
    await program.parseAsync(asked, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and version end the same way as mistakes do: only their exit codes differ.
    return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  }
  return code;
}

/**
 * `help cooldown add` as commander knows it, `cooldown help add`. A command that is not there is refused: commander would
 * show the help of all, as if nothing had been asked for.
 */
function asAsked(program: Command, words: readonly string[]): readonly string[] {
  const path: string[] = [];
  let at = program;
  let isHelp = false;
  for (const word of words) {
    const next = at.commands.find((one) => one.name() === word);
    if (next !== undefined) {
      at = next;
      path.push(word);
    } else if (at.commands.length === 0 || word.startsWith('-')) break;
    else if (word === 'help') isHelp = true;
    else if (isHelp) {
      // Of secondwind itself there are too many to name them all.
      if (at !== program) at.error(noneOf(at, word));
      const names = at.commands.map((one) => one.name());
      at.error(`error: unknown command '${word}'${didYouMean(word, names)}`);
    } else break;
  }
  return isHelp ? [...path.slice(0, -1), 'help', ...path.slice(-1)] : words;
}
