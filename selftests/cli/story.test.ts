import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Stage } from '../rig/cli.ts';
import { aStage, playing } from '../rig/cli.ts';

const HALF_HOUR = 30 * 60_000;
/** `retry_delay_ms` in the capture. */
const SLEEP = 7_199_337;

/** A Claude seat that falls asleep, a Codex that has used up its plan and names no time, a Gemini that finishes. */
function aNight(): Stage {
  const stage = aStage();
  const workers = [
    playing('claude', 'seat-exhausted-sleeps'),
    playing('codex', 'usage-limit-no-time-no-reading'),
    playing('gemini', 'minute-quota-recovers'),
  ];
  stage.configure({ workers });
  return stage;
}

it('hands the task on from a sleeper and an exhausted worker to the one that finishes', async () => {
  const stage = aNight();
  const before = Date.now();
  const { code, stdout, stderr } = await stage.run(['run', 'say hi']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
  expect(stage.alive()).toEqual([]);
  const rests = stage.cooldowns().map(({ worker, kind, source }) => ({ worker, kind, source }));
  expect(rests).toEqual([
    { worker: 'claude', kind: 'rate-limit', source: 'event' },
    { worker: 'codex', kind: 'rate-limit', source: 'default' },
  ]);
  const [claude, codex] = stage.cooldowns();
  expect(Date.parse(claude?.since ?? '')).toBeGreaterThanOrEqual(before);
  // The rest counts from the line that named it, which was read a moment before it was put on record.
  const claudeRests = Date.parse(claude?.until ?? '') - before;
  expect(claudeRests).toBeGreaterThanOrEqual(SLEEP);
  expect(Date.parse(claude?.until ?? '')).toBeLessThanOrEqual(Date.parse(claude?.since ?? '') + SLEEP);
  expect(Date.parse(codex?.until ?? '') - Date.parse(codex?.since ?? '')).toBe(HALF_HOUR);
  const told = [
    'claude │ starts',
    'claude │ out of quota: seat claude rests until',
    'codex  │ takes over from claude',
  ].concat([
    'codex  │ out of quota: seat codex rests until',
    'gemini │ takes over from codex',
    'gemini │ done in',
  ]);
  const places = told.map((text) => stderr.indexOf(text));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
});

it('prints nothing but events on stdout with --json, each with its type, moment and session', async () => {
  const stage = aNight();
  const { code, events, stdout } = await stage.run(['run', '--json', 'say hi']);
  expect(code).toBe(0);
  expect(events).toHaveLength(stdout.trimEnd().split('\n').length);
  for (const { type, at, session } of events) {
    expect(type).toMatch(/^[a-z]+(\.[a-z-]+)?$/);
    expect(new Date(at).toISOString()).toBe(at);
    expect(session).toBe(events[0]?.session);
  }
  expect(events[0]?.type).toBe('session.started');
  expect(events.at(-1)).toMatchObject({
    ...{ type: 'session.ended', outcome: 'done', worker: 'gemini', switchCount: 2 },
    text: expect.stringContaining('All done.') as string,
  });
  const of = (type: string) => events.filter((event) => event.type === type);
  expect(of('attempt.started').map((event) => event['worker'])).toEqual(['claude', 'codex', 'gemini']);
  expect(of('cooldown.recorded').map((event) => event['worker'])).toEqual(['claude', 'codex']);
  expect(of('handoff').map((event) => [event['from'], event['to']])).toEqual([
    ['claude', 'codex'],
    ['codex', 'gemini'],
  ]);
  const place = (type: string, worker: string): number =>
    events.findIndex((event) => event.type === type && event['worker'] === worker);
  expect(place('cooldown.recorded', 'claude')).toBeLessThan(place('attempt.started', 'codex'));
  expect(place('cooldown.recorded', 'codex')).toBeLessThan(place('attempt.started', 'gemini'));
  const untils = of('cooldown.recorded').map((event) => event['until']);
  expect(untils).toEqual(stage.cooldowns().map(({ until }) => until));
});

it('has the cooldown on the disk before the next worker starts', async () => {
  const stage = aStage();
  stage.fake('witness', 'cp "$SECONDWIND_HOME/cooldowns.json" "$HOME/seen.json"');
  const witness = { id: 'witness', adapter: 'claude', command: [join(stage.bin, 'witness')] };
  stage.configure({ workers: [playing('claude', 'seat-exhausted-sleeps'), witness] });
  await stage.run(['run', 'say hi']);
  const seen = JSON.parse(readFileSync(join(stage.home, 'seen.json'), 'utf8')) as { cooldowns: unknown };
  expect(seen.cooldowns).toMatchObject([{ worker: 'claude', kind: 'rate-limit' }]);
});

it('starts none of the resting workers in a second run, and says why each was skipped', async () => {
  const stage = aNight();
  await stage.run(['run', 'say hi']);
  const { code, events } = await stage.run(['run', '--json', 'say hi']);
  expect(code).toBe(0);
  const started = events.filter(({ type }) => type === 'attempt.started');
  expect(started.map((event) => event['worker'])).toEqual(['gemini']);
  const skipped = events.filter(({ type }) => type === 'worker.skipped');
  expect(skipped.map(({ worker, kind, until }) => ({ worker, kind, until }))).toEqual(
    stage.cooldowns().map(({ worker, kind, until }) => ({ worker, kind, until })),
  );
});

it.each([
  ['--workers', ['-w', 'claude,gemini'], {}],
  ['SECONDWIND_FLEET', [], { SECONDWIND_FLEET: 'claude,gemini' }],
])('skips a resting worker that is named by %s too, with a note', async (_, flags, env) => {
  const stage = aNight();
  await stage.run(['cooldown', 'add', 'claude', '--for', '3h', '--reason', 'the team needs it']);
  const { code, stdout, stderr } = await stage.run(['run', ...flags, 'say hi'], { env });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
  expect(stderr).toMatch(/^claude │ skipped: the team needs it, until .* \(in (3h|2h 59m)\)$/m);
  expect(stderr).not.toContain('claude │ starts');
});

it('lets SECONDWIND_FLEET choose and order the workers', async () => {
  const { run } = aNight();
  const env = { SECONDWIND_FLEET: ' gemini , claude ' };
  const { events } = await run(['run', '--json', 'say hi'], { env });
  const started = events.filter(({ type }) => type === 'attempt.started');
  expect(started.map((event) => event['worker'])).toEqual(['gemini']);
});

it('exits with 75 when everybody rests: each with its reason and reset, then who is back first', async () => {
  const stage = aNight();
  for (const [worker, length] of [
    ['claude', '5h'],
    ['codex', '2h'],
    ['gemini', '3h'],
  ] as const) {
    await stage.run(['cooldown', 'add', worker, '--for', length, '--reason', `${worker} is tired`]);
  }
  const { code, stdout, stderr } = await stage.run(['run', 'say hi']);
  expect({ code, stdout }).toEqual({ code: 75, stdout: '' });
  for (const worker of ['claude', 'codex', 'gemini']) {
    expect(stderr).toMatch(
      new RegExp(`^  ${worker}: rested by hand, until .*\\(in .*\\): ${worker} is tired$`, 'm'),
    );
  }
  expect(stderr).toMatch(/^The first back is codex, at .* \(in (2h|1h 59m)\); try again then/m);
  const told = await stage.run(['run', '--json', 'say hi']);
  const codex = stage.cooldowns().find(({ worker }) => worker === 'codex');
  expect(told.events.at(-1)).toMatchObject({ outcome: 'exhausted', retryAt: codex?.until });
});

it('exits with 75 when each of them meets its limit in this very run', async () => {
  const stage = aStage();
  stage.configure({
    workers: [playing('claude', 'seat-exhausted-sleeps'), playing('codex', 'usage-limit-no-time-no-reading')],
  });
  const { code, stderr } = await stage.run(['run', 'say hi']);
  expect(code).toBe(75);
  expect(stderr).toMatch(/^The first back is codex, at .* \(in (30m|2\dm \d+s)\)/m);
});

it('exits with 69 when none is installed, and says how to install each', async () => {
  const { code, stdout, stderr } = await aStage().run(['run', 'say hi']);
  expect({ code, stdout }).toEqual({ code: 69, stdout: '' });
  expect(stderr).toContain('  claude: not installed. Claude Code is installed with: npm install -g');
  expect(stderr).toContain('  codex: not installed. Codex CLI is installed with: npm install -g');
  expect(stderr).toContain('  gemini: not installed. Gemini CLI is installed with: npm install -g');
});

it('uses every supported CLI on the PATH when nothing is configured', async () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const { code, stdout } = await stage.run(['run', 'say hi']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'the answer\n' });
});

