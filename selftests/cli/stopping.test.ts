import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { eventually } from '../rig/children.ts';
import type { Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

/** A CLI that works for a quarter of an hour, with somebody beside it; it has begun when it says so. */
function aWorker(): Stage {
  const stage = aStage();
  const text = { type: 'assistant', message: { content: [{ type: 'text', text: 'at it' }] } };
  stage.fake('claude', `echo '${JSON.stringify(text)}'\nsleep 900 &\nsleep 901 &\nwait`);
  return stage;
}

/** The same, but neither it nor those beside it hear SIGTERM. */
function aDeafWorker(): Stage {
  const stage = aStage();
  const text = { type: 'assistant', message: { content: [{ type: 'text', text: 'at it' }] } };
  stage.fake('claude', `trap '' TERM\necho '${JSON.stringify(text)}'\nsleep 900 &\nsleep 901 &\nwait`);
  return stage;
}

it.each([
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'interrupted'],
  ['SIGHUP', 129, 'interrupted'],
] as const)(
  'ends at %s with %i; the worker and all it started are gone by then',
  async (signal, code, outcome) => {
    const stage = aWorker();
    const running = stage.start(['run', '--json', 'x']);
    await eventually('the worker is at work', () => stage.alive().length === 4);
    running.kill(signal);
    const finished = await running.finished;
    expect(finished.code).toBe(code);
    expect(stage.alive()).toEqual([]);
    expect(finished.events.at(-1)).toMatchObject({ type: 'session.ended', outcome });
    expect(stage.cooldowns()).toEqual([]);
  },
);

it('waits two seconds for a worker that does not hear, then kills it', async () => {
  const stage = aDeafWorker();
  const running = stage.start(['run', 'x']);
  await running.says('at it');
  await eventually('all are there', () => stage.alive().length === 4);
  const since = performance.now();
  running.kill('SIGINT');
  expect((await running.finished).code).toBe(130);
  expect(performance.now() - since).toBeGreaterThanOrEqual(1_900);
  expect(stage.alive()).toEqual([]);
});

it.each([0, 5, 20, 50])(
  'kills at once at a second SIGINT %i ms after the first was heard, and leaves an interrupted session and nobody behind',
  async (ms) => {
    const stage = aDeafWorker();
    const running = stage.start(['run', '--json', 'x']);
    await eventually('all are there', () => stage.alive().length === 4);
    running.kill('SIGINT');
    // Both would be one signal to a process that had not yet been told of the first.
    await eventually('the first is heard', () => isCaught(running.pid));
    await delay(ms);
    running.kill('SIGINT');
    const { code, events } = await running.finished;
    expect(stage.alive()).toEqual([]);
    expect(code).toBe(130);
    expect(events.at(-1)).toMatchObject({ type: 'session.ended', outcome: 'interrupted' });
    const { stdout } = await stage.run(['sessions', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ state: 'interrupted', running: false }]);
    expect(readdirSync(join(stage.stateHome, 'leases'))).toEqual([]);
  },
);

it('ends with the code of the first signal when another follows', async () => {
  const stage = aDeafWorker();
  const running = stage.start(['run', '--json', 'x']);
  await eventually('all are there', () => stage.alive().length === 4);
  running.kill('SIGTERM');
  await eventually('the first is heard', () => isCaught(running.pid));
  running.kill('SIGINT');
  const { code, events } = await running.finished;
  expect({ code, last: events.at(-1)?.['outcome'] }).toEqual({ code: 143, last: 'interrupted' });
});

it('may do anything at a third SIGINT but leave somebody behind', async () => {
  const stage = aDeafWorker();
  const running = stage.start(['run', 'x']);
  await running.says('at it');
  await eventually('all are there', () => stage.alive().length === 4);
  for (let times = 0; times < 3; times += 1) {
    running.kill('SIGINT');
    await eventually('it is heard', () => isCaught(running.pid));
  }
  expect((await running.finished).code).toBe(130);
  await eventually('nobody is left', () => stage.alive().length === 0, 1_000);
});

/** Whether no signal is waiting to be handled (Linux; elsewhere there is no telling). */
function isCaught(pid: number): boolean {
  const status = `/proc/${String(pid)}/status`;
  if (!existsSync(status)) return true;
  const { stdout } = spawnSync('grep', ['-E', '^(SigPnd|ShdPnd):', status], { encoding: 'utf8' });
  return /^SigPnd:\s0+\nShdPnd:\s0+\n$/.test(stdout);
}

it('ends the task after --timeout with 124', async () => {
  const stage = aWorker();
  const { code, stdout, stderr } = await stage.run(['run', '--timeout', '1500ms', 'x']);
  expect({ code, stdout }).toEqual({ code: 124, stdout: '' });
  expect(stderr).toContain('secondwind: the task took longer than --timeout allows.');
  expect(stage.alive()).toEqual([]);
});

