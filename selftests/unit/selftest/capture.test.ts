import { describe, expect, it } from 'vitest';
import { durationMs, epochMs } from '../../../src/core/time.ts';
import type { CapturedLine } from '../../../src/fleet/replay.ts';
import { replay } from '../../../src/fleet/replay.ts';
import type { Captured } from '../../../src/selftest/capture.ts';
import { captureFiles } from '../../../src/selftest/capture.ts';
import { fixturesIn, readFixture } from '../../../src/selftest/fixture.ts';
import type { Person } from '../../../src/selftest/personal.ts';
import { Cleaner } from '../../../src/selftest/personal.ts';
import { loadAdapter } from '../../../src/workers/registry.ts';
import { FIXTURES } from '../../rig/fixtures.ts';

const ALICE: Person = {
  ...{
    home: '/Users/alice.b',
    directory: '/Users/alice.b/code/moon shot',
    user: 'alice.b',
    host: 'wonderland.local',
  },
  env: { MY_SERVICE_KEY: 'tarts-and-hearts-1865', EDITOR: 'vim-the-great-editor' },
};

function clean(text: string, person: Partial<Person> = {}): string {
  return new Cleaner({ ...ALICE, ...person }).line(text);
}

describe('what is taken out of a captured line', () => {
  it.each<[string, string, string]>([
    ['the home folder', 'at /Users/alice.b/.claude/x', 'at /home/dev/.claude/x'],
    ['the folder that it worked in', 'in /Users/alice.b/code/moon shot/src', 'in /home/dev/project/src'],
    [
      'that folder as CLIs make a name of it',
      'projects/-Users-alice-b-code-moon-shot/1',
      'projects/-home-dev-project/1',
    ],
    ['the home as CLIs make a name of it', 'x/-Users-alice-b/y', 'x/-home-dev/y'],
    ['the user name', 'hello Alice.B!', 'hello dev!'],
    ['the host name', 'on wonderland.local', 'on host'],
    ['the short host name', 'alice.b@wonderland:~$', 'dev@host:~$'],
    ['an e-mail address', 'mail bob@example.com now', 'mail [email] now'],
    ['a key', 'key sk-ant-abcdefghijklmnop', 'key [key]'],
    ['a secret of the environment', 'saying tarts-and-hearts-1865.', 'saying [secret].'],
    ['an id', 'session 3488648d-0545-4e7c-bbe6-36fcbe89e28f', 'session [id]'],
  ])('is %s', (_what, text, cleaned) => {
    expect(clean(text)).toBe(cleaned);
    expect(clean(JSON.stringify({ type: 'x', deep: [{ text }] }))).toBe(
      JSON.stringify({ type: 'x', deep: [{ text: cleaned }] }),
    );
    const nested = JSON.stringify({ output: JSON.stringify({ text }) });
    expect(JSON.parse((JSON.parse(clean(nested)) as { output: string }).output)).toEqual({ text: cleaned });
  });

  it('is what a property says that it is', () => {
    expect(clean('{"api_key":"abcdef","account_uuid":"A-1","input_tokens":5,"apiKeySource":"none"}')).toBe(
      '{"api_key":"[secret]","account_uuid":"[id]","input_tokens":5,"apiKeySource":"none"}',
    );
  });

  it('is nothing of what only looks like a name', () => {
    for (const text of ['alice.bob', '/Users/alice.bertha/x', 'wonderlands', 'EDITOR=vim-the-great-editor']) {
      expect(clean(text)).toBe(text);
    }
    expect(clean('the root cause, as user root', { user: 'root', host: 'localhost' })).toBe(
      'the root cause, as user root',
    );
    expect(clean('/rooted /root/x', { home: '/root', directory: '/' })).toBe('/rooted /home/dev/x');
  });

  it('leaves what needs no change as it was printed, to the letter', () => {
    const odd = '{ "type":"x",  "n": 1.50, "u": "\\u2019" }';
    expect(clean(odd)).toBe(odd);
    expect(clean('{"broken": ')).toBe('{"broken": ');
  });

  it('is counted, with an example that gives no secret away', () => {
    const cleaner = new Cleaner(ALICE);
    cleaner.line('sk-ant-abcdefghijklmnop and sk-ant-qrstuvwxyz012345 of alice.b');
    expect(cleaner.removed).toEqual([
      { what: 'user', count: 1, example: 'alice.b' },
      { what: 'key', count: 2, example: 'sk-a…' },
    ]);
  });

  it.each(['claude/ok', 'codex/ok', 'gemini/ok'])('of %s is, the second time, nothing more', async (at) => {
    const found = fixturesIn(FIXTURES);
    const folder = (found.ok ? found.value : []).find(({ cli, name }) => `${cli}/${name}` === at);
    const fixture = folder === undefined ? undefined : await readFixture(folder);
    if (fixture?.ok !== true) throw new Error(at);
    for (const { text } of fixture.value.input.lines) expect(clean(clean(text))).toBe(clean(text));
  });
});

