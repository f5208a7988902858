import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

const ID = '3488648d-0545-4e7c-bbe6-36fcbe89e28f';
const say = (event: object): string => `echo '${JSON.stringify(event)}'`;

/** A Claude that notes its arguments, begins a conversation and is refused after it has begun to work. */
function aRefusedStage(conversation = ID): Stage {
  const stage = aStage();
  const edit = { type: 'tool_use', id: 'toolu_1', name: 'Edit', input: { file_path: 'clock.ts' } };
  stage.fake(
    'claude',
    [
      'for word in "$@"; do echo "$word"; done >> "$HOME/argv"',
      say({ type: 'system', subtype: 'init', session_id: conversation }),
      say({ type: 'assistant', message: { content: [edit] } }),
      say({
        type: 'result',
        subtype: 'success',
        is_error: true,
        api_error_status: 429,
        result: 'session limit',
      }),
      'exit 1',
    ].join('\n'),
  );
  return stage;
}

function theSession({ stateHome }: Stage): string {
  const [name = ''] = readdirSync(join(stateHome, 'sessions')).filter((one) => one.endsWith('.json'));
  return join(stateHome, 'sessions', name);
}

/** Every path below a folder, but for our state and what the test's own programs write. */
function pathsOutside({ folder, stateHome }: Stage): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith(relative(folder, stateHome)) && path !== 'home/argv')
    .sort();
}

describe('the name of a session', () => {
  it('leads to no file outside of the sessions', async () => {
    const stage = aRefusedStage();
    await stage.run(['run', 'x']);
    const text = readFileSync(theSession(stage), 'utf8');
    const planted = ['evil.json', '../evil.json'].map((path) => join(stage.stateHome, path));
    for (const path of planted) writeFileSync(path, text);
    const names = ['../evil', '../../evil', '../evil.json', '..', join(stage.home, 'evil'), '%2e%2e%2fevil'];
    for (const name of names) {
      const asked = [
        ['resume', name],
        ['sessions', 'show', name],
        ['explain', '--session', name],
      ];
      const all = await Promise.all(asked.map((args) => stage.run(args)));
      expect(all.map(({ code, stdout }) => ({ name, code, stdout }))).toEqual(
        asked.map(() => ({ name, code: 2, stdout: '' })),
      );
    }
    for (const path of planted) expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('is that of its file: one that says otherwise is no session, and is written nowhere else', async () => {
    const stage = aRefusedStage();
    await stage.run(['run', 'x']);
    const file = theSession(stage);
    const before = pathsOutside(stage);
    const id = (file.split('/').at(-1) ?? '').slice(0, -'.json'.length);
    for (const other of ['../../evil', '/etc/evil', 'a/b']) {
      const saved = JSON.parse(readFileSync(file, 'utf8')) as { session: Record<string, unknown> };
      writeFileSync(file, JSON.stringify({ ...saved, session: { ...saved.session, id: other } }));
      expect((await stage.run(['resume', id])).code).not.toBe(0);
      expect(pathsOutside(stage)).toEqual(before);
      expect(existsSync(join(stage.home, 'evil.json'))).toBe(false);
      if (!existsSync(file)) break;
    }
  });
});

describe('the name of a conversation', () => {
  it.each(['--dangerously-skip-permissions', '../../../etc/passwd', 'a b'])(
    'is given to a CLI only when it can be nothing else: %j',
    async (conversation) => {
      const stage = aRefusedStage(conversation.replace('\n', '\\n'));
      await stage.run(['run', 'x']);
      writeFileSync(join(stage.home, 'argv'), '');
      await stage.run(['cooldown', 'clear']);
      const file = theSession(stage);
      const id = (file.split('/').at(-1) ?? '').slice(0, -'.json'.length);
      const { code } = await stage.run(['resume', id]);
      expect(code).toBe(75);
      const words = readFileSync(join(stage.home, 'argv'), 'utf8').split('\n');
      expect(words).toContain('-p');
      expect(words).not.toContain('--resume');
    },
  );

  it('is given when it is one', async () => {
    const stage = aRefusedStage();
    await stage.run(['run', 'x']);
    await stage.run(['cooldown', 'clear']);
    const id = (theSession(stage).split('/').at(-1) ?? '').slice(0, -'.json'.length);
    await stage.run(['resume', id]);
    expect(readFileSync(join(stage.home, 'argv'), 'utf8')).toContain(`--resume\n${ID}\n`);
  });
});

describe('a list of tasks', () => {
  it('makes no file but in our state, whatever its tasks are called', async () => {
    const stage = aRefusedStage();
    const names = ['../../evil', '/etc/evil', '..', 'a/b', '.hidden', '-rf'];
    const list = names.map((id) => JSON.stringify({ task: id, id })).join('\n');
    writeFileSync(join(stage.project, 'list'), list);
    const before = pathsOutside(stage);
    await stage.run(['run', '--tasks', 'list', '--ignore-cooldown']);
    expect(pathsOutside(stage)).toEqual(before);
    expect(readdirSync(join(stage.stateHome, 'sessions')).length).toBeGreaterThanOrEqual(names.length);
  });

  it.each(['task', 'id', 'cd', 'model', 'workers'])('takes no NUL in %s', async (key) => {
    const stage = aRefusedStage();
    const value = key === 'workers' ? ['cla\0ude'] : 'a\0b';
    writeFileSync(join(stage.project, 'list'), JSON.stringify({ task: 'x', [key]: value }));
    const { code, stderr } = await stage.run(['run', '--tasks', 'list']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('NUL') as string });
  });
});

describe('SECONDWIND_HOME', () => {
  const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);

  it('may be a link: our state lies behind it, for its owner alone', async () => {
    const stage = aRefusedStage();
    const real = join(stage.folder, 'elsewhere');
    mkdirSync(real, { mode: 0o700 });
    symlinkSync(real, stage.stateHome);
    expect((await stage.run(['run', 'x'])).code).toBe(75);
    expect(lstatSync(stage.stateHome).isSymbolicLink()).toBe(true);
    for (const name of ['cooldowns.json', 'sessions', 'ledger', 'leases'])
      expect(modeOf(join(real, name))).toBe(name.endsWith('.json') ? '600' : '700');
  });

  it('that leads nowhere is said so, and stops no work', async () => {
    const stage = aRefusedStage();
    symlinkSync(join(stage.folder, 'gone', 'there'), stage.stateHome);
    const { code, stderr } = await stage.run(['run', 'x']);
    expect({ code, stderr }).toMatchObject({ code: 75 });
    expect(stderr).not.toContain('bug of ours');
  });

  it('that is open to others keeps what is in it to its owner, and the doctor says so', async () => {
    const stage = aRefusedStage();
    mkdirSync(stage.stateHome);
    chmodSync(stage.stateHome, 0o777);
    await stage.run(['run', 'x']);
    for (const name of readdirSync(stage.stateHome))
      expect(modeOf(join(stage.stateHome, name))).toMatch(/^[67]00$/);
    expect((await stage.run(['doctor'])).stdout).toContain('is open to others (mode 0777)');
  });
});