it("exits with 1 at a worker's own failure, asks nobody else and lets nobody rest", async () => {
  const stage = aStage();
  stage.configure({ workers: [playing('claude', 'context-too-long'), playing('gemini', 'ok')] });
  const { code, events } = await stage.run(['run', '--json', 'say hi']);
  expect(code).toBe(1);
  expect(events.filter(({ type }) => type === 'attempt.started')).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ outcome: 'failed', worker: 'claude' });
  expect(stage.cooldowns()).toEqual([]);
});

it('neither records nor obeys cooldowns with SECONDWIND_COOLDOWN=0, and asks nobody twice', async () => {
  const stage = aNight();
  await stage.run(['cooldown', 'add', 'gemini', '--for', '3h']);
  const { code, stdout, stderr } = await stage.run(['run', 'say hi'], { env: { SECONDWIND_COOLDOWN: '0' } });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
  expect(stage.cooldowns().map(({ worker }) => worker)).toEqual(['gemini']);
  expect(stderr.match(/claude │ starts/g)).toHaveLength(1);
});

it('asks resting workers too with --ignore-cooldown, and still records what they meet', async () => {
  const stage = aNight();
  for (const worker of ['claude', 'gemini']) await stage.run(['cooldown', 'add', worker, '--for', '1h']);
  const { code, stdout } = await stage.run(['run', '--ignore-cooldown', 'say hi']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
  expect(stage.cooldowns()).toContainEqual(expect.objectContaining({ worker: 'claude', source: 'event' }));
});
