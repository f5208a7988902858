import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as claude from '../../src/upstream/scenarios/claude.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import { eventsOf, hours, TASK } from '../rig/live-expectations.ts';
import { aFleet } from '../rig/live-fleet.ts';
import { aUsageEndpoint, madeUpChatGptLogin } from '../rig/usage-endpoint.ts';

interface SavedReading {
  readonly seat: string;
  readonly window: string;
  readonly usedPercent: number | null;
  readonly source: string;
}

function saved({ state }: { readonly state: string }): readonly SavedReading[] {
  const text = readFileSync(join(state, 'quota.json'), 'utf8');
  return (JSON.parse(text) as { readonly readings: readonly SavedReading[] }).readings;
}

it('a healthy run of the real Claude Code leaves a reading of its windows, and what it cost', async () => {
  const fleet = await aFleet({ claude: claude.says(undefined, claude.openWindows()) });
  const run = await fleet.run(TASK);
  expect(run).toMatchObject({ exitCode: 0 });
  const readings = saved(fleet);
  expect(readings).not.toEqual([]);
  expect(readings.every(({ seat, source }) => seat === 'claude' && source === 'event')).toBe(true);
  expect(readings.map(({ window }) => window)).toContain('7d');
  expect(eventsOf(run, 'attempt.ended')[0]).toMatchObject({
    seat: 'claude',
    costUsd: expect.any(Number) as number,
  });
});

it('a window that the real Claude Code meets closed is one that is full', async () => {
  const closed = claude.closedWindow({ window: 'five_hour', resetsIn: hours(2) });
  const fleet = await aFleet({ claude: closed, spare: codex.says() });
  await fleet.run(TASK);
  expect(saved(fleet)).toContainEqual(
    expect.objectContaining({ seat: 'claude', window: '5h', usedPercent: 100, source: 'refusal' }),
  );
});

it('a poll of the real Codex CLI is a reading, calls no model, and rests nobody', async () => {
  const usage = await aUsageEndpoint(100);
  const fleet = await aFleet(
    { codex: codex.says() },
    { codex: { args: ['-c', `chatgpt_base_url="${usage.url}"`] } },
  );
  madeUpChatGptLogin(fleet.workers.codex.env['CODEX_HOME'] ?? '');
  const polled = await fleet.product(['quota', 'poll', '--json']);
  expect(JSON.parse(polled.stdout)).toMatchObject([{ seat: 'codex', result: 'seen' }]);
  expect(saved(fleet)).toMatchObject([
    { seat: 'codex', window: '5h', usedPercent: 100, source: 'probe' },
    { seat: 'codex', window: '7d', usedPercent: 40, source: 'probe' },
  ]);
  expect(fleet.upstream.calls('codex')).toEqual([]);
  expect(await fleet.cooldowns()).toEqual([]);
  expect(fleet.alive()).toEqual([]);
});
