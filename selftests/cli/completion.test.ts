import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

const execute = promisify(execFile);

/** What real bash offers for a command line of these words, the last of which is being typed. */
async function offered(stage: Stage, ...words: readonly string[]): Promise<readonly string[]> {
  stage.fake(
    'secondwind',
    `exec '${process.execPath}' '${join(import.meta.dirname, '../../bin/secondwind.js')}' "$@"`,
  );
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = `
    eval "$(secondwind completion bash)"
    complete -p secondwind >/dev/null || exit 9
    COMP_WORDS=(secondwind ${list}); COMP_CWORD=${String(words.length)}
    _secondwind secondwind
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const env = { PATH: `${stage.bin}:/usr/bin:/bin`, HOME: stage.home, SECONDWIND_HOME: stage.stateHome };
  const { stdout, stderr } = await execute('bash', ['--norc', '-c', script], { env, cwd: stage.project });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

function aSession(stage: Stage, id: string): void {
  mkdirSync(join(stage.stateHome, 'sessions'), { recursive: true });
  const session = { id, state: 'done', request: { task: 'mend\u001b[2J it' } };
  writeFileSync(join(stage.stateHome, 'sessions', `${id}.json`), JSON.stringify({ version: 1, session }));
}

describe('completion in bash', () => {
  it('offers commands, options and the values that an option may have', async () => {
    const stage = aStage();
    expect(await offered(stage, 'cool')).toEqual(['cooldown']);
    expect(await offered(stage, 'cooldown', '')).toEqual(expect.arrayContaining(['list', 'clear', 'add']));
    expect(await offered(stage, 'cooldown', '--j')).toEqual(['--json']);
    expect(await offered(stage, 'run', '--on-quota', '')).toEqual(['stop', 'wait', 'api']);
    expect(await offered(stage, 'run', '--on-quota', '=', 'w')).toEqual(['wait']);
    expect(await offered(stage, 'completion', 'f')).toEqual(['fish']);
    // A command that scripts call, and nobody types.
    expect(await offered(stage, 'comple')).toEqual(['completion']);
  });

  it('offers the workers of the configuration, also within a list', async () => {
    const stage = aStage();
    stage.configure(
      '{ /* two seats */ "workers": [{ "id": "work", "adapter": "claude" }, { "id": "a b" }], }',
    );
    expect(await offered(stage, 'cooldown', 'add', '')).toEqual(['work', 'claude', 'codex', 'gemini']);
    expect(await offered(stage, 'run', '-w', 'codex,w')).toEqual(['codex,work']);
  });

  it('offers the sessions and the rests that there are', async () => {
    const stage = aStage();
    aSession(stage, '20261129-235725-jd0e');
    aSession(stage, '20261130-000000-aaaa');
    aSession(stage, '.hidden');
    await stage.run(['cooldown', 'add', 'codex', '--for', '2h', '--kind', 'out-of-credits']);
    expect(await offered(stage, 'resume', '2026')).toEqual(['20261130-000000-aaaa', '20261129-235725-jd0e']);
    expect(await offered(stage, 'cooldown', 'clear', '')).toEqual(['codex']);
    expect(await offered(stage, 'cooldown', 'clear', '--kind', '')).toEqual(['out-of-credits']);
  });

  it('leaves files and folders to the shell, and says nothing of what it does not know', async () => {
    const stage = aStage();
    writeFileSync(join(stage.project, 'my task.md'), '');
    mkdirSync(join(stage.project, 'my folder'));
    expect(await offered(stage, 'run', '--file', 'my t')).toEqual(['my task.md']);
    expect(await offered(stage, 'run', '-C', 'my')).toEqual(['my folder']);
    expect(await offered(stage, 'run', '--', '')).toEqual(['']);
    expect(await offered(stage, 'nonsense', '')).toEqual(['']);
  });

  it('tells nothing that could move the cursor, and stays silent over damaged files', async () => {
    const stage = aStage();
    aSession(stage, '20261129-235725-jd0e');
    for (const file of ['cooldowns.json', 'config.json'])
      writeFileSync(join(stage.stateHome, file), '{"workers": [');
    for (const words of [
      ['resume', ''],
      ['cooldown', 'clear', ''],
      ['run', '-w', ''],
    ]) {
      const { code, stdout, stderr } = await stage.run(['complete', '--', ...words]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    }
  });
});
