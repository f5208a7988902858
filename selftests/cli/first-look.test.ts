import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { aStage } from '../rig/cli.ts';

/** The command as it is declared, for what its help must say. */
function declared(path: readonly string[]): Command {
  const nothing = () => undefined;
  const terminal = { out: nothing, err: nothing, isWatched: false, columns: 80 };
  const io = { terminal } as unknown as Parameters<typeof createProgram>[1]['io'];
  const program = createProgram('0', { io, extraArgs: [], done: nothing });
  return path.reduce<Command>((command, name) => {
    const found = command.commands.find((one) => one.name() === name);
    if (found === undefined) throw new Error(`there is no command ${name}`);
    return found;
  }, program);
}

/** Every command there is, by its path. */
function commandsBelow(command: Command, path: readonly string[]): readonly (readonly string[])[] {
  return [path, ...command.commands.flatMap((one) => commandsBelow(one, [...path, one.name()]))];
}

const COMMANDS = commandsBelow(declared([]), []);

it('finds the commands', () => {
  expect(COMMANDS).toEqual(
    expect.arrayContaining([['run'], ['resume'], ['sessions', 'show'], ['cooldown', 'add'], ['demo']]),
  );
});

it.each(COMMANDS.map((path): [string, readonly string[]] => [path.join(' '), path]))(
  "mentions every option and command in the help of '%s'",
  async (_, path) => {
    const { run } = aStage();
    const { code, stdout, stderr } = await run([...path, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const command = declared(path);
    for (const { long } of command.options) expect(stdout).toContain(String(long));
    for (const one of command.createHelp().visibleCommands(command))
      expect(stdout).toMatch(new RegExp(`^ {2}${one.name()} `, 'm'));
    expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([]);
  },
);

it('shows its help when it is asked nothing', async () => {
  const { run } = aStage();
  const asked = await run(['--help']);
  expect(await run([])).toMatchObject({ code: 0, stdout: asked.stdout });
});

it('says every exit code and every variable in its help', async () => {
  const { stdout } = await aStage().run(['--help']);
  for (const code of [0, 1, 2, 69, 70, 75, 78, 124, 130])
    expect(stdout).toMatch(new RegExp(`^ {2}${String(code)} `, 'm'));
  const sources = join(import.meta.dirname, '../../src');
  const text = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('help.ts'))
    .map((name) => readFileSync(join(sources, name), 'utf8'))
    .join('\n');
  const variables = new Set(text.match(/(?<=')SECONDWIND_[A-Z_]+(?=')/g));
  // A mark for our own children, which nobody sets.
  variables.delete('SECONDWIND_ATTEMPT');
  expect(variables.size).toBeGreaterThan(5);
  for (const variable of variables) expect(stdout).toContain(variable);
});

it.each(['--version', '-V'])('prints its version with %s', async (flag) => {
  const manifest = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  expect(await aStage().run([flag])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
});

it('plays the demo with nothing but Node and an empty home, and leaves nothing behind', async () => {
  const stage = aStage();
  // What is set for real runs has no part in it.
  const env = { SECONDWIND_COOLDOWN: '0', SECONDWIND_FLEET: 'nobody' };
  const { code, stdout, stderr } = await stage.run(['demo'], { env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
  for (const text of [
    'claude │ out of quota: seat claude rests until',
    'codex  │ takes over from claude',
    'gemini │ takes over from codex',
    '$ secondwind cooldown list',
    "secondwind run 'your task'",
  ]) {
    expect(stderr).toContain(text);
  }
  // What a recorded CLI says that it waits for is not waited for here, and that is said.
  const waits = [...stderr.matchAll(/tries again by itself, in ([\d.]+s)/g)].map(([, length]) => length);
  expect(waits).toHaveLength(1);
  for (const length of waits) expect(stderr).toContain(`where a recorded CLI waits ${length ?? ''} it takes`);
  expect(stage.alive()).toEqual([]);
  expect(readdirSync(stage.home)).toEqual([]);
});
