import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage, playing } from '../rig/cli.ts';

interface Echo {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly stdin: number;
}

/** A CLI that answers with what it was given. */
function anEcho(): Stage {
  const stage = aStage();
  stage.link('claude', 'echo.js');
  return stage;
}

async function echoed(
  stage: Stage,
  args: readonly string[],
  options: Parameters<Stage['run']>[1] = {},
): Promise<Echo> {
  const { code, stdout, stderr } = await stage.run(['run', ...args], options);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as Echo;
}

it('takes the task from its arguments, from a pipe, from "-" and from a file', async () => {
  const stage = anEcho();
  writeFileSync(join(stage.project, 'task.md'), 'mend the\nbuild\n');
  const last = async (...given: Parameters<typeof echoed>) => (await echoed(...given)).args.at(-1);
  expect(await last(stage, ['mend', 'the', 'build'])).toBe('mend the build');
  expect(await last(stage, [], { stdin: 'mend it' })).toBe('mend it');
  expect(await last(stage, ['-'], { stdin: 'mend it' })).toBe('mend it');
  expect(await last(stage, ['--file', 'task.md'])).toBe('mend the\nbuild\n');
  expect(await last(stage, ['-f', 'task.md'])).toBe('mend the\nbuild\n');
});

it('gives a prompt of 200 kB, too long for an argument, through stdin', async () => {
  const task = 'a'.repeat(200_000);
  const { args, stdin } = await echoed(anEcho(), ['-'], { stdin: task });
  expect(stdin).toBe(200_000);
  expect(args.join(' ').length).toBeLessThan(1_000);
});

it('gives a prompt that begins with a dash as a prompt', async () => {
  const { args } = await echoed(anEcho(), [], { stdin: '--help me' });
  expect(args.slice(-2)).toEqual(['--', '--help me']);
});

it('hands what follows -- to the CLI, in order and unread', async () => {
  const { args } = await echoed(anEcho(), ['mend it', '--', '--effort', 'high', '--json', 'a b']);
  expect(args).toEqual(expect.arrayContaining(['--effort', 'high', '--json', 'a b']));
  expect(args.at(-1)).toBe('mend it');
});

it('works in the directory that --cd names', async () => {
  const stage = anEcho();
  mkdirSync(join(stage.folder, 'elsewhere'));
  expect((await echoed(stage, ['-C', '../elsewhere', 'mend it'])).cwd).toBe(join(stage.folder, 'elsewhere'));
});

it('asks for the model of --model, and for the permissions of --permissions', async () => {
  const { args } = await echoed(anEcho(), ['-m', 'opus', '--permissions', 'full', 'mend it']);
  expect(args).toEqual(expect.arrayContaining(['--model', 'opus', 'bypassPermissions']));
});

it('shows with --dry-run who would be asked and how, and starts nothing', async () => {
  const stage = aStage();
  stage.fake('claude', 'touch "$HOME/started"');
  stage.fake('codex', 'touch "$HOME/started"');
  await stage.run(['cooldown', 'add', 'claude', '--for', '3h']);
  const { code, stdout } = await stage.run(['run', '--dry-run', "it's here", '--', '--effort', 'high']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^1\. codex: codex exec .*--effort high -- 'it'\\''s here'$/m);
  expect(stdout).toMatch(/^- {2}claude: skipped, rested by hand, until /m);
  expect(existsSync(join(stage.home, 'started'))).toBe(false);
  const told = JSON.parse((await stage.run(['run', '--dry-run', '--json', 'x'])).stdout) as unknown;
  expect(told).toMatchObject({
    candidates: [{ worker: 'codex' }],
    skipped: [{ worker: 'claude', until: stage.cooldowns()[0]?.until }],
  });
});

it('exits from --dry-run as the run would, when nobody could be asked', async () => {
  const stage = aStage();
  expect((await stage.run(['run', '--dry-run', 'x'])).code).toBe(69);
  stage.fake('claude', '');
  await stage.run(['cooldown', 'add', 'claude', '--for', '3h']);
  const { code, stderr } = await stage.run(['run', '--dry-run', 'x']);
  expect(code).toBe(75);
  expect(stderr).toContain('The first back is claude, at ');
});

it('says on stderr, with --quiet, only rests, handoffs and the end', async () => {
  const stage = aStage();
  stage.configure({ workers: [playing('claude', 'seat-exhausted-sleeps'), playing('gemini', 'ok')] });
  const { code, stderr } = await stage.run(['run', '-q', 'say hi']);
  expect(code).toBe(0);
  expect(stderr.trimEnd().split('\n')).toEqual([
    expect.stringContaining('claude │ ended: '),
    expect.stringContaining('claude │ out of quota: seat claude rests until'),
    expect.stringContaining('gemini │ takes over from claude'),
  ]);
});

it('colours nothing in a pipe, everything with FORCE_COLOR, and nothing with NO_COLOR whatever else is set', async () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const escapes = async (env: Record<string, string>): Promise<boolean> => {
    const { stdout, stderr } = await stage.run(['run', 'x'], { env });
    expect(stdout).toBe('the answer\n');
    return stderr.includes('\u001b[');
  };
  expect(await escapes({})).toBe(false);
  expect(await escapes({ FORCE_COLOR: '1' })).toBe(true);
  expect(await escapes({ FORCE_COLOR: '0' })).toBe(false);
  expect(await escapes({ NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false);
});

it('gives the answer byte for byte, and ends it with a line break', async () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const answer = async (text: string) => (await stage.run(['run', 'x'], { env: { ANSWER: text } })).stdout;
  expect(await answer('\u001b[1mé 漢\u0007\n\n')).toBe('\u001b[1mé 漢\u0007\n\n');
  expect(await answer('no break')).toBe('no break\n');
  expect(await answer('')).toBe('');
});

it('lets no escape sequence of an agent reach the terminal', async () => {
  const stage = aStage();
  const event = {
    type: 'assistant',
    message: { content: [{ type: 'text', text: '\u001b]0;owned\u0007\u001b[2Jhi' }] },
  };
  stage.fake('claude', `cat <<'END'\n${JSON.stringify(event)}\nEND\nexit 1`);
  const { stderr } = await stage.run(['run', 'x']);
  expect(stderr).toContain('hi');
  expect(stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
});
