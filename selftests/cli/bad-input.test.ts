import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finished, RunOptions, Stage } from '../rig/cli.ts';
import { aStage } from '../rig/cli.ts';

/** What everything that a user can get wrong has in common: the code, clear words on stderr, nothing else. */
function expectRefusal({ code, stdout, stderr }: Finished, expected: number, words: readonly string[]): void {
  expect({ code, stderr }).toMatchObject({ code: expected });
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^secondwind: /);
  for (const word of words) expect(stderr).toContain(word);
  expect(stderr).not.toContain('Did you mean');
  expect(stderr).not.toMatch(/^ {4}at |bug of ours|undefined|\[object|NaN/m);
}

/** With a CLI that would answer, were it asked. */
function aReadyStage(): Stage {
  const stage = aStage();
  stage.link('claude', 'answer.js');
  writeFileSync(join(stage.project, 'file'), 'text');
  writeFileSync(join(stage.project, 'nul'), 'a\0b');
  writeFileSync(join(stage.project, 'blank'), ' \n\t\n');
  return stage;
}

describe('wrong usage exits with 2 and says what is wrong', () => {
  it.each<[readonly string[], readonly string[], RunOptions?]>([
    [['bogus'], ["unknown command 'bogus'"]],
    [['rum', 'x'], ["unknown command 'rum' (did you mean 'run'?).\nSee 'secondwind --help'.\n"]],
    [['cooldown', 'claer', 'claude'], ["expected list, clear or add after cooldown, but found 'claer'"]],
    [['--bogus'], ["unknown option '--bogus'"]],
    [['run', '--per', 'x'], ["unknown option '--per'"]],
    [['resume'], ["missing required argument 'id'."]],
    [
      ['run', '--jsn', 'x'],
      ["unknown option '--jsn' (did you mean '--json'?).\nSee 'secondwind run --help'.\n"],
    ],
    [
      ['run', '-w', 'claude,nope', 'x'],
      ["--workers: there is no worker 'nope'", 'claude, codex, gemini'],
    ],
    [
      ['run', '-w', ' , ', 'x'],
      ['--workers: expected the names of workers', 'found none'],
    ],
    [
      ['run', '--patience', 'soon', 'x'],
      ['--patience', 'such as 90s, 30m, 5h or 2d', "'soon'"],
    ],
    [
      ['run', '--timeout', '-5s', 'x'],
      ['--timeout', "'-5s'"],
    ],
    [
      ['run', '--hold', '1e9d', 'x'],
      ['--hold', "'1e9d'"],
    ],
    [
      ['run', '--max-wait', '999999999d', 'x'],
      ['--max-wait', 'at most 100 years'],
    ],
    [['run', '--idle-timeout'], ['--idle-timeout: expected <duration>, but found nothing.']],
    [['run', '--permissions', 'all', 'x'], ["--permissions: expected read, edit or full, but found 'all'"]],
    [['run', '--on-quota', 'later', 'x'], ["--on-quota: expected stop, wait or api, but found 'later'"]],
    [
      ['run', '--cd', 'nowhere', 'x'],
      ['--cd: there is no directory', 'nowhere'],
    ],
    [
      ['run', '--cd', 'file', 'x'],
      ['--cd: there is no directory', 'file'],
    ],
    [['run'], ['stdin is empty', 'say what is to be done']],
    [['run', '-'], ['stdin is empty'], { stdin: ' \n' }],
    [['run', ''], ['the task is empty']],
    [['run', '  '], ['the task is empty']],
    [['run', '-'], ['stdin holds a NUL character'], { stdin: 'a\0b' }],
    [['run', '--file', 'nul'], ['the file nul holds a NUL character']],
    [['run', '--file', 'blank'], ['the file blank is empty']],
    [
      ['run', '--file', 'nowhere'],
      ['cannot read the task from nowhere', 'does not exist'],
    ],
    [
      ['run', '--file', '.'],
      ['cannot read the task from .', 'it is a folder'],
    ],
    [['run', '--file', 'file', 'x'], ['from the arguments or from --file, not from both']],
    [['cooldown', 'add'], ["missing required argument 'worker'"]],
    [
      ['cooldown', 'add', 'nope', '--for', '5m'],
      ["there is no worker 'nope'", 'claude, codex, gemini'],
    ],
    [
      ['cooldown', 'add', 'claude'],
      ['expected one of --for', 'and --until'],
    ],
    [['cooldown', 'add', 'claude', '--for', '1h', '--until', '6pm'], ['expected one of --for']],
    [['cooldown', 'add', 'claude', '--for', '0'], ['--for: expected a length of time above zero']],
    [
      ['cooldown', 'add', 'claude', '--for', '100000000d'],
      ['--for', 'at most 100 years'],
    ],
    [
      ['cooldown', 'add', 'claude', '--until', 'blah'],
      ['--until: expected a time to come', "'blah'"],
    ],
    [
      ['cooldown', 'add', 'claude', '--until', '2020-01-01T00:00:00Z'],
      ['--until', 'has passed already'],
    ],
    [
      ['cooldown', 'add', 'claude', '--for', '1h', '--kind', 'tired'],
      ["'tired'", 'rate-limit, out-of-credits'],
    ],
    [['cooldown', 'clear', 'nope'], ["there is no worker 'nope'"]],
    [['replay'], ["missing required argument 'file'"]],
    [
      ['replay', 'nowhere', '-a', 'claude'],
      ['cannot read nowhere', 'does not exist'],
    ],
    [
      ['replay', '.', '-a', 'claude'],
      ['cannot read .', 'it is a folder'],
    ],
    [['replay', 'file'], ['--adapter: expected one of claude, codex, gemini, but none was named']],
    [
      ['replay', 'file', '-a', 'cursor'],
      ["--adapter: expected one of claude, codex, gemini, but found 'cursor'"],
    ],
    [['replay', 'file', '-a', 'claude', '--tz', 'Mars/Base'], ["--tz: 'Mars/Base' is no time zone"]],
    [
      ['replay', 'file', '-a', 'claude', '--now', 'noon'],
      ['--now', 'expected an instant such as', "'noon'"],
    ],
    [
      ['replay', 'file', '-a', 'claude', '--exit', '300'],
      ['expected an exit code from 0 to 255', "'300'"],
    ],
  ])('%j', async (args, words, options) => {
    const stage = aReadyStage();
    expectRefusal(await stage.run(args, options), 2, words);
    expect(stage.cooldowns()).toEqual([]);
  });
});

