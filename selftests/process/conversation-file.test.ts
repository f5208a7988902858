import { fork } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { moveConversation } from '../../src/system/conversation-file.ts';
import type { Adapter } from '../../src/workers/adapter.ts';
import { loadAdapter } from '../../src/workers/registry.ts';
import { eventually } from '../rig/children.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const ID = '01a229c0-2930-7a51-a102-7a4639c72783';
const CODEX_NAME = `2026/11/29/rollout-2026-11-29T23-59-49-${ID}.jsonl`;
const CLAUDE_NAME = `-home-one-w-rk-tree-x---/${ID}.jsonl`;
const LINES = '{"n":1}\n{"n":2}\n';

/** Two homes of one CLI, of which the first has a conversation. */
function twoHomes({ folder = 'projects', name = CLAUDE_NAME, text = LINES } = {}) {
  const root = tempFolder();
  const [from, to] = [join(root, 'one'), join(root, 'two')];
  const [source, target] = [join(from, folder, name), join(to, folder, name)];
  mkdirSync(dirname(source), { recursive: true });
  writeFileSync(source, text);
  const put = (what: string, ageInSeconds: number): void => {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, what);
    const at = statSync(source).mtimeMs / 1_000 - ageInSeconds;
    utimesSync(target, at, at);
  };
  const move = (isIt: (path: string) => boolean = (path) => path === name) =>
    moveConversation({ from, to, folder, isIt });
  return { root, from, to, source, target, put, move };
}

function filesOf({ conversations }: Adapter) {
  if (conversations.files === undefined) throw new Error('it cannot be moved');
  return conversations.files;
}

