import { expect, it } from 'vitest';
import type { Finished } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

const HOUR = 3_600_000;
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

it('lists nobody, in words and as JSON, before anything has happened', async () => {
  const { run } = aStage();
  expect(await run(['cooldown'])).toMatchObject({ code: 0, stdout: 'Nobody rests.\n' });
  expect(await run(['cooldown', 'list', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(await run(['cooldown', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
});

it('lists who rests, the first back first, with everything that a script may want', async () => {
  const { run } = aStage();
  await run(['cooldown', 'add', 'claude', '--for', '5h', '--reason', 'a long day']);
  await run(['cooldown', 'add', 'codex', '--for', '1h', '--kind', 'out-of-credits']);
  await run(['cooldown', 'add', 'gemini', '--until', '2999-12-24T18:30:00Z']);
  const rows = JSON.parse((await run(['cooldown', 'list', '--json'])).stdout) as Record<string, unknown>[];
  expect(rows.map(({ worker }) => worker)).toEqual(['codex', 'claude', 'gemini']);
  expect(rows[0]).toMatchObject({ seat: 'codex', model: null, kind: 'out-of-credits', source: 'operator' });
  expect(rows[1]).toMatchObject({ reason: 'a long day', kind: 'rate-limit', evidence: '' });
  expect(rows[2]).toMatchObject({ until: '2999-12-24T18:30:00.000Z' });
  for (const { since, until, remainingMs } of rows) {
    const length = Date.parse(String(until)) - Date.parse(String(since));
    expect(remainingMs).toBeLessThanOrEqual(length);
    expect(remainingMs).toBeGreaterThan(length - HOUR / 2);
  }
  const { stdout } = await run(['cooldown', 'list']);
  expect(stdout.split('\n')[0]).toMatch(/^WORKER +RESTS +KIND +UNTIL +WHY$/);
  expect(stdout).toMatch(/^claude +seat claude +- .* in (5h|4h 59m) +rested by hand \(a long day\)$/m);
  expect(stdout).toMatch(/^gemini .*Dec 24, 2999, 18:30 /m);
});

it('lists the same whether or not the command line had to be understood first', async () => {
  const { run } = aStage();
  await run(['cooldown', 'add', 'claude', '--for', '5h']);
  await run(['cooldown', 'add', 'codex', '--until', '2999-12-24T18:30:00Z']);
  // With a -- it is not what prompts and scripts ask, and is read as all else is.
  const timeless = ({ stdout, ...rest }: Finished) => ({
    ...rest,
    stdout: stdout.replace(/ +/g, ' ').replace(/in (?:\d+[dhms] ?)+|"remainingMs": \d+/g, ''),
  });
  const [words, long, json, rows] = [
    await run(['cooldown', 'list']),
    await run(['cooldown', 'list', '--']),
    await run(['cooldown', 'list', '--json']),
    await run(['cooldown', 'list', '--json', '--']),
  ].map(timeless);
  expect(words).toEqual(long);
  expect(json).toEqual(rows);
  expect(json?.stdout).toContain('"worker": "codex"');
  expect((await run(['cooldown', 'list', 'claude'])).code).toBe(2);
});

it('adds a rest and says until when, in words and as JSON', async () => {
  const { run } = aStage();
  const { code, stdout } = await run(['cooldown', 'add', 'claude', '--for', '90m']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Worker claude: seat claude rests until .* \(in 1h 30m\)\.\n$/);
  const added = await run(['cooldown', 'add', 'codex', '--until', '2999-12-24T18:30:00Z', '--json']);
  expect(JSON.parse(added.stdout)).toMatchObject([{ worker: 'codex', until: '2999-12-24T18:30:00.000Z' }]);
});

/** In three hours and to the minute, and tomorrow: never a moment that has just passed while the test ran. */
const SOON = new Date(Date.now() + 3 * HOUR).toISOString().slice(11, 16);
const TOMORROW = new Date(Date.now() + 24 * HOUR);

it.each([
  ['18:30', SOON, SOON],
  ['Mon 9am', `${DAYS[TOMORROW.getUTCDay()] ?? ''} 9am`, '09:00'],
])('reads a time such as %s as its next occurrence', async (_, text, time) => {
  const { run } = aStage();
  const { code, stdout } = await run(['cooldown', 'add', 'claude', '--until', text, '--json']);
  expect(code).toBe(0);
  const [{ since, until }] = JSON.parse(stdout) as [{ since: string; until: string }];
  expect(Date.parse(until)).toBeGreaterThan(Date.parse(since));
  expect(until).toContain(`T${time}:00.000Z`);
});

it('clears one worker, leaves the others, and says what it cleared', async () => {
  const { run } = aStage();
  for (const worker of ['claude', 'codex']) await run(['cooldown', 'add', worker, '--for', '5h']);
  const { code, stdout } = await run(['cooldown', 'clear', 'claude']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Cleared: claude, rested by hand (seat claude).\n' });
  const left = JSON.parse((await run(['cooldown', '--json'])).stdout) as { worker: string }[];
  expect(left.map(({ worker }) => worker)).toEqual(['codex']);
});

it('clears everybody when no worker is named', async () => {
  const { run } = aStage();
  for (const worker of ['claude', 'codex']) await run(['cooldown', 'add', worker, '--for', '5h']);
  const cleared = await run(['cooldown', 'clear', '--json']);
  expect((JSON.parse(cleared.stdout) as { worker: string }[]).map(({ worker }) => worker).sort()).toEqual([
    'claude',
    'codex',
  ]);
  expect(await run(['cooldown'])).toMatchObject({ stdout: 'Nobody rests.\n' });
});

it('clears only the kind that is asked for', async () => {
  const { run } = aStage();
  await run(['cooldown', 'add', 'claude', '--for', '5h', '--kind', 'auth-failure']);
  const other = await run(['cooldown', 'clear', 'claude', '--kind', 'rate-limit']);
  expect(other.stdout).toBe('Worker claude was not resting for rate-limit; there is nothing to clear.\n');
  expect((await run(['cooldown', 'clear', '--kind', 'auth-failure'])).stdout).toContain('Cleared: claude');
});

it('says that there was nothing to clear', async () => {
  const { run } = aStage();
  expect(await run(['cooldown', 'clear'])).toMatchObject({
    ...{ code: 0, stdout: 'Nobody was resting; there is nothing to clear.\n' },
  });
  expect((await run(['cooldown', 'clear', 'claude'])).stdout).toBe(
    'Worker claude was not resting; there is nothing to clear.\n',
  );
});

it('lets a worker run again the moment it is cleared', async () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  await stage.run(['cooldown', 'add', 'claude', '--for', '5h']);
  expect((await stage.run(['run', 'x'])).code).toBe(75);
  await stage.run(['cooldown', 'clear', 'claude']);
  expect(await stage.run(['run', 'x'])).toMatchObject({ code: 0, stdout: 'the answer\n' });
});

it('clears a rest that a worker outside of the configuration has left', async () => {
  const stage = aStage();
  stage.configure({ workers: [{ id: 'old-name', adapter: 'claude' }] });
  await stage.run(['cooldown', 'add', 'old-name', '--for', '5h']);
  stage.configure({ workers: [{ id: 'new-name', adapter: 'claude' }] });
  expect((await stage.run(['cooldown', 'clear', 'old-name'])).stdout).toContain('Cleared: old-name');
});

it('never shortens a rest, and says until when it really is', async () => {
  const stage = aStage();
  await stage.run(['cooldown', 'add', 'claude', '--for', '5h']);
  const { stdout } = await stage.run(['cooldown', 'add', 'claude', '--for', '5m']);
  expect(stdout).toMatch(/\(in (5h|4h 59m)\), as it did already/);
});

it.each([
  [[], 'rested by hand'],
  [['--reason', 'the team needs it'], 'rested by hand (the team needs it)'],
])('calls a rest that was added by hand one thing everywhere, with %j', async (reason, words) => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  await stage.run(['cooldown', 'add', 'claude', '--for', '5h', ...reason]);
  const until = ', until \\d\\d:\\d\\d|, until \\w+ \\d+, \\d\\d:\\d\\d';
  const exactly = (before: string, after: string): RegExp =>
    new RegExp(`${before}${words.replace(/[()]/g, '\\$&')}(?:${after})`, 'm');
  for (const [args, before, after] of [
    [['cooldown'], ' -  .*  ', '$'],
    [['status'], 'resting .*  ', '$'],
    [['explain'], '^-  claude: ', until],
    [['run', '--dry-run', 'x'], '^-  claude: skipped, ', until],
    [['doctor'], '^ +! ', until],
  ] as const) {
    const { stdout } = await stage.run(args);
    expect(stdout.replace(/\n {4}(?=\S)/g, ' ')).toMatch(exactly(before, after));
    expect(stdout).not.toMatch(/rate-limit|added|operator/);
  }
  expect((await stage.run(['cooldown', 'clear'])).stdout).toBe(
    'Cleared: claude, rested by hand (seat claude).\n',
  );
});

it('names in the list the kind that a rest was given by hand, as it is cleared by that', async () => {
  const { run } = aStage();
  await run(['cooldown', 'add', 'claude', '--for', '5h', '--kind', 'auth-failure']);
  expect((await run(['cooldown'])).stdout).toMatch(/ auth-failure .*  rested by hand$/m);
});

it('rests every worker of a seat when one of them does', async () => {
  const stage = aStage();
  stage.configure({
    workers: [
      { id: 'opus', adapter: 'claude', seat: 'work' },
      { id: 'sonnet', adapter: 'claude', seat: 'work' },
    ],
  });
  stage.link('claude', 'answer.js');
  await stage.run(['cooldown', 'add', 'opus', '--for', '5h']);
  const { code, stderr } = await stage.run(['run', 'x']);
  expect(code).toBe(75);
  expect(stderr).toMatch(/sonnet: rested by hand, until .*\)$/m);
});
