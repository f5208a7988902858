import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { aStage } from '../rig/cli.ts';

let said = '';

const programOf = (columns: number, first?: string) => {
  const terminal = { out: (text: string) => (said += text), err: () => undefined, columns };
  const io = { terminal } as unknown as Parameters<typeof createProgram>[1]['io'];
  return createProgram('0', { io, extraArgs: [], done: () => undefined }, first);
};
const PROGRAM = programOf(80);

function helpOf(command: Command): string {
  said = '';
  command.outputHelp();
  return said;
}

function pathsBelow(command: Command, path: string): readonly (readonly [string, Command])[] {
  const visible = command.createHelp().visibleCommands(command);
  return [[path, command], ...visible.flatMap((one) => pathsBelow(one, `${path} ${one.name()}`))];
}

const commandsIn = (columns: number) =>
  pathsBelow(programOf(columns), 'secondwind').filter(([path]) => !path.endsWith(' help'));
const COMMANDS = commandsIn(80);

describe.each([40, 60, 80, 200])('the help of every command in %d columns', (columns) => {
  it.each(commandsIn(columns))('has no line that is wider: %s', (_, command) => {
    const lines = helpOf(command).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  });
});

describe.each([60, 80])('the help of every command in %d columns', (columns) => {
  it.each(commandsIn(columns))('leaves no word alone that could have company: %s', (_, command) => {
    const lines = helpOf(command).split('\n');
    const alone = lines.filter((line, index) => {
      const [, indent = '', word] = /^( {3,})(\S+)$/.exec(line) ?? [];
      // What stands above it in its own column.
      const above = new RegExp(`^.{${String(indent.length - 1)}} (\\S+ .*)$`).exec(
        lines[index - 1] ?? '',
      )?.[1];
      const isLast = (lines[index + 1] ?? '').search(/\S/) !== indent.length;
      if (word === undefined || above === undefined || !isLast) return false;
      return `${above.split(' ').at(-1) ?? ''} ${word}`.length <= columns - indent.length;
    });
    expect(alone).toEqual([]);
  });
});

describe('a command that is named is declared alone', () => {
  it.each(COMMANDS.slice(1))('and is the same: %s', (path, command) => {
    const [, first, ...rest] = path.split(' ');
    const program = programOf(80, first);
    let alone = program;
    for (const word of [first, ...rest]) alone = alone.commands.find((one) => one.name() === word) ?? alone;
    expect(helpOf(alone)).toBe(helpOf(command));
    const visible = program.createHelp().visibleCommands(program);
    expect(visible.map((one) => one.name())).toEqual([first, 'help']);
  });

  it.each([undefined, 'help', 'rnu', '--json', 'constructor'])('unless none is: %s', (first) => {
    expect(helpOf(programOf(80, first))).toBe(helpOf(PROGRAM));
  });
});

