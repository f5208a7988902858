import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { DURATIONS, EXIT_CODES, PERMISSION_FLAGS, VARIABLES } from '../../src/cli/help.ts';
import { createProgram } from '../../src/cli/program.ts';
import { aStage } from '../rig/cli.ts';

let said = '';

const PROGRAM = (() => {
  const terminal = { out: (text: string) => (said += text), err: () => undefined, columns: 80 };
  const io = { terminal } as unknown as Parameters<typeof createProgram>[1]['io'];
  return createProgram('0', { io, extraArgs: [], done: () => undefined });
})();

function helpOf(command: Command): string {
  said = '';
  command.outputHelp();
  return said;
}

function pathsBelow(command: Command, path: string): readonly (readonly [string, Command])[] {
  const visible = command.createHelp().visibleCommands(command);
  return [[path, command], ...visible.flatMap((one) => pathsBelow(one, `${path} ${one.name()}`))];
}

const COMMANDS = pathsBelow(PROGRAM, 'secondwind').filter(([path]) => !path.endsWith(' help'));

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

  it('keeps the lines of options and commands within 80 columns', () => {
    const lines = command.helpInformation().split('\n');
    expect(lines.filter((line) => line.length > 80 && !line.startsWith('Usage:'))).toEqual([]);
  });
});

it.each([EXIT_CODES, VARIABLES, DURATIONS, PERMISSION_FLAGS])('fits a terminal of 80 columns: %s', (text) => {
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
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
