import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { childFixture, writeScript } from '../rig/children.ts';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

const VERSION = 'case "$*" in *--version*) echo "2.1.197 (Claude Code)"; exit 0;; esac';

/** A claude that plays a recorded run. */
function playing(stage: Stage, capture: string): Record<string, string> {
  writeScript(
    join(stage.bin, 'claude'),
    `${VERSION}\nexec "${process.execPath}" "${childFixture('play.js')}"`,
  );
  return { PLAY_CAPTURE: childFixture(`../claude/${capture}`), PLAY_LONGEST_GAP_MS: '20' };
}

function json(stage: Stage, file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(stage.project, file), 'utf8')) as Record<string, unknown>;
}

it('records a run that selftest then replays', async () => {
  const stage = aStage();
  const env = playing(stage, 'seat-exhausted-exits');
  const { code, stdout, stderr } = await stage.run(['capture', '-o', 'limit', '--', 'claude', '-p', 'hi'], {
    env,
  });
  expect(code).toBe(0);
  expect(stdout.split('\n').filter((line) => line.startsWith('{"type"'))).toHaveLength(4);
  expect(stderr).toMatch(
    /Recorded in \.\/limit; secondwind makes of it: exhausted: out of quota \(five-hour limit\), acted on at line 2\./,
  );
  expect(stderr).toMatch(/secondwind selftest --fixtures \.\/limit/);
  expect(readdirSync(join(stage.project, 'limit'))).toEqual([
    'capture.json',
    'expected.json',
    'stream.jsonl',
  ]);
  expect(statSync(join(stage.project, 'limit/stream.jsonl')).mode & 0o077).toBe(0);
  expect(json(stage, 'limit/capture.json')).toMatchObject({
    ...{ cli: 'claude', version: '2.1.197 (Claude Code)', scenario: 'limit', tz: 'UTC', options: ['-p'] },
    exit: { code: 1, signal: null },
  });
  expect(json(stage, 'limit/expected.json')).toMatchObject({
    outcome: 'exhausted',
    actedAt: { line: 2 },
    killed: true,
  });
  const again = await stage.run(['selftest', '--fixtures', 'limit']);
  expect(again).toMatchObject({ code: 0 });
  expect(again.stdout).toMatch(/✓ limit +exhausted: rate-limit on seat/);
});

it('takes out who and where it was, and shows what', async () => {
  const stage = aStage();
  const line = JSON.stringify({
    ...{ type: 'system', subtype: 'init', session_id: '3488648d-0545-4e7c-bbe6-36fcbe89e28f', model: 'm' },
    ...{ cwd: stage.project, memory: `${stage.home}/.claude`, account: { email: 'alice@example.com' } },
    apiKey: 'not-a-known-form',
  });
  writeScript(join(stage.bin, 'claude'), `${VERSION}\necho '${line}'\necho "$SERVICE_TOKEN" >&2`);
  const env = { SERVICE_TOKEN: 'tarts-and-hearts' };
  const { code, stderr } = await stage.run(['capture', '-o', 'x', '--', 'claude'], { env });
  expect(code).toBe(0);
  const stream = readFileSync(join(stage.project, 'x/stream.jsonl'), 'utf8');
  for (const own of [
    stage.project,
    stage.home,
    'alice',
    '3488648d',
    'not-a-known-form',
    'tarts-and-hearts',
    userInfo().homedir === '/root' ? stage.home : userInfo().username,
  ]) {
    expect(stream).not.toContain(own);
  }
  expect(stream).toContain('/home/dev/project');
  expect(stderr).toMatch(/Taken out of it:\n/);
  for (const row of [
    /1 e-mail address \(alic…\)/,
    /1 id \(3488…\)/,
    /1 mention of your home folder/,
    /2 secrets/,
  ]) {
    expect(stderr).toMatch(row);
  }
});

it('keeps a run that is stopped as one that was still running', async () => {
  const stage = aStage();
  const env = playing(stage, 'seat-exhausted-sleeps');
  const running = stage.start(['capture', '-o', 'slept', '--timeout', '3s', '--', 'claude', '-p', 'hi'], {
    env,
  });
  const { code } = await running.finished;
  expect(code).toBe(0);
  expect(json(stage, 'slept/capture.json')).toMatchObject({ exit: null, stoppedByCapture: true });
  expect(json(stage, 'slept/expected.json')).toMatchObject({ outcome: 'exhausted', actedAt: { line: 2 } });
  expect(stage.alive()).toEqual([]);
});

