import type { Command } from 'commander';
import { Option } from 'commander';
import { ON_QUOTA } from '../../core/policy.ts';
import { PERMISSIONS } from '../../core/worker.ts';
import type { RunFlags } from '../commands/run.ts';
import { DURATIONS, EXIT_CODES, PERMISSION_FLAGS } from '../help.ts';
import { duration, nonEmpty, positiveDuration } from '../option-values.ts';
import type { Declaring } from './declaring.ts';

export function declareRun(program: Command, { io, extraArgs, done }: Declaring): void {
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
      done(await (await import('../commands/run.ts')).run(io, words, flags, extraArgs));
    });
}
