import type { Option } from 'commander';
import { Command, Help } from 'commander';
import { harmless } from '../core/harmless.ts';
import { anyOf } from '../core/similar.ts';
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
import { mistake } from './mistakes.ts';
import { reflow } from './reflow.ts';

/** Longer lines are hard to follow. */
const WIDEST = 110;

/**
 * Every command in the order of the help; `declarations/` holds the options of each, `commands/` what it does. Where `first`,
 * the first word of a command line, names one, the others are not declared: that took longer than all else before a start.
 */
export function createProgram(version: string, declaring: Declaring, first?: string): Command {
  const { terminal } = declaring.io;
  const columns = Math.min(terminal.outColumns ?? terminal.columns, WIDEST);
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
      // Each item as one line: what is too wide is broken in one way for all of the help.
      ...{ minWidthToWrap: Infinity, sortSubcommands: false, optionDescription, visibleCommands },
      argumentDescription: ({ description, argChoices }) => description + choicesOf(argChoices),
    })
    .configureOutput({
      writeOut: (text) => {
        terminal.out(reflow(text, columns));
      },
      writeErr: terminal.err,
      outputError: (text, write) => {
        write(harmless(mistake(text)));
      },
    })
    .addHelpText('after', `\n${EXIT_CODES}\n\n${VARIABLES}\n\nTry it without any account: secondwind demo`);
  const groups = Object.entries(GROUPS);
  const isNamed = groups.some(([, commands]) => first !== undefined && Object.hasOwn(commands, first));
  for (const [heading, commands] of groups) {
    program.commandsGroup(heading);
    for (const [name, declare] of Object.entries(commands))
      if (!isNamed || name === first) declare(program, declaring);
  }
  eachCommand(program, [], addExamples);
  eachCommand(program, [], addHint);
  return program;
}

function helpCommand(): Command {
  return new Command('help')
    .argument('[command]')
    .description('show help for a command')
    .helpOption(false)
    .helpGroup('Setting up:');
}

type Declare = (program: Command, declaring: Declaring) => void;

const GROUPS: Readonly<Record<string, Readonly<Record<string, Declare>>>> = {
  'Tasks:': { run: declareRun, resume: declareResume, sessions: declareSessions },
  'The fleet:': {
    ...{ status: declareStatus, explain: declareExplain, workers: declareWorkers },
    ...{ cooldown: declareCooldown, quota: declareQuota },
  },
  'Setting up:': { config: declareConfig, doctor: declareDoctor, completion: declareCompletion },
  'How it reads the CLIs:': {
    ...{ replay: declareReplay, selftest: declareSelftest, capture: declareCapture, demo: declareDemo },
  },
};

type Path = readonly string[];

function eachCommand(command: Command, path: Path, then: (command: Command, path: Path) => void): void {
  then(command, path);
  for (const inner of command.commands) eachCommand(inner, [...path, inner.name()], then);
}

/** Every command shows how it is used; those whose declaration says so itself need none of these. */
function addExamples(command: Command, path: Path): void {
  const examples = EXAMPLES[path.join(' ')] ?? [];
  if (examples.length === 0) return;
  const lines = examples.map((line) => `  secondwind ${line}`);
  command.addHelpText('after', `\nExample${lines.length === 1 ? '' : 's'}:\n${lines.join('\n')}`);
}

/** Behind a mistake: where it is written how that command is used. */
function addHint(command: Command, path: Path): void {
  command.showHelpAfterError(`See '${['secondwind', ...path].join(' ')} --help'.`);
}

/** That there is help for each is said once, in the help of secondwind itself. */
function visibleCommands(command: Command): Command[] {
  const all = new Help().visibleCommands(command);
  return command.parent === null ? all : all.filter((one) => one.name() !== 'help');
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
  return choices === undefined ? '' : `: ${anyOf(choices)}`;
}
