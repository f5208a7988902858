import type { Command } from 'commander';
import { Option } from 'commander';
import { ON_QUOTA } from '../../core/policy.ts';
import type { DoctorFlags } from '../commands/doctor.ts';
import type { ExplainFlags } from '../commands/explain.ts';
import type { StatusFlags } from '../commands/status.ts';
import { nonEmpty } from '../option-values.ts';
import type { Declaring } from './declaring.ts';

interface JsonFlag {
  readonly json?: boolean;
}

export function declareStatus(program: Command, { io, done }: Declaring): void {
  program
    .command('status')
    .description('who can take a task now, and when the others are back')
    .option('--watch', 'show it over and over, with countdowns; q quits')
    .option('--json', 'as JSON')
    .action(async (flags: StatusFlags) => {
      done(await (await import('../commands/status.ts')).status(io, flags));
    });
}

export function declareWorkers(program: Command, { io, done }: Declaring): void {
  program
    .command('workers')
    .description('the fleet: every worker, its CLI, seat and model')
    .option('--json', 'as JSON')
    .action(async (flags: JsonFlag) => {
      done(await (await import('../commands/workers.ts')).listWorkers(io, flags));
    });
}

export function declareExplain(program: Command, { io, done }: Declaring): void {
  program
    .command('explain')
    .description('in which order the workers would be tried now, and why each other one would not')
    .argument('[task...]', 'the task')
    .option('-w, --workers <names>', 'as in run')
    .option('-C, --cd <dir>', 'as in run')
    .option('-m, --model <model>', 'as in run', nonEmpty)
    .option('--ignore-cooldown', 'as in run')
    .addOption(new Option('--on-quota <what>', 'as in run').choices(ON_QUOTA))
    .option('--session <id>', 'instead: who was chosen in a session, and who was not and why')
    .option('--json', 'as JSON')
    .action(async (words: string[], flags: ExplainFlags) => {
      done(await (await import('../commands/explain.ts')).explain(io, words, flags));
    });
}

export function declareDoctor(program: Command, { io, done }: Declaring): void {
  program
    .command('doctor')
    .description('what works and what does not, each with what to do')
    .option('--liveness', 'also ask providers, free of tokens, whether room is back')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      '\nExit 0: every worker can run; 1: some cannot, or nothing can be remembered; 69: none can; 78: the configuration is wrong. A rest that ends by itself is no failure. Without --liveness nothing is sent anywhere.\n\nExamples:\n  secondwind doctor\n  secondwind doctor --liveness',
    )
    .action(async (flags: DoctorFlags) => {
      done(await (await import('../commands/doctor.ts')).doctor(io, flags));
    });
}
