import { isDefaultCommand } from './declarations/default-command.ts';

/** A command as it is declared, in so far as completion looks at it (commander's own fits). */
export interface DeclaredCommand {
  name(): string;
  readonly commands: readonly DeclaredCommand[];
  readonly options: readonly DeclaredOption[];
  readonly registeredArguments: readonly DeclaredArgument[];
  createHelp(): {
    visibleCommands(command: DeclaredCommand): readonly (DeclaredCommand & { description(): string })[];
    visibleOptions(command: DeclaredCommand): readonly DeclaredOption[];
  };
}

interface DeclaredOption {
  readonly short?: string | undefined;
  readonly long?: string | undefined | null;
  readonly flags: string;
  readonly description: string;
  readonly required: boolean;
  readonly optional: boolean;
  readonly argChoices?: readonly string[] | undefined;
}

interface DeclaredArgument {
  name(): string;
  readonly variadic: boolean;
  readonly argChoices?: readonly string[] | undefined;
}

/** What a word on the command line may be, by what was declared. */
export type Wanted =
  | { readonly type: 'words'; readonly words: readonly { readonly word: string; readonly about: string }[] }
  /** The value of an option or an argument: of these, or else what its name says. */
  | {
      readonly type: 'value';
      /** The path of the command: `cooldown clear`. */
      readonly command: string;
      /** As it is declared: `worker`, `file`, `names`; or the option's long name where that says more. */
      readonly name: string;
      readonly choices: readonly string[] | undefined;
      /** What stands before the value in the same word: `--kind=`. */
      readonly lead: string;
    }
  | { readonly type: 'nothing' };

/** What the last of `words` may be, which follow the program's name; the last is what is being typed, perhaps nothing yet. */
export function wanted(program: DeclaredCommand, words: readonly string[]): Wanted {
  const typed = words.at(-1) ?? '';
  let command = program;
  const path: string[] = [];
  let position = 0;
  let awaiting: DeclaredOption | undefined;
  for (const word of words.slice(0, -1)) {
    // bash makes `=` a word of its own.
    if (word === '=') continue;
    if (awaiting !== undefined) {
      awaiting = undefined;
      continue;
    }
    if (word === '--') return { type: 'nothing' };
    if (word.startsWith('-') && word !== '-') {
      const option = optionOf(command, word);
      if (option !== undefined && takesValue(option)) awaiting = option;
      continue;
    }
    const inner = position === 0 ? command.commands.find((one) => one.name() === word) : undefined;
    if (inner === undefined) position += 1;
    else [command, position] = [inner, path.push(word) * 0];
  }
  const commandPath = path.join(' ');
  if (awaiting !== undefined) return valueOf(awaiting, commandPath, '');
  const equals = /^(--[^=]+)=/.exec(typed);
  if (equals !== null) {
    const option = optionOf(command, equals[1] ?? '');
    return option !== undefined && takesValue(option)
      ? valueOf(option, commandPath, equals[0])
      : { type: 'nothing' };
  }
  if (typed.startsWith('-') && typed !== '-') return { type: 'words', words: optionWords(command) };
  const isHelp = path.length === 0 && position === 1 && words[0] === 'help';
  if (command.commands.length > 0 && (position === 0 || isHelp)) {
    const visible = command.createHelp().visibleCommands(command);
    return { type: 'words', words: visible.map((one) => ({ word: one.name(), about: one.description() })) };
  }
  const own = command.registeredArguments;
  const argument = own[position] ?? (own.at(-1)?.variadic === true ? own.at(-1) : undefined);
  if (argument === undefined) return { type: 'nothing' };
  return {
    type: 'value',
    command: commandPath,
    name: argument.name(),
    choices: argument.argChoices,
    lead: '',
  };
}

function optionOf(command: DeclaredCommand, word: string): DeclaredOption | undefined {
  return optionsOf(command).find(({ long, short }) => long === word || short === word);
}

/** Those of the command, and of its default command, which may be left unsaid. */
function optionsOf(command: DeclaredCommand): readonly DeclaredOption[] {
  const unsaid = command.commands.find(isDefaultCommand);
  return [command, ...(unsaid === undefined ? [] : [unsaid])].flatMap((one) =>
    one.createHelp().visibleOptions(one),
  );
}

function optionWords(command: DeclaredCommand): readonly { readonly word: string; readonly about: string }[] {
  const words = new Map(
    optionsOf(command).map(({ long, short, description }) => [long ?? short ?? '', description]),
  );
  return [...words].map(([word, about]) => ({ word, about }));
}

function takesValue({ required, optional }: DeclaredOption): boolean {
  return required || optional;
}

function valueOf({ flags, long, argChoices }: DeclaredOption, command: string, lead: string): Wanted {
  const placeholder = /[<[]([^\]>]+)[\]>]/.exec(flags)?.[1] ?? '';
  const name = placeholder === 'name' || placeholder === 'what' ? (long ?? placeholder) : placeholder;
  return { type: 'value', command, name, choices: argChoices, lead };
}