describe.each(COMMANDS)('the help of %s', (path, command) => {
  const help = helpOf(command);

  it('shows an example, of options and commands that there are', () => {
    const [, list = ''] = help.split(/^Examples?:$/m);
    const lines = list.split('\n').filter((line) => line.includes('secondwind '));
    expect(lines).not.toEqual([]);
    for (const line of lines) {
      const words = (line.split('secondwind ')[1] ?? '').split(' -- ')[0]?.split(/\s+/) ?? [];
      let at = PROGRAM;
      for (const word of words) at = at.commands.find((one) => one.name() === word) ?? at;
      if (path !== 'secondwind') expect(at).not.toBe(PROGRAM);
      const known = at
        .createHelp()
        .visibleOptions(at)
        .concat(at.commands.flatMap((one) => one.options));
      for (const word of words.filter((one) => /^--?[a-z]/.test(one)))
        expect(known.map(({ short, long }) => [short, long]).flat()).toContain(word);
    }
  });

  it('says what is usual and what can be chosen once, in a sentence', () => {
    expect(help).not.toMatch(/\(choices:|\) \(default|undefined/);
    const defaults = [...help.replace(/\s+/g, ' ').matchAll(/\(default: [^()]*\) \(default/g)];
    expect(defaults).toEqual([]);
  });
});

it.each(COMMANDS)('says behind a mistake where the help of that command is: %s', (path, command) => {
  let told = '';
  command.configureOutput({ writeErr: (text) => (told += text) });
  expect(() => command.error('error: wrong')).toThrow();
  expect(told).toContain(`\nSee '${path} --help'.\n`);
});

it.each([
  ['status x', 'expected no argument after status, but found 1.'],
  ['cooldown nope', "expected list, clear or add after cooldown, but found 'nope'."],
  ['help cooldown nope', "expected list, clear or add after cooldown, but found 'nope'."],
  ['cooldown help nope', "expected list, clear or add after cooldown, but found 'nope'."],
  ['help nope', "unknown command 'nope'."],
  ['sessions --limit 0', "--limit: expected a whole number from 1 to 9999, but found '0'."],
  ['run --on-quota later x', "--on-quota: expected stop, wait or api, but found 'later'."],
])('says what was expected and what was found: %s', async (line, sentence) => {
  const { code, stderr } = await aStage().run(line.split(' '));
  expect(code).toBe(2);
  expect(stderr).toMatch(new RegExp(`^secondwind: ${sentence.replaceAll('.', '\\.')}\\nSee 'secondwind `));
});

describe('a slip', () => {
  it.each([
    ['rnu x', 'run'],
    ['help rnu', 'run'],
    ['sessions help sohw', 'show'],
    ['help sessions sohw', 'show'],
    ['run --workes claude x', '--workers'],
    ['cooldown claer', 'clear'],
    ['sessions sow', 'show'],
    ['quota histroy', 'history'],
    ['config shwo', 'show'],
    ['cooldown add claude --for 1h --kind rate-limt', 'rate-limit'],
    ['run --permissions ful x', 'full'],
    ['run --on-quota wiat x', 'wait'],
    ['completion bsh', 'bash'],
    ['cooldown add cluade --for 1h', 'claude'],
    ['run -w cluade x', 'claude'],
    ['replay --adapter cluade -', 'claude'],
    ['capture --adapter cluade -- x', 'claude'],
  ])('is told what was meant: %s', async (line, meant) => {
    const { code, stdout, stderr } = await aStage().run(line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.toLowerCase().replaceAll("'", '')).toContain(`did you mean ${meant}?`);
  });
});

it.each([
  ['help cooldown add', 'cooldown add'],
  ['cooldown help add', 'cooldown add'],
  ['cooldown help', 'cooldown'],
  ['help run', 'run'],
  ['help help', ''],
])('shows the help that is asked for: %s', async (line, command) => {
  const { code, stdout } = await aStage().run(line.split(' '));
  const usage = ['Usage: secondwind', ...(command === '' ? [] : [command]), '[options]'].join(' ');
  expect({ code, usage: stdout.slice(0, usage.length) }).toEqual({ code: 0, usage });
});

it('takes help for a task behind a command that is given one', async () => {
  const stage = aStage();
  const { stdout } = await stage.run(['explain', 'help', 'me']);
  expect(stdout).not.toContain('Usage');
});

describe('what follows --', () => {
  it.each(['cooldown -- x', 'sessions list -- --json', 'config path -- x', '-- x'])(
    'is refused where nobody takes it: %s',
    async (line) => {
      const { code, stdout, stderr } = await aStage().run(line.split(' '));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^secondwind: expected .* --/);
    },
  );
});

it('adds stdin to the task for a - at its end, and reads none of it otherwise', async () => {
  const stage = aStage();
  stage.link('claude', 'echo.js');
  const task = async (...words: readonly string[]) => {
    const { stdout } = await stage.run(['run', ...words], { stdin: 'the\ndiff\n' });
    return (JSON.parse(stdout) as { readonly args: readonly string[] }).args.at(-1);
  };
  expect(await task('Review', 'this:', '-')).toBe('Review this:\n\nthe\ndiff\n');
  expect(await task('Review this')).toBe('Review this');
});

it('says nothing about colours when both NO_COLOR and FORCE_COLOR are set', async () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const { stderr } = await stage.run(['run', 'x'], { env: { NO_COLOR: '1', FORCE_COLOR: '1' } });
  expect(stderr).not.toContain('Warning');
  expect(stderr).toContain('done in');
});
