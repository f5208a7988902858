import type { Command } from 'commander';
import type { Declaring } from './declaring.ts';

export function declareDemo(program: Command, { io, done }: Declaring): void {
  program
    .command('demo')
    .description('show the whole story in a few seconds, with recorded runs; needs no CLI and no account')
    .action(async () => {
      done(await (await import('../commands/demo.ts')).demo(io));
    });
}