describe('a conversation that moves to another home', () => {
  it.each([
    ['claude', CLAUDE_NAME],
    ['codex', CODEX_NAME],
  ])('is found by its id and has the same name there, for its owner alone: %s', async (cli, name) => {
    const { folder, isOf } = filesOf(await loadAdapter(cli));
    const { source, to, target, move } = twoHomes({ folder, name });
    writeFileSync(join(dirname(source), `another-${ID.replace('0', '1')}.jsonl`), 'another');
    const umask = process.umask(0o277);
    const moved = await move((path) => isOf(path, ID)).finally(() => process.umask(umask));
    expect(moved).toEqual({ ok: true, value: 'copied' });
    expect(readFileSync(target, 'utf8')).toBe(LINES);
    expect(statSync(target).mode & 0o777).toBe(0o600);
    for (let made = dirname(target); made !== dirname(to); made = dirname(made))
      expect(statSync(made).mode & 0o777).toBe(0o700);
    expect(readdirSync(dirname(target))).toHaveLength(1);
    expect(readFileSync(source, 'utf8')).toBe(LINES);
  });

  it.each([
    ['the same', LINES, 'there', LINES],
    ['one that goes on where this ends', `${LINES}{"n":3}\n`, 'there', `${LINES}{"n":3}\n`],
    ['a beginning of it', LINES.slice(0, 8), 'copied', LINES],
  ])('finds %s there, of whatever age', async (_what, text, value, after) => {
    for (const age of [-60, 60]) {
      const { target, put, move } = twoHomes();
      put(text, age);
      expect(await move()).toEqual({ ok: true, value });
      expect(readFileSync(target, 'utf8')).toBe(after);
    }
  });

  it.each([
    ['newer', LINES.replace('2', '9'), -60, false],
    ['longer', `${LINES.replace('2', '9')}{}\n`, 60, false],
    ['older and no longer', LINES.replace('2', '9'), 60, true],
  ])(
    'replaces another account of it only when that is older and no longer: %s',
    async (_what, text, age, isReplaced) => {
      const { target, put, move } = twoHomes();
      put(text, age);
      expect((await move()).ok).toBe(isReplaced);
      expect(readFileSync(target, 'utf8')).toBe(isReplaced ? LINES : text);
      expect(readdirSync(dirname(target))).toHaveLength(1);
    },
  );

  it('needs no copy where both homes are one, or share the folder by a link', async () => {
    const { from, to, target, move } = twoHomes();
    mkdirSync(to);
    symlinkSync(join(from, 'projects'), join(to, 'projects'));
    expect(await move()).toEqual({ ok: true, value: 'there' });
    const linked = `${to}-link`;
    symlinkSync(from, linked);
    const again = await moveConversation({ from, to: linked, folder: 'projects', isIt: () => true });
    expect(again).toEqual({ ok: true, value: 'there' });
    expect(readdirSync(dirname(target))).toHaveLength(1);
  });

  it.each([
    ['the folder', (target: string) => dirname(dirname(target))],
    ['the folder in it', (target: string) => dirname(target)],
    ['the file', (target: string) => target],
  ])('follows no link out of the other home: %s', async (_what, placeOf) => {
    const { root, target, move } = twoHomes();
    const outside = join(root, 'outside');
    mkdirSync(outside);
    writeFileSync(join(outside, 'kept'), 'kept');
    const place = placeOf(target);
    mkdirSync(dirname(place), { recursive: true });
    symlinkSync(place === target ? join(outside, 'kept') : outside, place);
    expect((await move()).ok).toBe(false);
    expect(readdirSync(outside)).toEqual(['kept']);
    expect(readFileSync(join(outside, 'kept'), 'utf8')).toBe('kept');
    expect(lstatSync(place).isSymbolicLink()).toBe(true);
  });

  it('is not read through a link either', async () => {
    const { root, source, target, move } = twoHomes();
    const secret = join(root, 'secret');
    writeFileSync(secret, 'secret');
    const link = join(dirname(source), 'link.jsonl');
    symlinkSync(secret, link);
    expect(await move((path) => path.endsWith('link.jsonl'))).toEqual({
      ok: false,
      error: 'it is not there any more',
    });
    expect(existsSync(dirname(target))).toBe(false);
  });

  it.each(['../../../secret', '..', 'x/../../secret', '', '.*', `${ID}.jsonl/../../secret`])(
    'lies nowhere for an id like %j',
    async (id) => {
      for (const cli of ['claude', 'codex']) {
        const { folder, isOf } = filesOf(await loadAdapter(cli));
        const { root, to, move } = twoHomes({ folder, name: cli === 'claude' ? CLAUDE_NAME : CODEX_NAME });
        writeFileSync(join(root, 'secret.jsonl'), 'secret');
        expect((await move((path) => isOf(path, id))).ok).toBe(false);
        expect(existsSync(join(to, folder))).toBe(false);
      }
    },
  );

  it('is told of where it, or its home, is gone', async () => {
    const { from, to } = twoHomes();
    const nowhere = { to, folder: 'projects', isIt: () => false };
    expect((await moveConversation({ from, ...nowhere })).ok).toBe(false);
    expect((await moveConversation({ from: `${from}-gone`, ...nowhere })).ok).toBe(false);
  });

  it('is whole or not there when the copy is killed, and whole after the next', async () => {
    const { root, source, target, move } = twoHomes();
    truncateSync(source, 192 * 1024 * 1024);
    appendFileSync(source, 'the end');
    const program = await aMover(root);
    const child = fork(program, [join(root, 'one'), join(root, 'two'), CLAUDE_NAME]);
    const gone = once(child, 'exit');
    await eventually(
      'the copy has begun',
      () => existsSync(dirname(target)) && readdirSync(dirname(target)).length > 0,
    );
    child.kill('SIGKILL');
    await gone;
    const left = readdirSync(dirname(target));
    expect(left).toHaveLength(1);
    expect(left[0]).toContain('.jsonl.next.');
    expect(await move()).toEqual({ ok: true, value: 'copied' });
    expect(readdirSync(dirname(target))).toEqual([`${ID}.jsonl`]);
    expect(statSync(target).size).toBe(statSync(source).size);
  });

  it('leaves nothing half where the other disk takes no more', async () => {
    const { root, source, target } = twoHomes();
    truncateSync(source, 8 * 1024 * 1024);
    const program = await aMover(root);
    const child = fork(program, [join(root, 'one'), join(root, 'two'), CLAUDE_NAME], {
      execPath: '/bin/sh',
      execArgv: ['-c', `ulimit -f 1024; exec ${process.execPath} "$@"`, 'sh'],
    });
    const [said] = (await once(child, 'message')) as [unknown];
    expect(said).toMatchObject({ ok: false });
    expect(readdirSync(dirname(target))).toEqual([]);
  });
});

/** A program of its own that copies, so that it can be killed and kept short of room. */
async function aMover(root: string): Promise<string> {
  const program = join(root, 'mover.cjs');
  const module = join(import.meta.dirname, '../../src/system/conversation-file.ts');
  const contents = `import { moveConversation } from ${JSON.stringify(module)};
    const [from, to, name] = process.argv.slice(2);
    moveConversation({ from, to, folder: 'projects', isIt: (path) => path === name }).then((said) => process.send(said));`;
  await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    ...{ outfile: program, bundle: true, format: 'cjs', platform: 'node', logLevel: 'warning' },
  });
  return program;
}
