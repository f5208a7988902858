import { Command, Option } from 'commander';
import { ON_QUOTA } from '../core/policy.ts';
import { COOLDOWN_KINDS } from '../core/signal.ts';
import { PERMISSIONS } from '../core/worker.ts';
import type { AddFlags } from './commands/cooldown.ts';
import type { ReplayFlags } from './commands/replay.ts';
import type { RunFlags } from './commands/run.ts';
import { DURATIONS, EXIT_CODES, PERMISSION_FLAGS, VARIABLES } from './help.ts';
import type { Io } from './io.ts';
import { duration, exitCode, instant, nonEmpty, positiveDuration } from './option-values.ts';

export interface ProgramOptions {
  readonly io: Io;
  readonly version: string;
  /** What followed `--` on the command line. */
  readonly extraArgs: readonly string[];
  readonly done: (code: number) => void;
}

/** Every command and option, declared in one place; what a command does is loaded when it is used. */
export function createProgram({ io, version, extraArgs, done }: ProgramOptions): Command {
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
  addRun(program, io, extraArgs, done);
  addCooldown(program, io, done);
  addReplay(program, io, done);
  program
    .command('demo')
    .description('show the whole story in ten seconds, with recorded runs; needs no CLI and no account')
    .action(async () => {
      done(await (await import('./commands/demo.ts')).demo(io));
    });
  return program;
}

function addRun(program: Command, io: Io, extraArgs: readonly string[], done: (code: number) => void): void {
  program
    .command('run')
    .description('give a task to the fleet; the final answer goes to stdout, all else to stderr')
    .argument('[task...]', "what is to be done; '-' or a pipe reads it from stdin")
    .usage('[options] [task...] [-- extra arguments for the CLI]')
    .optionsGroup('What and where:')
    .option('-f, --file <file>', 'read the task from a file')
    .option('-C, --cd <dir>', 'work in this directory')
    .addOption(
      new Option('--permissions <what>', 'what the agent may do (default: edit)').choices(PERMISSIONS),
    )
    .optionsGroup('Who:')
    .option('-w, --workers <names>', 'only these workers, in this order, comma separated')
    .option('-m, --model <model>', "the model to ask for, instead of each worker's own", nonEmpty)
    .option('--ignore-cooldown', 'ask resting workers too (what they meet is still recorded)')
    .option('--dry-run', 'show who would be asked, in which order and how; start nothing')
    .optionsGroup('How long:')
    .addOption(
      new Option(
        '--on-quota <what>',
        'when everybody rests: exit 75, wait for the first to be back, or admit workers billed per use (default: stop)',
      ).choices(ON_QUOTA),
    )
    .option('--max-wait <duration>', 'the longest that --on-quota wait waits (default: no limit)', duration)
    .option('--hold <duration>', 'how long a busy provider is given, in total (default: 20m)', duration)
    .option(
      '--patience <duration>',
      'how long a CLI may retry over a throttle or a lost connection (default: 60s; 0: not at all)',
      duration,
    )
    .option(
      '--timeout <duration>',
      'end the task after this time (exit 124; default: never)',
      positiveDuration,
    )
    .option(
      '--idle-timeout <duration>',
      'end it when the worker prints nothing for so long (exit 124; default: never)',
      positiveDuration,
    )
    .optionsGroup('What to print:')
    .option('--json', 'one event a line on stdout, and nothing else there')
    .option('-q, --quiet', 'on stderr only rests, handoffs and the end')
    .addHelpText('after', `\n${PERMISSION_FLAGS}\n\n${DURATIONS}\n\n${EXIT_CODES}`)
    .addHelpText(
      'after',
      `
Examples:
  secondwind run 'make the failing test pass'
  secondwind run -w claude,codex -C ~/project --permissions full --file task.md
  git diff | secondwind run --permissions read - > review.md`,
    )
    .action(async (words: string[], flags: RunFlags) => {
      done(await (await import('./commands/run.ts')).run(io, words, flags, extraArgs));
    });
}

function addCooldown(program: Command, io: Io, done: (code: number) => void): void {
  const kinds = () => new Option('--kind <kind>', 'of this kind').choices(COOLDOWN_KINDS);
  const cooldown = program
    .command('cooldown')
    .description('who rests, why and until when; clear or add a rest');
  cooldown
    .command('list', { isDefault: true })
    .description('list the workers that rest, the first back first')
    .option('--json', 'as JSON')
    // As the default command it gets whatever is no command: `cooldown claer` is a slip, not a list with an argument.
    .usage('[options]')
    .argument('[nothing...]')
    .action(async (words: readonly string[], flags: { json?: boolean }) => {
      if (words[0] !== undefined) {
        cooldown.error(`error: expected list, clear or add after cooldown, but found '${words[0]}'`);
      }
      done(await (await import('./commands/cooldown.ts')).listCooldowns(io, flags));
    });
  cooldown
    .command('clear')
    .description("end a worker's rest, or everybody's")
    .argument('[worker]', 'the worker; without it all')
    .addOption(kinds())
    .option('--json', 'what was cleared, as JSON')
    .action(async (worker: string | undefined, flags: Pick<AddFlags, 'kind' | 'json'>) => {
      done(await (await import('./commands/cooldown.ts')).clearCooldowns(io, worker, flags));
    });
  cooldown
    .command('add')
    .description('rest the seat of a worker by hand')
    .argument('<worker>')
    .option('--for <duration>', 'for so long', duration)
    .option('--until <time>', "until then: 2026-12-24T18:30:00Z, 6:30pm, 'Mon 9am'")
    .addOption(kinds().default('rate-limit' as const))
    .option('--reason <text>', 'why, for people')
    .option('--json', 'what was added, as JSON')
    .addHelpText(
      'after',
      "\nExamples:\n  secondwind cooldown add claude-work --until 6pm --reason 'the team needs it'\n  secondwind cooldown clear claude-work",
    )
    .action(async (worker: string, flags: AddFlags) => {
      done(await (await import('./commands/cooldown.ts')).addCooldown(io, worker, flags));
    });
}

function addReplay(program: Command, io: Io, done: (code: number) => void): void {
  program
    .command('replay')
    .description('what would secondwind make of this output? spawns nothing, writes nothing')
    .argument('<file>', "a capture ({t, ch, line} a line) or a CLI's plain output; '-' is stdin")
    .option('-a, --adapter <name>', 'which CLI printed it: claude, codex or gemini')
    .option('--now <instant>', 'when it was started, ISO 8601 (default: as captured, else now)', instant)
    .option(
      '--tz <zone>',
      "the CLI's time zone, such as Europe/Berlin (default: as captured, else this machine's)",
    )
    .option('--exit <code>', 'how the CLI exited (default: as captured, else it is still running)', exitCode)
    .option('--patience <duration>', 'as in run', duration)
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExample:\n  claude -p "hi" --output-format stream-json --verbose | secondwind replay --adapter claude --exit 1 -',
    )
    .action(async (file: string, flags: ReplayFlags) => {
      done(await (await import('./commands/replay.ts')).replayFile(io, file, flags));
    });
}
