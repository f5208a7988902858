import type { Command } from 'commander';
import { closest } from '../../core/similar.ts';

/**
 * Declares the command that its parent alone stands for. It gets whatever is no command: `cooldown claer` is a slip, and
 * no list with an argument.
 */
export function defaultCommand(parent: Command, name: string): Command {
  return parent
    .command(name, { isDefault: true })
    .allowExcessArguments()
    .hook('preAction', (_, { args: [word] }) => {
      if (word === undefined) return;
      const names = parent.commands.map((one) => one.name());
      const choices = `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
      const meant = closest(word, names);
      const hint = meant === undefined ? '' : `\n(Did you mean ${meant}?)`;
      parent.error(`error: expected ${choices} after ${parent.name()}, but found '${word}'${hint}`);
    });
}
