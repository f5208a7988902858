import type { Command } from 'commander';
import type { RunFlags } from '../commands/run.ts';
import { DURATIONS, EXIT_CODES, PERMISSION_FLAGS } from '../help.ts';
import { positiveInteger } from '../option-values.ts';
import type { Declaring } from './declaring.ts';
import { howLongOptions, permissionsOption, printOptions, whoOptions } from './session-options.ts';

export function declareRun(program: Command, { io, extraArgs, done }: Declaring): void {
  const run = program
    .command('run')
    .description('give a task to the fleet; the final answer goes to stdout, all else to stderr')
    .argument('[task...]', "what is to be done; '-' at its end adds what stdin holds")
    .usage('[options] [task...] [-- extra arguments for the CLI]')
    .optionsGroup('What and where:')
    .option('-f, --file <file>', 'read the task from a file')
    .option('-C, --cd <dir>', 'work in this directory');
  permissionsOption(run, 'edit');
  run
    .optionsGroup('Many at once:')
    .option('--tasks <file>', "a list of tasks, one a line, as text or as JSON; '-' is stdin")
    .option(
      '-j, --concurrency <n>',
      'so many of them at once, spread over the seats (default: 1; with --each: all)',
      positiveInteger,
    )
    .option('--again', 'run also those that are done')
    .option('--each', 'the task to every worker that may start now, each in a worktree of its own')
    .option('--worktree', 'work in a git worktree on a branch of its own, secondwind/<session>');
  whoOptions(run).option('--dry-run', 'show who would be asked, in which order and how; start nothing');
  howLongOptions(run);
  printOptions(run)
    .addHelpText('after', `\n${PERMISSION_FLAGS}\n\n${DURATIONS}\n\n${EXIT_CODES}`)
    .addHelpText(
      'after',
      `
Examples:
  secondwind run 'make the failing test pass'
  secondwind run -w claude,codex -C ~/project --permissions full --file task.md
  git diff | secondwind run --permissions read 'Review this:' - > review.md
  secondwind run --tasks backlog.txt -j 4 --worktree --on-quota wait
  secondwind run --each 'make the failing test pass'

With --tasks and --each the exit code is 0 only when all are done (of the workers: all that may start); else the first of 1, 69, 75, 124 that one ended with. Worktrees lie in SECONDWIND_HOME/worktrees; nothing is merged or deleted unless you do it.`,
    )
    .action(async (words: string[], flags: RunFlags) => {
      done(await (await import('../commands/run.ts')).run(io, words, flags, extraArgs));
    });
}
