import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { childFixture } from '../rig/children.ts';
import { aStage } from '../rig/cli.ts';

const capture = (name: string): string => childFixture(`../${name}`);
const stream = (name: string): string => join(capture(name), 'stream.jsonl');
const RETRY =
  '{"type":"system","subtype":"api_retry","retry_delay_ms":7199337,"error_status":429,"error":"rate_limit"}\n';

async function verdict(args: readonly string[], stdin?: string): Promise<Record<string, unknown>> {
  const options = stdin === undefined ? {} : { stdin };
  const { code, stdout, stderr } = await aStage().run(['replay', '--json', ...args], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Record<string, unknown>;
}

it('reads a capture with what lies beside it: who printed it, when, where and how it ended', async () => {
  const { why, ...expected } = JSON.parse(
    readFileSync(join(capture('claude/seat-exhausted-sleeps'), 'expected.json'), 'utf8'),
  ) as Record<string, unknown>;
  expect(why).not.toBe('');
  expect(await verdict([stream('claude/seat-exhausted-sleeps')])).toMatchObject(expected);
});

it('tells the same in words', async () => {
  const { code, stdout } = await aStage().run(['replay', stream('claude/seat-exhausted-sleeps')]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^exhausted: the worker would rest, and the next one take the task$/m);
  expect(stdout).toMatch(/^signal: +rate-limit \(out of quota\) on seat, from event: /m);
  expect(stdout).toMatch(/^cooldown: until 21:44 \(after 2h\), source event$/m);
  expect(stdout).toMatch(/^ended: +at line 2, 717 ms after the start$/m);
});

it("reads a CLI's plain output from a file and from stdin, as of --now", async () => {
  const stage = aStage();
  writeFileSync(join(stage.project, 'plain'), RETRY);
  const now = ['--adapter', 'claude', '--now', '2026-01-01T00:00:00Z'];
  const expected = {
    ...{ outcome: 'exhausted', killed: true, actedAt: { line: 1, t: 0 } },
    cooldown: { kind: 'rate-limit', until: '2026-01-01T01:59:59.337Z' },
  };
  expect(await verdict([join(stage.project, 'plain'), ...now])).toMatchObject(expected);
  expect(await verdict(['-', ...now], RETRY)).toMatchObject(expected);
  expect(await verdict(['-', ...now], RETRY.replace('\n', '\r\n'))).toMatchObject(expected);
});

it('takes the child as still running without --exit, and as ended with it', async () => {
  expect(await verdict(['-', '-a', 'claude'], 'hello\n')).toMatchObject({ outcome: 'running', signal: null });
  expect(await verdict(['-', '-a', 'claude', '--exit', '1'], 'hello\n')).toMatchObject({
    ...{ outcome: 'failed', cooldown: null, killed: false, reason: 'it exited with 1 without a result' },
  });
  expect(await verdict(['-', '-a', 'claude', '--exit', '0'], '')).toMatchObject({ outcome: 'failed' });
});

it.each([
  ['UTC', '2026-01-01T21:16:00.000Z'],
  ['Europe/Berlin', '2026-01-01T20:16:00.000Z'],
  ['Asia/Kolkata', '2026-01-01T15:46:00.000Z'],
])('reads a time of day in the zone of --tz: %s', async (zone, until) => {
  const failed = {
    type: 'turn.failed',
    error: { message: "You've hit your usage limit. Try again at 9:16 PM." },
  };
  const args = ['-', '-a', 'codex', '--now', '2026-01-01T12:00:00Z', '--tz', zone];
  expect(await verdict(args, `${JSON.stringify(failed)}\n`)).toMatchObject({
    cooldown: { until, source: 'text' },
  });
});

it('has the patience of --patience', async () => {
  const throttled = RETRY.replace('7199337', '5000');
  const args = ['-', '-a', 'claude'];
  expect(await verdict(args, throttled)).toMatchObject({ outcome: 'running' });
  expect(await verdict([...args, '--patience', '0'], throttled)).toMatchObject({ outcome: 'exhausted' });
  expect(await verdict([...args, '--patience', '3s'], throttled)).toMatchObject({ outcome: 'exhausted' });
});

it('rests as long as the environment says when nothing names a reset', async () => {
  const stage = aStage();
  const env = { SECONDWIND_COOLDOWN_RATELIMIT_MS: '2h' };
  const { stdout } = await stage.run(['replay', stream('codex/usage-limit-no-time-no-reading'), '--json'], {
    env,
  });
  const { cooldown } = JSON.parse(stdout) as { cooldown: { since: string; until: string } };
  expect(Date.parse(cooldown.until) - Date.parse(cooldown.since)).toBe(2 * 3_600_000);
});

it.each(['{"cli":', 'null', '[]', '7', '', '{"cli":7,"startedAt":"noon","tz":7,"exit":"x"}'])(
  'lets a capture.json that holds %j be, as if it were not there',
  async (text) => {
    const stage = aStage();
    cpSync(capture('claude/ok'), join(stage.project, 'copy'), { recursive: true });
    writeFileSync(join(stage.project, 'copy', 'capture.json'), text);
    const args = [join(stage.project, 'copy', 'stream.jsonl'), '--adapter', 'claude', '--exit', '0'];
    expect(await verdict(args)).toMatchObject({ outcome: 'done' });
  },
);

it.each([
  '{"t":1e300,"ch":"stdout","line":"x"}',
  '{"t":-1,"ch":"stdout","line":"x"}',
  '{"t":"1"}',
  '\u0000\ufffd',
])('takes the line %j, which no capture has, for what a CLI printed', async (text) => {
  expect(await verdict(['-', '-a', 'claude', '--exit', '1'], `${text}\n`)).toMatchObject({
    outcome: 'failed',
  });
});

it('spawns nothing and writes nothing', async () => {
  const stage = aStage();
  stage.fake('claude', 'touch "$HOME/started"');
  await stage.run(['replay', stream('claude/seat-exhausted-sleeps')]);
  expect(stage.cooldowns()).toEqual([]);
  expect(await stage.run(['cooldown', '--json'])).toMatchObject({ stdout: '[]\n' });
});
