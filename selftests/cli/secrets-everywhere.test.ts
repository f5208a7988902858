import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../rig/children.ts';
import type { Stage } from '../rig/cli.ts';
import { aProject } from '../rig/worktrees.ts';

/** Known by its place alone: the value of a variable whose name says that it is secret. */
const OURS = 'canary-ours-8f3k2m9x';
/** Known by its form, in places that have no name. */
const KEY = 'sk-ant-api03-canaryKeyAbCdEf0123456789';
/** Where CLIs keep their logins. Nobody prints these, so nobody may have read them to keep them. */
const LOGIN = 'canary-login-3v7b1n5c';
const TOKEN = `sk-ant-oat01-${LOGIN}`;

const CANARIES = [OURS, KEY, LOGIN, 'canary-ours', 'canaryKey'];

/** Whatever an agent and its vendor may print, but for what the agent says: that is its answer, and the user's. */
function leaking(result: object): string {
  const tool = (id: string, input: unknown) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name: 'Bash', input }] },
  });
  const lines = [
    { type: 'system', subtype: 'init', session_id: '3488648d-0545-4e7c-bbe6-36fcbe89e28f', model: 'opus' },
    tool('1', { command: `deploy ${OURS} ${KEY}` }),
    { type: 'system', subtype: `never_seen_${KEY}`, note: `${OURS} ${KEY}` },
    { type: 'result', ...result },
  ].map((event) => JSON.stringify(event));
  return [
    `case "$*" in *--version*) echo "2.1.197 (Claude Code) ${OURS} ${KEY}"; exit 0;; esac`,
    // The offline look at the login fails with the login in its mouth.
    `case "$*" in *auth*) echo "no login: ${OURS} ${KEY}"; echo "${OURS} ${KEY}" >&2; exit 1;; esac`,
    `cat <<'END'\n${lines.join('\n')}\nEND`,
    `echo 'debug: ${OURS} ${KEY}' >&2`,
  ].join('\n');
}

const REFUSED = {
  ...{ subtype: 'success', is_error: true, api_error_status: 400 },
  result: `Your credit balance is too low (${OURS}, ${KEY})`,
};
const DONE = { subtype: 'success', is_error: false, result: 'All done.' };

const ENV = { OUR_API_KEY: OURS };

function aLeakyStage() {
  const stage = aProject();
  const temp = join(stage.folder, 'temp');
  mkdirSync(temp);
  mkdirSync(join(stage.home, '.claude'));
  const login = { claudeAiOauth: { accessToken: TOKEN, refreshToken: TOKEN, expiresAt: 9e12 } };
  writeFileSync(join(stage.home, '.claude', '.credentials.json'), JSON.stringify(login));
  mkdirSync(join(stage.home, '.codex'));
  writeFileSync(join(stage.home, '.codex', 'auth.json'), JSON.stringify({ OPENAI_API_KEY: TOKEN }));
  stage.fake('claude', `${leaking(REFUSED)}\nexit 1`);
  stage.fake('codex', `${leaking(DONE)}\nexit 3`);
  const said: string[] = [];
  const run = async (...args: readonly string[]): Promise<string> => {
    const { stdout, stderr } = await stage.run(args, { env: { ...ENV, TMPDIR: temp } });
    said.push(stdout, stderr);
    return stdout + stderr;
  };
  return { stage, temp, run, all: () => said.join('') };
}

/** Every file and every name below a folder, but for those that the test itself put there. */
function expectNoneBelow(folder: string, not = /(?!)/): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (not.test(path)) continue;
    const text = entry.isFile() ? textIfThere(path) : '';
    // A file that was replaced meanwhile lies there under another name: everything is looked at anew.
    if (text === undefined) {
      expectNoneBelow(folder, not);
      return;
    }
    for (const canary of CANARIES)
      expect({ path, holds: (entry.name + text).includes(canary) }).toEqual({ path, holds: false });
  }
}

function textIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function expectNoneIn(text: string): void {
  for (const canary of CANARIES) expect(text).not.toContain(canary);
}

const CONFIG = {
  'session.ended': '/bin/cat >> "$HOME/heard"',
  'attempt.tool': '/bin/cat >> "$HOME/heard"',
  signal: '/bin/cat >> "$HOME/heard"',
  'attempt.unknown': '/bin/cat >> "$HOME/heard"',
  'attempt.ended': '/bin/cat >> "$HOME/heard"',
  'cooldown.recorded': '/bin/cat >> "$HOME/heard"',
};

