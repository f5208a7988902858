import type { Command } from 'commander';
import { Option } from 'commander';
import { COOLDOWN_KINDS } from '../../core/signal.ts';
import type { AddFlags } from '../commands/cooldown.ts';
import { duration } from '../option-values.ts';
import type { Declaring } from './declaring.ts';

export function declareCooldown(program: Command, { io, done }: Declaring): void {
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
      done(await (await import('../commands/cooldown.ts')).listCooldowns(io, flags));
    });
  cooldown
    .command('clear')
    .description("end a worker's rest, or everybody's")
    .argument('[worker]', 'the worker; without it all')
    .addOption(kinds())
    .option('--json', 'what was cleared, as JSON')
    .action(async (worker: string | undefined, flags: Pick<AddFlags, 'kind' | 'json'>) => {
      done(await (await import('../commands/cooldown.ts')).clearCooldowns(io, worker, flags));
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
      done(await (await import('../commands/cooldown.ts')).addCooldown(io, worker, flags));
    });
}
