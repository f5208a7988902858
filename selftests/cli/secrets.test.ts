import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

/** Of no vendor's form, so that only its place gives it away; with what JSON has to escape in the second. */
const OURS = 'canary-ours-8f3k2m9x';
const THEIRS = 'canary"theirs\\7h2j4k5l';
/** Of a vendor's form, in places that have no name. */
const KEY = 'sk-ant-api03-canaryKeyAbCdEf0123456789';

/** A Claude Code that puts secrets wherever an agent and its vendor can, and is then out of credits. */
function aLeak(stage: Stage): void {
  const tool = (id: string, input: unknown) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name: 'Bash', input }] },
  });
  const events = [
    { type: 'system', subtype: 'init', session_id: 'conversation-1', model: 'opus' },
    tool('1', { command: `curl -H "Authorization: Bearer ${OURS}" https://x.example` }),
    tool('2', { command: `deploy ${OURS} --token ${THEIRS} ${KEY}` }),
    tool('3', { command: `${'x'.repeat(185)} ${OURS} and more` }),
    { type: 'system', subtype: 'never_seen', note: `${OURS} ${KEY}` },
    {
      ...{ type: 'result', subtype: 'success', is_error: true, api_error_status: 400 },
      result: `Your credit balance is too low (key ${THEIRS}, ${OURS}, ${KEY})`,
    },
  ];
  const lines = events.map((event) => JSON.stringify(event)).join('\n');
  stage.fake('claude', `cat <<'END'\n${lines}\nEND\necho 'debug: ${OURS} ${KEY}' >&2\nexit 1`);
  stage.fake('codex', `echo 'fatal: ${OURS} ${KEY}' >&2; exit 3`);
}

/** Every file below a folder, with what is in it. */
function filesBelow(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, readFileSync(path, 'utf8')] as const;
    });
}

it('writes no secret into its state and shows none: of the environment, of a tool call, of a vendor', async () => {
  const stage = aStage();
  aLeak(stage);
  stage.configure({
    workers: [
      { id: 'claude', adapter: 'claude', env: { DEPLOY_PASSWORD: THEIRS } },
      { id: 'codex', adapter: 'codex', env: { DEPLOY_PASSWORD: THEIRS } },
    ],
    on: { 'session.ended': 'echo "$OUR_API_KEY" >&2; exit 1' },
  });
  const env = { OUR_API_KEY: OURS };
  const said: string[] = [];
  for (const args of [
    ...[
      ['run', 'say hi'],
      ['run', '--json', '--ignore-cooldown', 'say hi'],
      ['cooldown'],
      ['cooldown', '--json'],
    ],
    ...[
      ['sessions', '--json'],
      ['config', 'show'],
      ['config', 'show', '--json'],
      ['status', '--json'],
    ],
  ]) {
    const { stdout, stderr } = await stage.run(args, { env });
    said.push(stdout, stderr);
  }
  const all = said.join('');
  // The story took place, and what can be told of it was.
  expect(all).toMatch(/deploy \[secret\] --token \[secret\] \[key\]/);
  expect(all).toContain('out of credits');
  const kept = filesBelow(stage.stateHome).filter(([path]) => !path.endsWith('/config.json'));
  expect(kept.map(([path]) => path).join('\n')).toMatch(/ledger\/.*sessions\/|cooldowns.json/s);
  const canaries = [OURS, THEIRS, JSON.stringify(THEIRS).slice(1, -1), KEY, 'canary-ours', 'canaryKey'];
  for (const canary of canaries) {
    expect(all).not.toContain(canary);
    expect(kept.filter(([, text]) => text.includes(canary)).map(([path]) => path)).toEqual([]);
  }
});