function idsOf({ stateHome }: Stage): readonly string[] {
  return readdirSync(join(stateHome, 'sessions')).flatMap((name) =>
    name.endsWith('.json') ? [name.slice(0, -5)] : [],
  );
}

it('leaves no key in its state, its reports, its worktrees and temporary files, nor tells its hooks', async () => {
  const { stage, temp, run, all } = aLeakyStage();
  stage.configure({ on: CONFIG });
  await run('run', 'say hi');
  await run('run', '--json', '--worktree', '--ignore-cooldown', 'say hi');
  await run('run', '--each', '--ignore-cooldown', 'say hi');
  const [id = ''] = idsOf(stage);
  for (const args of [
    ['doctor'],
    ['doctor', '--json'],
    ['explain', '--json'],
    ['explain', '--session', id],
    ['explain', '--session', id, '--json'],
    ['sessions', 'show', id],
    ['sessions', 'show', id, '--json'],
    ['sessions', '--json'],
    ['status', '--json'],
    ['workers', '--json'],
    ['cooldown', '--json'],
    ['quota', '--json'],
    ['quota', 'poll', '--json'],
    ['quota', 'history', '--json'],
    ['config', 'show', '--json'],
    ['run', '--dry-run', '--json', 'x'],
    ['resume', id, 'go on'],
  ])
    await run(...args);
  // The story took place: agents, vendors and programs said it all, and what can be told of it was.
  expect(all()).toContain('deploy [secret] [key]');
  expect(readFileSync(join(stage.home, 'heard'), 'utf8')).toContain('deploy [secret] [key]');
  expectNoneIn(all());
  expectNoneIn(readFileSync(join(stage.home, 'heard'), 'utf8'));
  expectNoneBelow(stage.stateHome, /\/config\.json$/);
  expectNoneBelow(stage.project);
  expectNoneBelow(temp);
});

it('keeps a key in a task to the session that needs it: no ledger, no branch, no lease has it', async () => {
  const { stage, run } = aLeakyStage();
  writeFileSync(join(stage.project, 'list'), `use ${KEY}\n`);
  await run('run', '--worktree', `use ${KEY}`);
  await run('run', '--tasks', 'list', '--worktree', '--ignore-cooldown');
  expectNoneBelow(stage.stateHome, /\/sessions\/[^/]*$/);
  expectNoneBelow(join(stage.project, '.git'));
  // It is there, and only there: without it the session could not go on.
  expect(
    idsOf(stage)
      .map((id) => readFileSync(join(stage.stateHome, 'sessions', `${id}.json`), 'utf8'))
      .join(''),
  ).toContain(KEY);
});

it('has no key in what lies there while a worker is at work', async () => {
  const { stage, temp } = aLeakyStage();
  stage.fake('claude', `${leaking(DONE)}\nsleep 900`);
  const running = stage.start(['run', '--json', 'say hi'], { env: { ...ENV, TMPDIR: temp } });
  const leases = join(stage.stateHome, 'leases');
  await eventually(
    'it is at work',
    () => existsSync(leases) && readdirSync(leases).length > 0 && idsOf(stage).length > 0,
  );
  expectNoneBelow(stage.stateHome);
  expectNoneBelow(temp);
  running.kill('SIGINT');
  expectNoneIn((await running.finished).stdout);
});

it('takes keys out of a capture, and says of each no more than how it begins', async () => {
  const { stage, temp, run } = aLeakyStage();
  const said = await run('capture', '-o', 'case', '--', 'claude', '-p', `use ${KEY}`);
  // What the CLI prints is shown as it comes; what we say of it comes after.
  expectNoneIn(said.slice(said.indexOf('Taken out of it:')));
  expect(said).toMatch(/Taken out of it:[\s\S]*key/);
  expectNoneBelow(join(stage.project, 'case'));
  expectNoneBelow(temp);
  expectNoneIn(await run('replay', 'case/stream.jsonl', '--json'));
  expectNoneIn(await run('selftest', '--fixtures', 'case', '--json'));
});

it('shows no key of an output that it replays', async () => {
  const { stage, run } = aLeakyStage();
  const result = JSON.stringify({ type: 'result', ...REFUSED });
  const unknown = JSON.stringify({ type: 'system', subtype: `never_seen_${KEY}`, note: OURS });
  writeFileSync(join(stage.project, 'raw.jsonl'), `${unknown}\n${result}\n`);
  for (const json of [[], ['--json']]) {
    const told = await run('replay', '--adapter', 'claude', '--exit', '1', 'raw.jsonl', ...json);
    expect(told).toContain('credit balance is too low');
    expectNoneIn(told);
  }
});