describe('a wrong configuration exits with 78, its file and its line', () => {
  it.each<[string, number, readonly string[]]>([
    ['', 1, ['expected JSON']],
    ['{\n "workers": [', 2, ['expected JSON']],
    ['[]', 1, ['expected an object']],
    ['{\n\n "worker": [] }', 3, ["unknown key 'worker'"]],
    ['{\n "patience": "soon" }', 2, ['patience: expected a duration', "'soon'"]],
    ['{\n "patience": -1 }', 2, ['patience']],
    ['{\n "onQuota": "later" }', 2, ['onQuota', 'stop']],
    ['{\n "patience": 1,\n "patience": 2 }', 3, ["the key 'patience' stands twice"]],
    ['{ "workers": [\n { "id": "a", "adapter": "cursor" } ] }', 2, ['workers[0].adapter', 'claude']],
    [
      '{ "workers": [\n { "id": "-a", "adapter": "claude" } ] }',
      2,
      ['workers[0].id', 'expected 1 to 64 letters'],
    ],
    ['{ "workers": [\n "claude" ] }', 2, ['workers[0]', 'expected an object']],
    ['{ "workers": [] }', 1, ['workers']],
    ['{ "workers": [\n { "id": "a", "adapter": "claude", "env": { "A": 1 } } ] }', 2, ['workers[0].env.A']],
    ['{ "workers": [\n { "id": "a", "adapter": "claude", "command": [] } ] }', 2, ['workers[0].command']],
  ])('%j', async (text, line, words) => {
    const stage = aReadyStage();
    stage.configure(text);
    const file = `${join(stage.stateHome, 'config.json')}:${String(line)}: `;
    for (const args of [
      ['run', 'x'],
      ['cooldown', 'add', 'claude', '--for', '1h'],
    ]) {
      expectRefusal(await stage.run(args), 78, [file, ...words]);
    }
    expect(stage.cooldowns()).toEqual([]);
  });

  it('names the two workers that are called the same', async () => {
    const stage = aReadyStage();
    const worker = { id: 'twin', adapter: 'claude' };
    stage.configure(`{ "workers": [\n ${JSON.stringify(worker)},\n ${JSON.stringify(worker)} ] }`);
    expectRefusal(await stage.run(['run', 'x']), 78, ['config.json:3: workers[1].id', "called 'twin' too"]);
  });

  it.each([
    ['a folder', 'it is a folder', (path: string) => mkdirSync(path, { recursive: true })],
    [
      'a link to itself',
      'its symbolic links run in a circle',
      (path: string) => {
        mkdirSync(join(path, '..'), { recursive: true });
        symlinkSync('config.json', path);
      },
    ],
  ])('cannot read %s in its place', async (_, words, make) => {
    const stage = aReadyStage();
    make(join(stage.stateHome, 'config.json'));
    expectRefusal(await stage.run(['run', 'x']), 78, ['config.json: it cannot be read', words]);
  });

  it.each([
    ['{ "workers": ["nope"] }', ["there is no worker 'nope'"]],
    ['{\n "workers": [{ "id": "a", "adapter": "claude", "command": "sh" }] }', [':2: ', 'workers[0]']],
    [
      '{\n "permissions": "full" }',
      [':2: ', "only your own config.json may say 'permissions'; a project's file"],
    ],
    ['{\n "onQuota": "api" }', [':2: ', 'expected stop or wait', 'billed per use']],
    ['{ "workers": ["claude"', [':1: ', 'expected JSON']],
  ])("refuses the project's own %s", async (text, words) => {
    const stage = aReadyStage();
    const file = join(stage.project, 'secondwind.config.json');
    writeFileSync(file, text);
    expectRefusal(await stage.run(['run', 'x']), 78, [file, ...words]);
  });

  it('says so when the project has a link to itself in its place', async () => {
    const stage = aReadyStage();
    symlinkSync('secondwind.config.json', join(stage.project, 'secondwind.config.json'));
    expectRefusal(await stage.run(['run', 'x']), 78, ['secondwind.config.json', 'run in a circle']);
  });

  it.each(['RATELIMIT', 'CREDITS', 'AUTH', 'CLI', 'CONNECTION'])(
    'reads SECONDWIND_COOLDOWN_%s_MS as a duration and nothing else',
    async (name) => {
      const variable = `SECONDWIND_COOLDOWN_${name}_MS`;
      for (const value of ['soon', '-1', '9007199254740991']) {
        const finished = await aReadyStage().run(['run', 'x'], { env: { [variable]: value } });
        expectRefusal(finished, 78, [variable, 'expected a duration', value]);
      }
    },
  );

  it('refuses a worker that SECONDWIND_FLEET makes up', async () => {
    const env = { SECONDWIND_FLEET: 'claude,nope' };
    const finished = await aReadyStage().run(['run', 'x'], { env });
    expectRefusal(finished, 78, ["SECONDWIND_FLEET: there is no worker 'nope'"]);
  });
});
