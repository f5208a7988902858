import { Command } from 'commander';
import { declareCapture } from './declarations/capture.ts';
import { declareCompletion } from './declarations/completion.ts';
import { declareConfig } from './declarations/config.ts';
import { declareCooldown } from './declarations/cooldown.ts';
import type { Declaring } from './declarations/declaring.ts';
import { declareDemo } from './declarations/demo.ts';
import { declareReplay } from './declarations/replay.ts';
import { declareRun } from './declarations/run.ts';
import { declareResume, declareSessions } from './declarations/sessions.ts';
import { declareSelftest } from './declarations/selftest.ts';
import { EXIT_CODES, VARIABLES } from './help.ts';

/** Every command in the order of the help; `declarations/` holds the options of each, `commands/` what it does. */
export function createProgram(version: string, declaring: Declaring): Command {
  const { io } = declaring;
  const program = new Command('secondwind')
    .description(
      'Gives a coding task to a fleet of coding-agent CLIs and never wastes it on an exhausted one.',
    )
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp({ helpWidth: Math.min(io.terminal.columns, 110), sortSubcommands: false })
    .configureOutput({
      ...{ writeOut: io.terminal.out, writeErr: io.terminal.err },
      outputError: (text, write) => {
        write(text.replace(/^error: /, 'secondwind: '));
      },
    })
    .showHelpAfterError("See 'secondwind --help', or --help after a command.")
    .addHelpText('after', `\n${EXIT_CODES}\n\n${VARIABLES}\n\nTry it without any account: secondwind demo`);
  for (const declare of [
    declareRun,
    declareResume,
    declareSessions,
    declareCooldown,
    declareReplay,
    declareSelftest,
    declareCapture,
    declareConfig,
    declareCompletion,
    declareDemo,
  ])
    declare(program, declaring);
  return program;
}