const found = fixturesIn(FIXTURES);

async function capturedFrom(lines: readonly CapturedLine[], over: Partial<Captured> = {}): Promise<Captured> {
  return {
    ...{
      adapter: await loadAdapter('claude'),
      name: 'mine',
      version: '2.1.197',
      zone: 'UTC',
      notes: [],
      by: 'secondwind 1',
    },
    args: ['-p', 'my secret plan', '--verbose', '--output-format=stream-json'],
    recording: {
      ...{
        startedAt: epochMs(Date.UTC(2026, 10, 29)),
        lines,
        wallMs: durationMs(9),
        exit: { code: 0, signal: undefined },
      },
    },
    ...over,
  };
}

describe('the files of a capture', () => {
  it.each(found.ok ? found.value : [])('replay as the run itself does: $cli/$name', async (folder) => {
    const fixture = await readFixture(folder);
    if (!fixture.ok) throw new Error(fixture.error);
    const { adapter, lines, startedAt, zone, exit, notes } = fixture.value.input;
    const captured = await capturedFrom(lines, {
      ...{ adapter, zone, notes: notes.filter((note) => note !== '') },
      recording: { startedAt, lines, wallMs: durationMs(9), exit },
    });
    const { verdict, isAltered, files } = captureFiles(captured, ALICE);
    const { outcome, killed, actedAt } = replay(fixture.value.input);
    expect({ isAltered, verdict }).toMatchObject({ isAltered: false, verdict: { outcome, killed, actedAt } });
    expect(JSON.parse(files['expected.json'] ?? '')).toMatchObject({ outcome, killed, actedAt });
  });

  it('hold the facts, and of the arguments only the flags', async () => {
    const { files } = captureFiles(await capturedFrom([]), ALICE);
    expect(Object.keys(files)).toEqual(['stream.jsonl', 'capture.json', 'expected.json']);
    expect(JSON.parse(files['capture.json'] ?? '')).toEqual({
      ...{
        cli: 'claude',
        version: '2.1.197',
        scenario: 'mine',
        startedAt: '2026-11-29T00:00:00.000Z',
        tz: 'UTC',
      },
      ...{
        options: ['-p', '--verbose'],
        wallMs: 9,
        exit: { code: 0, signal: null },
        stoppedByCapture: false,
      },
      capturedBy: 'secondwind 1',
    });
    expect(files['expected.json']).toContain('DRAFT by secondwind 1');
  });

  it('say when taking details out changed what is made of the run', async () => {
    const text = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'x' });
    const line = { t: durationMs(1), channel: 'stdout' as const, text };
    const person = { ...ALICE, user: 'success' };
    expect(captureFiles(await capturedFrom([line]), person)).toMatchObject({ isAltered: true });
    expect(captureFiles(await capturedFrom([line]), ALICE)).toMatchObject({ isAltered: false });
  });
});