it('ends a worker that prints nothing for --idle-timeout with 124', async () => {
  const stage = aWorker();
  const { code, stderr } = await stage.run(['run', '--idle-timeout', '300ms', 'x']);
  expect(code).toBe(124);
  expect(stderr).toContain('secondwind: the worker printed nothing for longer than --idle-timeout allows.');
  expect(stage.alive()).toEqual([]);
});

it('lets a worker that prints now and then outlive --idle-timeout', async () => {
  const stage = aStage();
  const line = '{"type":"system","subtype":"status"}';
  stage.fake('claude', `for i in 1 2 3 4 5 6 7 8; do echo '${line}'; sleep 0.5; done; exec node -e ''`);
  const { code, stderr } = await stage.run(['run', '--idle-timeout', '3s', 'x']);
  expect({ code, stderr }).not.toMatchObject({ code: 124 });
});

it('is not kept alive by --timeout when the task is done', async () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const since = performance.now();
  expect((await stage.run(['run', '--timeout', '10m', 'x'])).code).toBe(0);
  expect(performance.now() - since).toBeLessThan(60_000);
});

it('goes on with the work when the reader of its events has seen enough', () => {
  const stage = aStage();
  const text = { type: 'assistant', message: { content: [{ type: 'text', text: 'at it' }] } };
  stage.fake(
    'claude',
    `for i in 1 2 3 4 5; do echo '${JSON.stringify(text)}'; sleep 0.1; done; touch "$HOME/finished"`,
  );
  const shell = `node "$1" run --json x | /usr/bin/head -c 1; /bin/sleep 0`;
  const bin = join(import.meta.dirname, '../../bin/secondwind.js');
  const env = { PATH: stage.bin, HOME: stage.home, SECONDWIND_HOME: stage.stateHome };
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', shell, 'sh', bin], { env, encoding: 'utf8' });
  expect(stdout).toBe('{');
  expect(existsSync(join(stage.home, 'finished'))).toBe(true);
  expect(stderr).not.toMatch(/bug of ours|EPIPE/);
});

it('says that its answer could not be written, and fails, when stdout takes nothing', () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const bin = join(import.meta.dirname, '../../bin/secondwind.js');
  const env = { PATH: stage.bin, HOME: stage.home, SECONDWIND_HOME: stage.stateHome };
  // Node's own words for a stdout that was opened for reading only are EBADF.
  const shell = 'node "$1" run x 1</dev/null';
  const { status, stderr } = spawnSync('/bin/sh', ['-c', shell, 'sh', bin], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('secondwind: stdout could not be written to the end: ');
  expect(stderr).not.toContain('bug of ours');
});

/** What a shell makes of a run with these redirections: it has a stdout of its own, and goes on after the run. */
function redirected(redirections: string) {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const bin = join(import.meta.dirname, '../../bin/secondwind.js');
  const env = { PATH: stage.bin, HOME: stage.home, SECONDWIND_HOME: stage.stateHome };
  const shell = `node "$1" run x ${redirections}; code=$?; exit $code`;
  return spawnSync('/bin/sh', ['-c', shell, 'sh', bin], { env, encoding: 'utf8' });
}

it.runIf(process.platform === 'linux')(
  'says that its answer could not be written, and fails, when stdout is closed',
  () => {
    const { status, stdout, stderr } = redirected('>&-');
    expect(stderr).toContain('secondwind: stdout could not be written to the end: it is closed.');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  },
);

it.each([
  ['a stdout that is not wanted', '>/dev/null', ''],
  ['a closed stderr', '2>&-', 'the answer\n'],
  ['a closed stdin', '<&-', 'the answer\n'],
  ['a closed stdin and stderr', '<&- 2>&-', 'the answer\n'],
])('does its work with %s', (_what, redirections, answer) => {
  const { status, stdout, stderr } = redirected(redirections);
  expect(stderr).not.toMatch(/stdout|bug of ours/);
  expect({ status, stdout }).toEqual({ status: 0, stdout: answer });
});

it.each(['ignore', 'pipe'] as const)(
  'takes no stdout that a parent or its shell has set to %s for a closed one',
  (stdout) => {
    const stage = aStage();
    stage.link('claude', 'answer.js');
    const bin = join(import.meta.dirname, '../../bin/secondwind.js');
    const env = { PATH: stage.bin, HOME: stage.home, SECONDWIND_HOME: stage.stateHome };
    const stdio = ['ignore', stdout, 'pipe'] as const;
    const code = 'node "$1" run x; code=$?; exit $code';
    expect(spawnSync('/bin/sh', ['-c', code, 'sh', bin], { env, stdio: [...stdio] }).status).toBe(0);
    expect(spawnSync(process.execPath, [bin, 'run', 'x'], { env, stdio: [...stdio] }).status).toBe(0);
  },
);
