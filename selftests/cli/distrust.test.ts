import { expect, it } from 'vitest';
import { aStage } from '../rig/cli.ts';
import { CLAUDE, codex, rests } from '../rig/fake-clis.ts';

const inAnHour = () => Math.floor(Date.now() / 1_000) + 3_600;

it('passes over a worker whose window is closed before it costs a run, when told to look first', async () => {
  const stage = aStage();
  const reset = inAnHour();
  stage.fake('codex', codex(100, reset));
  stage.fake('claude', CLAUDE);
  const args = ['run', '-w', 'codex,claude', 'x'];
  const { code, stdout, events } = await stage.run([...args, '--preflight', '--json']);
  expect(code).toBe(0);
  expect(events.filter(({ type }) => type === 'attempt.started').map(({ worker }) => worker)).toEqual([
    'claude',
  ]);
  expect(events.find(({ type }) => type === 'worker.skipped')).toMatchObject({
    worker: 'codex',
    kind: 'rate-limit',
  });
  expect(stdout).toContain('By claude.');
  expect(stage.cooldowns()).toMatchObject([
    { worker: 'codex', source: 'probe', until: new Date(reset * 1_000).toISOString() },
  ]);
});

it('asks a worker that has room, or cannot say, as ever', async () => {
  const stage = aStage();
  stage.fake('codex', codex(12));
  stage.fake('claude', CLAUDE);
  expect(await stage.run(['run', '-w', 'codex', '--preflight', 'x'])).toMatchObject({
    code: 0,
    stdout: 'By codex.\n',
  });
  expect(await stage.run(['run', '-w', 'claude', '--preflight', 'x'])).toMatchObject({
    code: 0,
    stdout: 'By claude.\n',
  });
});

it('looks whether room is back when everybody rests, and goes on at once where it is', async () => {
  const stage = aStage();
  stage.fake('codex', codex(12));
  rests(stage, 'codex');
  const { code, stdout, stderr } = await stage.run(['run', '-w', 'codex', 'x']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'By codex.\n' });
  expect(stderr).toContain('its cooldown is over (probe)');
});

it('goes on resting, until the newer reset, where it is not', async () => {
  const stage = aStage();
  const reset = inAnHour();
  stage.fake('codex', codex(100, reset));
  rests(stage, 'codex');
  expect((await stage.run(['run', '-w', 'codex', 'x'])).code).toBe(75);
  expect(stage.cooldowns()).toMatchObject([
    { until: new Date(reset * 1_000).toISOString(), source: 'probe' },
  ]);
});

it('believes a rest that was met a moment ago without asking', async () => {
  const stage = aStage();
  stage.fake('codex', codex(12));
  rests(stage, 'codex', 1 / 60);
  expect((await stage.run(['run', '-w', 'codex', 'x'])).code).toBe(75);
  expect(stage.cooldowns()).toHaveLength(1);
});
