import type { Option } from 'commander';
import { Command } from 'commander';
import { declareCapture } from './declarations/capture.ts';
import { declareCompletion } from './declarations/completion.ts';
import { declareConfig } from './declarations/config.ts';
import { declareCooldown } from './declarations/cooldown.ts';
import type { Declaring } from './declarations/declaring.ts';
import { declareDemo } from './declarations/demo.ts';
import { declareDoctor, declareExplain, declareStatus, declareWorkers } from './declarations/fleet.ts';
import { declareReplay } from './declarations/replay.ts';
import { declareRun } from './declarations/run.ts';
import { declareResume, declareSessions } from './declarations/sessions.ts';
import { declareSelftest } from './declarations/selftest.ts';
import { declareQuota } from './declarations/quota.ts';
import { EXAMPLES } from './examples.ts';
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
    .addHelpCommand(helpCommand())
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp({
      ...{ helpWidth: Math.min(io.terminal.columns, 110), sortSubcommands: false, optionDescription },
      argumentDescription: ({ description, argChoices }) => description + choicesOf(argChoices),
    })
    .configureOutput({
      ...{ writeOut: io.terminal.out, writeErr: io.terminal.err },
      outputError: (text, write) => {
        write(text.replace(/^error: /, 'secondwind: '));
      },
    })
    .showHelpAfterError("See 'secondwind --help', or --help after a command.")
    .addHelpText('after', `\n${EXIT_CODES}\n\n${VARIABLES}\n\nTry it without any account: secondwind demo`);
  for (const [heading, declarations] of GROUPS) {
    program.commandsGroup(heading);
    for (const declare of declarations) declare(program, declaring);
  }
  addExamples(program, []);
  return program;
}

function helpCommand(): Command {
  return new Command('help')
    .argument('[command]')
    .description('show help for a command')
    .helpOption(false)
    .helpGroup('Setting up:');
}

const GROUPS: readonly (readonly [
  heading: string,
  declarations: readonly ((program: Command, declaring: Declaring) => void)[],
])[] = [
  ['Tasks:', [declareRun, declareResume, declareSessions]],
  ['The fleet:', [declareStatus, declareExplain, declareWorkers, declareCooldown, declareQuota]],
  ['Setting up:', [declareConfig, declareDoctor, declareCompletion]],
  ['How it reads the CLIs:', [declareReplay, declareSelftest, declareCapture, declareDemo]],
];

/** Every command shows how it is used; those whose declaration says so itself need none of these. */
function addExamples(command: Command, path: readonly string[]): void {
  const examples = EXAMPLES[path.join(' ')] ?? [];
  if (examples.length > 0) {
    const lines = examples.map((line) => `  secondwind ${line}`);
    command.addHelpText('after', `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.join('\n')}`);
  }
  for (const inner of command.commands) addExamples(inner, [...path, inner.name()]);
}

/** In the words of the sentence before it, and what is taken without it last. */
function optionDescription({ description, argChoices, defaultValue }: Option): string {
  const [, what = '', usual = ''] = /^([\s\S]*?)( \(default: [^()]*\))?$/.exec(description) ?? [];
  const known =
    usual === '' && defaultValue !== undefined && defaultValue !== true
      ? ` (default: ${String(defaultValue)})`
      : usual;
  return `${what}${choicesOf(argChoices)}${known}`;
}

function choicesOf(choices: readonly string[] | undefined): string {
  if (choices === undefined) return '';
  return `: ${choices.slice(0, -1).join(', ')} or ${choices.at(-1) ?? ''}`;
}
