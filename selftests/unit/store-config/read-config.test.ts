import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { projectConfigSchema, userConfigSchema } from '../../../src/store/config.ts';
import { readConfig } from '../../../src/store/read-config.ts';

const FILE = '/home/dev/.secondwind/config.json';
const user = userConfigSchema(['claude', 'codex', 'gemini']);
const read = (text: string) => readConfig(FILE, text, user);
const readProject = (text: string) => readConfig(FILE, text, projectConfigSchema());

/** What is wrong with it, as `line: message`. */
function problem(result: ReturnType<typeof read> | ReturnType<typeof readProject>): string {
  if (result.ok) throw new Error(`it was accepted: ${JSON.stringify(result.value)}`);
  expect(result.error.file).toBe(FILE);
  return `${String(result.error.line)}: ${result.error.message}`;
}

describe('a good configuration', () => {
  it('may be empty', () => {
    expect(read('{}')).toEqual({ ok: true, value: {} });
  });

  it('holds everything that the design shows, with durations read', () => {
    const text = `{
      "$schema": "./schema.json",
      "workers": [ { "id": "claude-work", "adapter": "claude", "seat": "work", "model": "opus",
                     "env": { "CLAUDE_CONFIG_DIR": "~/.claude-work" }, "args": [], "billing": "subscription" } ],
      "onQuota": "stop", "permissions": "edit", "patience": "60s", "hold": "20m", "maxWait": 5000 }`;
    expect(read(text)).toEqual({
      ok: true,
      value: {
        $schema: './schema.json',
        workers: [
          {
            ...{ id: 'claude-work', adapter: 'claude', seat: 'work', model: 'opus', args: [] },
            ...{ env: { CLAUDE_CONFIG_DIR: '~/.claude-work' }, billing: 'subscription' },
          },
        ],
        ...{ onQuota: 'stop', permissions: 'edit', patience: 60_000, hold: 1_200_000, maxWait: 5_000 },
      },
    });
  });

  it.each([
    ['comments', '// mine\n{ "patience": /* not long */ 0 }'],
    ['a trailing comma', '{ "patience": 0, }'],
    ['a byte order mark', '\uFEFF{ "patience": 0 }'],
    ['the line breaks of Windows', '{\r\n  "patience": 0\r\n}\r\n'],
  ])('may have %s', (_what, text) => {
    expect(read(text)).toEqual({ ok: true, value: { patience: 0 } });
  });

  it.each([
    ['a program by its name', '"my-claude"', ['my-claude']],
    ['a program with arguments', '["npx", "claude"]', ['npx', 'claude']],
  ])('names as command %s', (_what, command, expected) => {
    const text = `{ "workers": [ { "id": "x", "adapter": "claude", "command": ${command} } ] }`;
    expect(read(text)).toMatchObject({ ok: true, value: { workers: [{ command: expected }] } });
  });

  it.each([
    ['"90s"', 90_000],
    ['"30m"', 1_800_000],
    ['"5h"', 18_000_000],
    ['"2d"', 172_800_000],
    ['"1h30m"', 5_400_000],
    ['"250ms"', 250],
    ['"1500"', 1_500],
    ['1500', 1_500],
    ['0', 0],
    ['"0"', 0],
  ])('reads the duration %s', (text, expected) => {
    expect(read(`{ "hold": ${text} }`)).toEqual({ ok: true, value: { hold: expected } });
  });
});

describe('a broken file', () => {
  it.each([
    ['nothing', '', /^1: expected JSON with comments, but the file is empty$/],
    ['half a file', '{\n  "workers": [\n    { "id": "x",', /^3: expected JSON with comments, but /],
    ['a missing comma', '{\n  "hold": 1\n  "patience": 2\n}', /^3: .*found no comma/],
    [
      'an open string',
      '{\n  "onQuota": "sto\n}',
      /^2: expected JSON with comments, but found a text that does not end/,
    ],
    ['something after its end', '{}\n{}', /^2: .*found more after the end/],
    ['no object', '[]', /^1: .*expected an object/],
    ['a word', 'true', /^1: .*expected an object/],
    ['null', 'null', /^1: .*expected an object/],
  ])('is told by its line: %s', (_what, text, expected) => {
    expect(problem(read(text))).toMatch(expected);
  });

  it.each([
    ['at the top', '{\n  "hold": 1,\n  "hold": 2\n}', /^3: the key 'hold' stands twice/],
    [
      'deep inside',
      '{ "workers": [ { "id": "x", "adapter": "claude",\n "env": { "A": "1",\n "A": "2" } } ] }',
      /^3: the key 'A' stands twice/,
    ],
  ])('may not say the same thing twice: %s', (_what, text, expected) => {
    expect(problem(read(text))).toMatch(expected);
  });
});

