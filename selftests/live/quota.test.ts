import { expect, it } from 'vitest';
import * as claude from '../../src/upstream/scenarios/claude.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import { aFleet } from '../rig/live-fleet.ts';
import { aUsageEndpoint, madeUpChatGptLogin } from '../rig/usage-endpoint.ts';

const TASK = 'Say hello to the crew.';

async function aCodex(usedPercent: number) {
  const usage = await aUsageEndpoint(usedPercent);
  const args = ['-c', `chatgpt_base_url="${usage.url}"`];
  const fleet = await aFleet({ codex: codex.says() }, { codex: { args } });
  madeUpChatGptLogin(fleet.workers.codex.env['CODEX_HOME'] ?? '');
  return { usage, fleet };
}

it('the real Codex CLI tells of a closed window before it is given a task, without calling a model', async () => {
  const { usage, fleet } = await aCodex(100);
  const run = await fleet.run(TASK, { args: ['--preflight'] });
  expect(run).toMatchObject({ exitCode: 75 });
  expect(usage.asked()).toBe(1);
  expect(fleet.upstream.calls('codex')).toEqual([]);
  expect(await fleet.cooldowns()).toMatchObject([
    {
      ...{ worker: 'codex', kind: 'rate-limit', source: 'probe' },
      until: new Date(usage.resetAt * 1_000).toISOString(),
    },
  ]);
  expect(fleet.alive()).toEqual([]);
});

it('the real Codex CLI is given the task when it tells of room', async () => {
  const { usage, fleet } = await aCodex(12);
  const run = await fleet.run(TASK, { args: ['--preflight'] });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(usage.asked()).toBe(1);
  expect(await fleet.cooldowns()).toEqual([]);
});

it('the real Claude Code says that it does not know, and is given the task all the same', async () => {
  const fleet = await aFleet({ claude: claude.says() });
  const run = await fleet.run(TASK, { args: ['--preflight'] });
  expect(run).toMatchObject({ exitCode: 0 });
  expect(fleet.starts('claude')).toBe(2);
  expect(await fleet.cooldowns()).toEqual([]);
});
