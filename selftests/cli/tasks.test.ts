import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../rig/children.ts';
import type { Finished, RunOptions, Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

const result = (text: string): string =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: text });
const FAILS = 'echo "cannot do it" >&2; exit 3';
/** The last argument is the task; who was given it is noted before `then`. */
const aCli = (then: string): string => `for task in "$@"; do :; done\necho "$task" >> "$HOME/asked"\n${then}`;
const DONE = aCli(`echo '${result('TASK')}' | sed "s/TASK/did $task/"`);

/** A stage with one CLI of that script, and a list of those lines. */
function listed(lines: readonly string[], script = DONE): Stage {
  const stage = aStage();
  stage.fake('claude', script);
  writeFileSync(join(stage.project, 'list'), `${lines.join('\n')}\n`);
  return stage;
}

function tasks(stage: Stage, args: readonly string[] = [], options?: RunOptions): Promise<Finished> {
  return stage.run(['run', '--tasks', 'list', ...args], options);
}

/** Who was asked since the last look. */
function asked({ home }: Stage): readonly string[] {
  const file = join(home, 'asked');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').sort() : [];
  writeFileSync(file, '');
  return lines.filter((line) => line !== '');
}

describe('run --tasks', () => {
  it('does all of a list, so many at once, and ends with 0', async () => {
    const stage = listed(['# chores', 'a', '', '{"task": "b", "id": "second"}', '  c  ', 'a']);
    const { code, stdout, stderr } = await tasks(stage, ['-j', '3']);
    expect(code).toBe(0);
    expect(asked(stage)).toEqual(['a', 'a', 'b', 'c']);
    for (const part of ['== #1 a\ndid a\n', '== #2 b\ndid b\n', '== #3 c\ndid c\n', '== #4 a\ndid a\n'])
      expect(stdout).toContain(part);
    expect(stderr).toContain('All 4 tasks are done.');
    expect(stdout + stderr).not.toContain('\u001b');
  });

  it('reads the list from stdin too', async () => {
    const stage = listed([]);
    const { code } = await stage.run(['run', '--tasks', '-'], { stdin: 'a\nb\n' });
    expect({ code, asked: asked(stage) }).toEqual({ code: 0, asked: ['a', 'b'] });
  });

  it.each<[string, string, string]>([
    ['no JSON', '{"task": "b"', 'list: line 2: expected a JSON object, but '],
    ['no task', '{"id": "b"}', "list: line 2: expected 'task' to be a text."],
    [
      'an unknown key',
      '{"task": "b", "modle": "opus"}',
      "list: line 2: unknown key 'modle' (did you mean 'model'?); there are ",
    ],
    ['an id that was there', '{"task": "b", "id": "x"}', "list: line 2: the id 'x' is that of line 1."],
    ['workers that are no list', '{"task": "b", "workers": "claude"}', "expected 'workers' to be a list"],
    ['a worker that is not there', '{"task": "b", "workers": ["nobody"]}', "there is no worker 'nobody'"],
    ['a directory that is not there', '{"task": "b", "cd": "nowhere"}', 'there is no directory '],
    ['a NUL', '{"task": "b\\u0000"}', 'list: line 2: expected a text, and found a NUL'],
  ])('starts nothing when a line holds %s, and says which', async (_what, line, words) => {
    const stage = listed(['{"task": "a", "id": "x"}', line]);
    const { code, stdout, stderr } = await tasks(stage);
    expect({ code, stdout, asked: asked(stage) }).toEqual({ code: 2, stdout: '', asked: [] });
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/(?:line|task) 2/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('refuses a list without tasks, one that is not there, and a task beside the list', async () => {
    const stage = listed(['# nothing']);
    expect(await tasks(stage)).toMatchObject({ code: 2, stderr: 'secondwind: list: it holds no task.\n' });
    expect((await stage.run(['run', '--tasks', 'nowhere'])).code).toBe(2);
    expect((await tasks(stage, ['a task'])).code).toBe(2);
    expect((await stage.run(['run', '-j', '2', 'a task'])).code).toBe(2);
  });

  it.each([
    ['on one line', '[{"task": "a"}, {"task": "b"}]'],
    ['over several', '[\n  {"task": "a"},\n  {"task": "b"}\n]'],
  ])('refuses a JSON list %s, which would be one expensive task', async (_how, text) => {
    const stage = listed([text]);
    const { code, stderr } = await tasks(stage);
    expect({ code, asked: asked(stage) }).toEqual({ code: 2, asked: [] });
    expect(stderr).toContain('expected one JSON object a line, but found a JSON list');
  });

  it('takes a text that only begins like one for a task', async () => {
    const stage = listed(['[bug] mend the clock']);
    expect({ code: (await tasks(stage)).code, asked: asked(stage) }).toEqual({
      ...{ code: 0, asked: ['[bug] mend the clock'] },
    });
  });

  it('says once who rests and until when, when nobody could take what is left', async () => {
    const stage = listed(['a', 'b']);
    await stage.run(['cooldown', 'add', 'claude', '--for', '2h']);
    const { code, stderr } = await tasks(stage);
    expect(code).toBe(75);
    expect(stderr.match(/^ {2}claude: rested by hand, until .* \(in /gm)).toHaveLength(1);
    expect(stderr.match(/The first back is claude, at /g)).toHaveLength(1);
  });

  it('does what is done not again, goes on with the rest, and begins anew with --again', async () => {
    const stage = listed(['a', 'b', 'c'], aCli(`[ "$task" = b ] && { ${FAILS}; }\necho '${result('ok')}'`));
    const first = await tasks(stage, ['-j', '2']);
    expect(first.code).toBe(1);
    expect(first.stderr).toContain('2 of 3 tasks are done; the same command goes on with what is not.');
    expect(asked(stage)).toEqual(['a', 'b', 'c']);
    stage.fake('claude', DONE);
    const second = await tasks(stage);
    expect({ code: second.code, asked: asked(stage) }).toEqual({ code: 0, asked: ['b'] });
    expect(second.stderr).toContain('2 of 3 are done already.');
    expect({ code: (await tasks(stage)).code, asked: asked(stage) }).toEqual({ code: 0, asked: [] });
    const again = await tasks(stage, ['--again']);
    expect({ code: again.code, asked: asked(stage) }).toEqual({ code: 0, asked: ['a', 'b', 'c'] });
  });

  it('knows a task by its id when its words have changed, and one list in two directories apart', async () => {
    const stage = listed(['{"task": "a", "id": "1"}', 'b']);
    expect((await tasks(stage)).code).toBe(0);
    asked(stage);
    writeFileSync(join(stage.project, 'list'), '{"task": "a, but well", "id": "1"}\nb\n');
    expect({ code: (await tasks(stage)).code, asked: asked(stage) }).toEqual({ code: 0, asked: [] });
    expect({ code: (await tasks(stage, ['-C', stage.home])).code, asked: asked(stage) }).toEqual({
      code: 0,
      asked: ['a, but well', 'b'],
    });
  });

  it('does no task twice when the list is run in two terminals at once', async () => {
    const stage = listed(['a', 'b', 'c', 'd'], aCli(`sleep 0.3; echo '${result('ok')}'`));
    const both = await Promise.all([tasks(stage, ['-j', '2']), tasks(stage, ['-j', '2'])]);
    expect(asked(stage)).toEqual(['a', 'b', 'c', 'd']);
    for (const { code } of both) expect([0, 75]).toContain(code);
    expect(await tasks(stage)).toMatchObject({ code: 0 });
    expect(asked(stage)).toEqual([]);
  });

  it('ends at SIGINT with 130: its children are gone, the rest not started; the same command goes on', async () => {
    const stage = listed(['a', 'b', 'c', 'd'], aCli('exec sleep 900'));
    const running = stage.start(['run', '--tasks', 'list', '-j', '2']);
    await eventually('two are at work', () => {
      const file = join(stage.home, 'asked');
      return existsSync(file) && readFileSync(file, 'utf8').trim().split('\n').length === 2;
    });
    running.kill('SIGINT');
    const { code, stderr } = await running.finished;
    expect(code).toBe(130);
    expect(stderr).toMatch(/^ {2}#1 a: interrupted$/m);
    expect(stage.alive()).toEqual([]);
    expect(asked(stage)).toEqual(['a', 'b']);
    stage.fake('claude', DONE);
    expect((await tasks(stage, ['-j', '4'])).code).toBe(0);
    const sessions = JSON.parse((await stage.run(['sessions', '--json'])).stdout) as { state: string }[];
    expect(sessions.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);
  });

  it('takes a task to its end after --timeout, and ends with 124 when nothing worse has happened', async () => {
    const stage = listed(['a', 'b'], aCli(`[ "$task" = a ] && exec sleep 900\necho '${result('ok')}'`));
    const { code, stderr } = await tasks(stage, ['-j', '2', '--timeout', '2s']);
    expect(code).toBe(124);
    expect(stderr).toContain('1 of 2 tasks are done');
  });

  it('with --json tells events of sessions on stdout and nothing else', async () => {
    const stage = listed(['a', 'b']);
    const { code, stdout, events } = await tasks(stage, ['-j', '2', '--json']);
    expect(code).toBe(0);
    for (const line of stdout.trimEnd().split('\n'))
      expect(JSON.parse(line)).toMatchObject({
        type: expect.any(String) as string,
        at: expect.any(String) as string,
        session: expect.any(String) as string,
      });
    expect(new Set(events.map(({ session }) => session)).size).toBe(2);
    expect(events.filter(({ type }) => type === 'session.ended')).toHaveLength(2);
  });

  it('starts as many at once as it is told, without a word from Node about it', async () => {
    const lines = Array.from({ length: 14 }, (_, index) => `t${String(index)}`);
    const stage = listed(lines, aCli(`sleep 2; echo '${result('ok')}'`));
    const { code, stderr } = await tasks(stage, ['-j', '14', '--timeout', '5m']);
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/Warning|\(node:/);
  });
});