it('keeps what there is at Ctrl-C', async () => {
  const stage = aStage();
  writeScript(join(stage.bin, 'claude'), `${VERSION}\necho "half a word" >&2; exec /bin/sleep 300`);
  const running = stage.start(['capture', '-o', 'x', '--', 'claude']);
  await running.says('half a word');
  running.kill('SIGINT');
  expect(await running.finished).toMatchObject({ code: 130 });
  expect(readFileSync(join(stage.project, 'x/stream.jsonl'), 'utf8')).toContain('half a word');
  expect(json(stage, 'x/capture.json')).toMatchObject({ stoppedByCapture: true });
  expect(stage.alive()).toEqual([]);
});

it("keeps Codex's own reading of its windows, when it is of this run", async () => {
  const stage = aStage();
  const reading = (at: string): string =>
    JSON.stringify({
      ...{ timestamp: at, type: 'event_msg' },
      payload: {
        type: 'token_count',
        rate_limits: { primary: { used_percent: 100, window_minutes: 300, resets_at: 1_996_000_000 } },
      },
    });
  const sessions = join(stage.home, '.codex/sessions/2026/11/29');
  mkdirSync(sessions, { recursive: true });
  const old = join(sessions, 'rollout-2026-11-29T00-00-00-a.jsonl');
  writeFileSync(old, `${reading('2020-01-01T00:00:00.000Z')}\n`);
  const version = 'case "$*" in *--version*) echo "codex-cli 0.171.0"; exit 0;; esac';
  writeScript(join(stage.bin, 'codex'), `${version}\necho '{"type":"thread.started","thread_id":"t"}'`);
  await stage.run(['capture', '-o', 'old', '--', 'codex', 'exec', '--json', 'hi']);
  expect(existsSync(join(stage.project, 'old/rollout.jsonl'))).toBe(false);
  writeScript(
    join(stage.bin, 'codex'),
    `${version}\necho '{"type":"thread.started","thread_id":"t"}'\necho '${reading('2099-01-01T00:00:00.000Z')}' >> '${old}'`,
  );
  await stage.run(['capture', '-o', 'new', '--', 'codex', 'exec', '--json', 'hi']);
  expect(readFileSync(join(stage.project, 'new/rollout.jsonl'), 'utf8')).toContain('"used_percent":100');
});

it.each<[string, readonly string[], number, RegExp]>([
  ['no CLI', ['capture'], 2, /expected a CLI and its arguments after '--', but found nothing/],
  [
    'a program of no adapter',
    ['capture', '--', 'aider', '-p'],
    2,
    /--adapter: expected one of .*, but 'aider' is the name of none\./,
  ],
  [
    'an unknown adapter',
    ['capture', '-a', 'aider', '--', 'claude'],
    2,
    /--adapter: expected one of .*, but found 'aider'\./,
  ],
  [
    'a program that is not there',
    ['capture', '--', 'gemini', '-p', 'hi'],
    69,
    /gemini cannot be started: it is not installed\./,
  ],
])('refuses %s in a sentence', async (_what, args, exit, sentence) => {
  const stage = aStage();
  const { code, stderr } = await stage.run(args);
  expect(code).toBe(exit);
  expect(stderr).toMatch(sentence);
  expect(readdirSync(stage.project)).toEqual([]);
});

it('writes over nothing', async () => {
  const stage = aStage();
  mkdirSync(join(stage.project, 'mine'));
  writeFileSync(join(stage.project, 'mine/thesis'), 'x');
  const { code, stderr } = await stage.run(['capture', '-o', 'mine', '--', 'claude']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/mine holds something already; name a new folder with -o\.\n$/);
});

it('takes a program by another name with --adapter, and says when there is nothing to read', async () => {
  const stage = aStage();
  writeScript(join(stage.bin, 'my-cli'), 'echo "All done."');
  const { code, stderr } = await stage.run(['capture', '-a', 'claude', '-o', 'x', '--', 'my-cli']);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /It printed no events: secondwind reads Claude Code as 'secondwind run --dry-run' starts it\./,
  );
  expect(json(stage, 'x/capture.json')).toMatchObject({ cli: 'claude', version: 'unknown' });
});
