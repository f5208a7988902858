import type { Command } from 'commander';
import { Option } from 'commander';
import { ON_QUOTA } from '../../core/policy.ts';
import { PERMISSIONS } from '../../core/worker.ts';
import { duration, nonEmpty, positiveDuration } from '../option-values.ts';

// What `run` and `resume` have in common.

export function permissionsOption(command: Command, whenNotSaid: string): Command {
  const what = `what the agent may do (default: ${whenNotSaid})`;
  return command.addOption(new Option('--permissions <what>', what).choices(PERMISSIONS));
}

export function whoOptions(command: Command): Command {
  return command
    .optionsGroup('Who:')
    .option('-w, --workers <names>', 'only these workers, in this order, comma separated')
    .option('-m, --model <model>', "the model to ask for, instead of each worker's own", nonEmpty)
    .option(
      '--preflight',
      'look first, free of tokens, whether a worker has room, and pass over one that has none',
    )
    .option('--ignore-cooldown', 'ask resting workers too (what they meet is still recorded)')
    .option('--no-handoff', 'whoever takes over begins afresh, instead of going on with what was done');
}

export function howLongOptions(command: Command): Command {
  return command
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
    );
}

export function printOptions(command: Command): Command {
  return command
    .optionsGroup('What to print:')
    .option('--json', 'one event a line on stdout, and nothing else there')
    .option('-q, --quiet', 'on stderr only rests, handoffs and the end');
}
