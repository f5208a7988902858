import { spawnSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../rig/a-repository.ts';
import type { Finished, Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';
import { hostileText, obeyed, withoutNul } from '../rig/escapes.ts';
import { aHostileClaude, poisonState } from '../rig/hostile-home.ts';
import { aProject, workingClaude } from '../rig/worktrees.ts';

const ENV = { HOSTILE: withoutNul('cli'), FORCE_COLOR: '1' };
const TASK = withoutNul('task');

/** Marks of hostile texts that it shows, so that a view which shows none cannot pass. */
function marksIn({ stdout, stderr }: Finished): readonly string[] {
  return [...new Set([...`${stdout}${stderr}`.matchAll(/<([a-z-]+)>/gi)].map(([, mark = '']) => mark))];
}

interface Expected {
  /** What others wrote may take lines of its own: an answer, a task. */
  readonly wholeTexts?: boolean;
  /** What is shown here at least. */
  readonly shows: readonly string[];
}

/** What a command prints is obeyed by no terminal, and no line of it is one that others have made up. */
function expectHarmless(finished: Finished, { wholeTexts = false, shows }: Expected): void {
  const all = finished.stdout + finished.stderr;
  expect(all).not.toMatch(/bug of ours/);
  expect(obeyed(all)).toBe('');
  expect(marksIn(finished)).toEqual(expect.arrayContaining([...shows]));
  if (!wholeTexts) expect(all.split(/[\n\u2028]/).filter((line) => line.startsWith('FORGED'))).toEqual([]);
}

/** JSON, a document or a line each, that holds the texts as they were written. */
function expectJson(finished: Finished, shows: readonly string[]): void {
  const { stdout } = finished;
  const parsed = stdout.startsWith('{"type"') ? stdout.trimEnd().split('\n') : [stdout];
  const texts = new Set(parsed.flatMap((one) => stringsIn(JSON.parse(one))));
  // Nothing that a terminal obeys, colours included.
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expectHarmless(finished, { shows });
  for (const mark of shows)
    expect([...texts].filter((text) => text.replaceAll('\0', '').includes(withoutNul(mark)))).not.toEqual([]);
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Workers whose models, and rules whose windows and notes, are hostile; a Claude that is, in all that it says. */
function aHostileStage(): Stage {
  const stage = aStage();
  aHostileClaude(stage);
  const when = { seat: 'claude', window: hostileText('window'), usedPercent: { gte: 1 }, freshWithin: '2d' };
  stage.configure({
    workers: [
      { id: 'claude', adapter: 'claude', model: withoutNul('model') },
      { id: 'spare', adapter: 'claude', command: ['nowhere'], seat: 'spare' },
    ],
    rules: [{ when, then: 'prefer-others', note: hostileText('note') }],
    on: { 'session.ended': 'printf "%s" "$HOSTILE" >&2; exit 1' },
  });
  return stage;
}

it('a run, its hooks, its last words, and one that cannot start', async () => {
  const stage = aHostileStage();
  const run = (...args: string[]) => stage.run(['run', ...args], { env: ENV });
  expectHarmless(await run(TASK), { shows: ['agent', 'model'] });
  // Nobody can take it now, as the agent's vendor has said so in hostile words.
  expectHarmless(await run(TASK), { shows: [] });
  expectHarmless(await run('-q', '--ignore-cooldown', TASK), { shows: [] });
  const json = await run('--json', '--ignore-cooldown', TASK);
  expectJson({ ...json, stderr: '' }, ['agent', 'model', 'window', 'note']);
});

/** Every command that shows what is remembered, and what it shows of it as a person and as a script reads it. */
const VIEWS: readonly (readonly [args: string, shows: string, inJson: string])[] = [
  ['status', 'cooldowns-cooldowns-reason', 'cooldowns-cooldowns-reason model'],
  ['explain', 'cooldowns-cooldowns-reason', 'cooldowns-cooldowns-reason note window'],
  ['explain --session ID', 'ledger-task ledger-reason', 'ledger-task ledger-reason how by kind type'],
  ['doctor', 'cooldowns-cooldowns-reason model', 'cooldowns-cooldowns-reason model'],
  ['workers', 'model', 'model cooldowns-cooldowns-reason'],
  ['quota', 'quota-window quota-seat', 'quota-window quota-seat'],
  ['quota history', 'ledger-seat ledger-window', 'ledger-seat ledger-window'],
  ['quota poll', 'quota-why', 'quota-why'],
  ['sessions', 'session-session-request-task', 'session-session-request-task session-session-text'],
  ['cooldown', 'cooldowns-cooldowns-reason', 'cooldowns-cooldowns-reason cooldowns-cooldowns-evidence'],
  ['run --dry-run x', 'cooldowns-cooldowns-reason', 'cooldowns-cooldowns-reason'],
  ['config show', 'model note', 'model note'],
];

it('every view of a state into which somebody has written by hand', async () => {
  const stage = aHostileStage();
  await stage.run(['run', TASK], { env: ENV });
  poisonState(stage);
  const [file = ''] = readdirSync(join(stage.stateHome, 'sessions')).filter((name) => name.endsWith('.json'));
  const id = file.slice(0, -'.json'.length);
  const see = (args: string, ...more: string[]) =>
    stage.run([...args.replace('ID', id).split(' '), ...more], { env: ENV });
  for (const [args, shows, inJson] of VIEWS) {
    const [shown, json] = await Promise.all([see(args), see(args, '--json')]);
    expectHarmless(shown, { shows: shows.split(' ') });
    // What a dry run says besides goes to stderr, and is for people.
    expectHarmless({ ...json, stdout: '' }, { shows: [] });
    expectJson({ ...json, stderr: '' }, inJson.split(' '));
  }
  const [shown, json, csv, forTask, ended] = await Promise.all([
    see('sessions show ID'),
    see('sessions show ID --json'),
    see('quota history --csv'),
    see('explain', TASK),
    see('run x'),
  ]);
  expectHarmless(shown, {
    wholeTexts: true,
    shows: ['session-session-request-directory', 'session-session-text'],
  });
  expectJson(json, ['session-session-request-directory', 'session-session-text']);
  expectHarmless(csv, { shows: ['ledger-seat'] });
  expectHarmless(forTask, { shows: ['task'] });
  expectHarmless(ended, { shows: ['cooldowns-cooldowns-reason'] });
  expectHarmless(await see('cooldown clear'), { shows: ['cooldowns-cooldowns-worker'] });
});

it('what is wrong with a file of a project, and with words of the command line', async () => {
  const stage = aHostileStage();
  const file = join(stage.project, 'secondwind.config.json');
  writeFileSync(file, JSON.stringify({ [hostileText('key')]: 1 }));
  expectHarmless(await stage.run(['status'], { env: ENV }), { shows: ['key'] });
  expectHarmless(await stage.run(['doctor'], { env: ENV }), { shows: ['key'] });
  expectJson(await stage.run(['doctor', '--json'], { env: ENV }), ['key']);
  writeFileSync(file, '{}');
  writeFileSync(join(stage.project, 'list'), `{"id":${JSON.stringify(hostileText('id'))}}\n`);
  for (const args of [
    [TASK],
    ['run', `--${TASK}`],
    ['run', '-w', TASK, 'x'],
    ['run', '-C', TASK, 'x'],
    ['run', '--tasks', 'list'],
    ['sessions', 'show', TASK],
    ['cooldown', 'add', TASK, '--for', '1h'],
    ['replay', '--adapter', 'claude', TASK],
    ['selftest', '--fixtures', TASK],
  ])
    expectHarmless(await stage.run(args, { env: ENV }), { wholeTexts: true, shows: [] });
});

it('many tasks, and what each left in its worktree: names of files and branches', async () => {
  const stage = aProject();
  // A path holds no slash and no NUL; git lets a branch turn the direction of text, and no control characters.
  const name = hostileText('file').replaceAll(/[\0/]|w+/g, '');
  stage.fake(
    'claude',
    workingClaude(`printf x > "$NAME"; git checkout -q -b "$(printf 'b\\342\\200\\256h\\302\\205')"`),
  );
  writeFileSync(join(stage.project, name), 'mine');
  writeFileSync(
    join(stage.project, 'list'),
    [1, 2].map((n) => JSON.stringify({ task: `${TASK}${String(n)}` })).join('\n'),
  );
  const env = { ...ENV, NAME: name };
  expectHarmless(await stage.run(['run', '--worktree', TASK], { env }), { shows: ['file'] });
  expectHarmless(await stage.run(['run', '--each', TASK], { env }), { shows: [] });
  expectHarmless(await stage.run(['run', '--tasks', 'list', '--worktree'], { env }), { shows: ['task'] });
  const [file = ''] = readdirSync(join(stage.stateHome, 'sessions')).filter((one) => one.endsWith('.json'));
  const shown = await stage.run(['sessions', 'show', file.slice(0, -'.json'.length)], { env });
  expectHarmless(shown, { wholeTexts: true, shows: ['task'] });
  expect(git(stage.project, 'branch', '--list', '*h*')).not.toBe('');
});

it('a capture, what is taken out of it, its replay and its selftest', async () => {
  const stage = aStage();
  aHostileClaude(stage);
  const captured = await stage.run(['capture', '-o', 'case', '--', 'claude', '-p', TASK], { env: ENV });
  expectHarmless(captured, { wholeTexts: true, shows: ['cli'] });
  const stream = join(stage.project, 'case/stream.jsonl');
  for (const json of [false, true]) {
    const replayed = await stage.run(['replay', stream, ...(json ? ['--json'] : [])], { env: ENV });
    expectHarmless(replayed, { shows: [] });
  }
  const expected = join(stage.project, 'case/expected.json');
  const draft = JSON.parse(readFileSync(expected, 'utf8')) as Record<string, unknown>;
  const wrong = { ...draft, outcome: hostileText('outcome'), why: hostileText('why') };
  writeFileSync(expected, JSON.stringify(wrong));
  appendFileSync(stream, `${JSON.stringify({ t: 1, ch: 'stdout', line: hostileText('line') })}\n`);
  expectHarmless(await stage.run(['selftest', '--fixtures', 'case'], { env: ENV }), { shows: ['why'] });
  expectJson(await stage.run(['selftest', '--fixtures', 'case', '--json'], { env: ENV }), ['outcome']);
});

/** `script` (util-linux) gives it a terminal. */
it.runIf(process.platform === 'linux')('an answer, on a terminal; in a pipe it is as it was', async () => {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  const answer = withoutNul('answer');
  const bin = join(import.meta.dirname, '../../bin/secondwind.js');
  const { stdout } = spawnSync('/usr/bin/script', ['-qefc', `exec node "${bin}" run x`, '/dev/null'], {
    ...{ cwd: stage.project, encoding: 'utf8' },
    env: {
      ...{ PATH: stage.bin, HOME: stage.home, SECONDWIND_HOME: stage.stateHome },
      ...{ TERM: 'dumb', SHELL: '/bin/sh', ANSWER: answer },
    },
  });
  expect(stdout).toContain('<answer>');
  // The terminal itself ends lines with CR LF.
  expect(obeyed(stdout.replaceAll(/\r+\n/g, '\n'))).toBe('');
  expect((await stage.run(['run', 'x'], { env: { ANSWER: answer } })).stdout).toBe(`${answer}\n`);
});
