import type { Command } from 'commander';
import { anyOf, didYouMean } from '../../core/similar.ts';

/** commander knows which they are and does not tell. */
const declared = new WeakSet<object>();

export function isDefaultCommand(command: object): boolean {
  return declared.has(command);
}

/**
 * Declares the command that its parent alone stands for. It gets whatever is no command: `cooldown claer` is a slip, and
 * no list with an argument.
 */
export function defaultCommand(parent: Command, name: string): Command {
  const command = parent
    .command(name, { isDefault: true })
    .allowExcessArguments()
    .hook('preAction', (_, { args: [word] }) => {
      if (word !== undefined) parent.error(noneOf(parent, word));
    });
  declared.add(command);
  return command;
}

/** What is wrong with a word behind a command that is none of the commands below it. */
export function noneOf(parent: Command, word: string): string {
  const names = parent.commands.map((one) => one.name());
  return `error: expected ${anyOf(names)} after ${parent.name()}, but found '${word}'${didYouMean(word, names)}`;
}
