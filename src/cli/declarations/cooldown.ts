import type { Command } from 'commander';
import { Option } from 'commander';
import { COOLDOWN_KINDS } from '../../core/signal.ts';
import type { AddFlags } from '../commands/cooldown.ts';
import { duration } from '../option-values.ts';
import type { Declaring } from './declaring.ts';
import { defaultCommand } from './default-command.ts';

export function declareCooldown(program: Command, { io, done }: Declaring): void {
  const kinds = () => new Option('--kind <kind>', 'of this kind').choices(COOLDOWN_KINDS);
  const cooldown = program
    .command('cooldown')
    .description('who rests, why and until when; clear or add a rest');
  defaultCommand(cooldown, 'list')
    .description('list the workers that rest, the first back first')
    .option('--json', 'as JSON')
    .action(async (flags: { json?: boolean }) => {
      done(await (await import('../commands/cooldown-list.ts')).listCooldowns(io, flags));
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
