import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

/**
 * A Claude Code that the provider knows only with the credentials `good`, and that keeps a diary of what it was asked;
 * what it prints is a 2.1.197's.
 */
const CLAUDE = `
echo "$1 $2" >> "$HOME/diary"
credentials=$(cat "$HOME/.claude/.credentials.json" 2>/dev/null)
case "$1 $2" in
--version*) echo '2.1.197 (Claude Code)' ;;
'auth status') [ -n "$credentials" ] && echo '{"loggedIn":true,"authMethod":"claude.ai"}' || { echo '{"loggedIn":false}'; exit 1; } ;;
*)
  case "$credentials" in
  *good*) echo '{"type":"result","subtype":"success","is_error":false,"result":"All done.","session_id":"s"}' ;;
  *) echo '{"type":"result","subtype":"success","is_error":true,"result":"Failed to authenticate. API Error: 401 {\\"type\\":\\"error\\",\\"error\\":{\\"type\\":\\"authentication_error\\",\\"message\\":\\"Invalid authentication credentials\\"}}","session_id":"s"}'; exit 1 ;;
  esac ;;
esac`;

function loggedIn(stage: Stage, credentials: string): void {
  mkdirSync(join(stage.home, '.claude'), { recursive: true });
  writeFileSync(join(stage.home, '.claude/.credentials.json'), credentials);
}

function diary(stage: Stage): readonly string[] {
  const file = join(stage.home, 'diary');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

const attempts = (stage: Stage): number => diary(stage).filter((line) => line.startsWith('-p')).length;

it('believes a refused login when it was refused twice, and looks again only when it is another login', async () => {
  const stage = aStage();
  stage.fake('claude', CLAUDE);
  loggedIn(stage, 'bad');
  const first = await stage.run(['run', 'x']);
  expect(first.code).toBe(69);
  expect(first.stderr).toContain('tried once more');
  expect(attempts(stage)).toBe(2);
  expect(stage.cooldowns()).toMatchObject([
    { kind: 'auth-failure', credentials: expect.stringMatching(/^[0-9a-f]{32}$/) as string },
  ]);
  expect(readFileSync(join(stage.stateHome, 'cooldowns.json'), 'utf8')).not.toContain('bad');

  // Nothing has changed: nobody is asked, neither the provider nor the CLI.
  expect((await stage.run(['run', 'x'])).code).toBe(69);
  expect(attempts(stage)).toBe(2);
  expect(diary(stage)).not.toContain('auth status');

  loggedIn(stage, 'good');
  const after = await stage.run(['run', 'x']);
  expect(after).toMatchObject({ code: 0, stdout: 'All done.\n' });
  expect(diary(stage)).toContain('auth status');
  expect(stage.cooldowns()).toEqual([]);
});

it('goes on with a login that another process renewed just when it was refused', async () => {
  const stage = aStage();
  stage.fake(
    'claude',
    CLAUDE.replace('exit 1 ;;\n  esac', 'echo good > "$HOME/.claude/.credentials.json"; exit 1 ;;\n  esac'),
  );
  loggedIn(stage, 'old');
  expect(await stage.run(['run', 'x'])).toMatchObject({ code: 0, stdout: 'All done.\n' });
  expect(attempts(stage)).toBe(2);
  expect(stage.cooldowns()).toEqual([]);
});

it('says how to log in as the worker whose login was refused, where its seat has a home of its own', async () => {
  const stage = aStage();
  stage.fake('claude', CLAUDE);
  loggedIn(stage, 'bad');
  stage.configure({
    workers: [{ id: 'second', adapter: 'claude', env: { CLAUDE_CONFIG_DIR: '~/.claude two' } }],
  });
  const { code, stderr } = await stage.run(['run', 'x']);
  expect(code).toBe(69);
  expect(stderr).toContain("Log in with: CLAUDE_CONFIG_DIR=~/'.claude two' claude auth login; then:");
});
