import type { Command } from 'commander';
import type { ResumeFlags } from '../commands/resume.ts';
import { DURATIONS, EXIT_CODES } from '../help.ts';
import { positiveInteger } from '../option-values.ts';
import type { Declaring } from './declaring.ts';
import { defaultCommand } from './default-command.ts';
import { howLongOptions, permissionsOption, printOptions, whoOptions } from './session-options.ts';

interface JsonFlag {
  readonly json?: boolean;
}

interface ListFlags extends JsonFlag {
  readonly limit?: number;
}

export function declareSessions(program: Command, { io, done }: Declaring): void {
  const sessions = program
    .command('sessions')
    .description('the tasks that were run: what became of each, and how to go on with it');
  defaultCommand(sessions, 'list')
    .description('list them, the newest first')
    .option('-n, --limit <n>', 'so many of them (default: 20)', positiveInteger)
    .option('--json', 'as JSON')
    .action(async (flags: ListFlags) => {
      done(await (await import('../commands/sessions.ts')).listSessions(io, flags));
    });
  sessions
    .command('show')
    .description('one session: the task, every attempt, the answer')
    .argument('<id>', 'its id, or the beginning of it')
    .option('--json', 'as JSON')
    .action(async (id: string, flags: JsonFlag) => {
      done(await (await import('../commands/sessions.ts')).showSession(io, id, flags));
    });
}

export function declareResume(program: Command, { io, extraArgs, done }: Declaring): void {
  const resume = program
    .command('resume')
    .description('go on with a session that was stopped, exhausted or killed; or add to one that is done')
    .argument('<id>', 'its id, or the beginning of it (see secondwind sessions)')
    .argument('[text...]', 'what to tell the agent besides')
    .usage('[options] <id> [text...] [-- extra arguments for the CLI]')
    .optionsGroup('What and where:');
  permissionsOption(resume, 'as before');
  whoOptions(resume);
  howLongOptions(resume);
  printOptions(resume)
    .addHelpText('after', `\n${DURATIONS}\n\n${EXIT_CODES}`)
    .addHelpText(
      'after',
      "\nExamples:\n  secondwind resume 20261129-235725-jd0e4k\n  secondwind resume 20261129-235725-jd0e4k 'and add a test' --on-quota wait",
    )
    .action(async (id: string, words: string[], flags: ResumeFlags) => {
      done(await (await import('../commands/resume.ts')).resume(io, id, words, flags, extraArgs));
    });
}