describe('what does not belong into a configuration', () => {
  const worker = (rest: string) =>
    `{\n  "workers": [\n    { "id": "x", "adapter": "claude", ${rest} }\n  ]\n}`;

  it.each([
    ['{\n\n  "pateince": "60s"\n}', /^\d: unknown key 'pateince'/],
    [worker('"modle": "opus"'), /^3: workers\[0\]: unknown key 'modle'/],
    ['{ "cooldowns": {} }', /^1: unknown key 'cooldowns'/],
    ['{ "constructor": 1 }', /^1: unknown key 'constructor'/],
  ])('is told by name: %j', (text, expected) => {
    expect(problem(read(text))).toMatch(expected);
  });

  it.each([
    [
      'a number for a text',
      '{\n "workers": [\n  { "id": 7, "adapter": "claude" } ] }',
      /^3: workers\[0\]\.id: /,
    ],
    ['a text for a list', '{\n "workers": "claude" }', /^2: workers: /],
    [
      'an unknown CLI',
      '{ "workers": [\n { "id": "x",\n "adapter": "copilot" } ] }',
      /^3: workers\[0\]\.adapter: /,
    ],
    ['no CLI at all', '{ "workers": [\n { "id": "x" } ] }', /^2: workers\[0\]\.adapter: /],
    ['no workers', '{\n "workers": [] }', /^2: workers: /],
    ['a name with a slash', '{ "workers": [ { "id": "a/b", "adapter": "claude" } ] }', /letters, digits/],
    ['a name of a dash', '{ "workers": [ { "id": "-x", "adapter": "claude" } ] }', /letters, digits/],
    ['a slip', '{ "onQuota": "wiat" }', /^1: onQuota: .* found 'wiat' \(did you mean 'wait'\?\)$/],
    [
      'a duration that is missing',
      '{ "rules": [{ "when": { "seat": "a", "window": "5h", "usedPercent": { "gte": 1 } }, "then": "prefer-others" }] }',
      /^1: rules\[0\]\.when\.freshWithin: expected a duration such as '15m', but it is missing$/,
    ],
    [
      'an unknown policy',
      '{\n\n "onQuota": "panic" }',
      /^3: onQuota: expected stop, wait or api, but found 'panic'$/,
    ],
    ['an unknown permission', '{ "permissions": "root" }', /^1: permissions: /],
    [
      'a variable with a dash',
      worker('"env": { "A-B": "x" }'),
      /^3: workers\[0\]\.env\.A-B: expected the name of a variable \(.*\), but found 'A-B'$/,
    ],
    ['a number in the environment', worker('"env": { "A": 1 }'), /^3: workers\[0\]\.env\.A: /],
    ['an argument that is no text', worker('"args": ["a", 1]'), /^3: workers\[0\]\.args\[1\]: /],
    [
      'a command with a number',
      worker('"command": ["a", 1]'),
      /^3: workers\[0\]\.command\[1\]: .*expected a text, but found a number/,
    ],
    ['an empty command', worker('"command": ""'), /^3: workers\[0\]\.command/],
    ['a command of no words', worker('"command": []'), /^3: workers\[0\]\.command/],
    ['an empty model', worker('"model": ""'), /^3: workers\[0\]\.model: /],
    ['an unknown way to pay', worker('"billing": "cash"'), /^3: workers\[0\]\.billing: /],
    ['a duration in words', '{\n "hold": "a while" }', /^2: hold: .*90s, 30m.*'a while'/],
    ['a negative duration', '{\n "hold": -1 }', /^2: hold: /],
    ['a negative duration in words', '{ "hold": "-5m" }', /^1: hold: .*'-5m'/],
    ['a duration with a space', '{ "hold": "5 m" }', /^1: hold: /],
    ['an endless duration', '{ "hold": "99999999999999999999d" }', /^1: hold: /],
    ['a truth for a duration', '{ "hold": true }', /^1: hold: /],
  ])('is told with what is expected, and where: %s', (_what, text, expected) => {
    expect(problem(read(text))).toMatch(expected);
  });
});

describe("a project's file", () => {
  const yoursAlone = (key: string) =>
    new RegExp(`^1: only your own config.json may say '${key}'; a project's file, `);

  it('chooses and orders workers, and says how long to wait', () => {
    const text = '{ "workers": ["codex", "claude-work"], "onQuota": "wait", "maxWait": "2h", "patience": 0 }';
    expect(readProject(text)).toEqual({
      ok: true,
      value: { workers: ['codex', 'claude-work'], onQuota: 'wait', maxWait: 7_200_000, patience: 0 },
    });
  });

  it.each([
    ['names a program', '{ "command": ["sh", "-c", "x"] }', yoursAlone('command')],
    ['sets the environment', '{ "env": { "PATH": "." } }', yoursAlone('env')],
    ['passes arguments', '{ "args": ["--yolo"] }', yoursAlone('args')],
    ['widens permissions', '{ "permissions": "full" }', yoursAlone('permissions')],
    [
      'defines a worker',
      '{ "workers": [ { "id": "x", "adapter": "claude", "command": "sh" } ] }',
      /^1: workers\[0\]: expected the name of a worker, .* said in your own config.json$/,
    ],
    [
      'admits workers that cost money',
      '{\n "onQuota": "api" }',
      /^2: onQuota: expected stop or wait, as a project's file may not admit workers/,
    ],
    ['has a typo', '{ "pateince": 0 }', /^1: unknown key 'pateince' \(did you mean 'patience'\?\)$/],
    [
      'says several things that it may not, below what it may',
      '{\n "hold": 1,\n "on": {},\n "rules": [] }',
      /^3: only your own config.json may say 'on', 'rules'; .* workers \(names\), onQuota \(stop or wait\), maxWait, patience and hold$/,
    ],
    ['names a worker by a path', '{ "workers": ["../x"] }', /workers\[0\]: /],
  ])('is refused when it %s', (_what, text, expected) => {
    expect(problem(readProject(text))).toMatch(expected);
  });
});

it('answers every text with a value or with a line and a sentence, and never throws', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.json().map((whole) => whole.slice(0, -1)),
  );
  fc.assert(
    fc.property(text, (given) => {
      for (const result of [read(given), readProject(given)]) {
        if (result.ok) continue;
        expect(result.error.line).toBeGreaterThanOrEqual(1);
        expect(result.error.line).toBeLessThanOrEqual(given.split('\n').length);
        expect(result.error.message).not.toBe('');
      }
    }),
    { numRuns: 1_000 },
  );
});
