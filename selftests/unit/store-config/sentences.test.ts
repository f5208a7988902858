import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../../src/core/hook-events.ts';
import { projectConfigSchema, userConfigSchema } from '../../../src/store/config.ts';
import { looseValue } from '../../../src/store/loose-config.ts';
import { readConfig } from '../../../src/store/read-config.ts';

// Each sentence word for word, as people read and search for it.

const user = userConfigSchema(['claude', 'codex', 'gemini']);
const said = (result: ReturnType<typeof readConfig>) =>
  result.ok ? `accepted: ${JSON.stringify(result.value)}` : result.error.message;

const BARE = 'expected a duration such as 90s, 30m, 5h or 2d, or milliseconds as a bare number, but found';
const NAME = 'expected the name of a variable (letters, digits and underscores, not beginning with a digit)';
const TOP =
  '$schema, workers, onQuota, permissions, patience, hold, maxWait, rules, quota, retentionDays, on';

describe("the operator's file is told", () => {
  it.each([
    ['[]', 'expected an object, but found a list'],
    ['{ "workers": {} }', 'workers: expected a list, but found an object'],
    ['{ "workers": [] }', 'workers: expected at least one, but found none'],
    ['{ "workers": [[]] }', 'workers[0]: expected an object, but found a list'],
    ['{ "workers": [{}] }', 'workers[0].id: expected a text, but it is missing'],
    ['{ "on": [] }', 'on: expected an object, but found a list'],
    ['{ "on": { "signal": "  " } }', 'on.signal: expected some text, but it is empty'],
    ['{ "quota": "15m" }', 'quota: expected an object, but found a text'],
    ['{ "quota": { "poll": "30s" } }', 'quota.poll: expected at least 1m, or no poll at all'],
    ['{ "hold": -1 }', 'hold: expected no negative number, but found -1'],
    ['{ "maxWait": -0.5 }', 'maxWait: expected no negative number, but found -0.5'],
    ['{ "hold": null }', `hold: ${BARE} 'null'`],
    ['{ "hold": [] }', `hold: ${BARE} '[]'`],
    ['{ "hold": 1e999 }', `hold: ${BARE} 'Infinity'`],
    [
      '{ "hold": "99999999999d" }',
      "hold: expected a duration of at most 100 years, but found '99999999999d'",
    ],
    ['{ "onQuota": null }', 'onQuota: expected stop, wait or api, but found null'],
    ['{ "permissions": ["edit"] }', 'permissions: expected read, edit or full, but found ["edit"]'],
    ['{ "retentionDays": 4000 }', 'retentionDays: expected a number of at most 3650, but found 4000'],
    ['{ "retentionDays": 1e9 }', 'retentionDays: expected a number of at most 3650, but found 1000000000'],
    ['{ "retentionDays": 0 }', 'retentionDays: expected a number of at least 1, but found 0'],
    [
      '{ "retentionDays": -1e300 }',
      'retentionDays: expected a number of at least -9007199254740991, but found -1e+300',
    ],
    ['{ "retentionDays": 1e999 }', 'retentionDays: expected a whole number, but found Infinity'],
    ['{ "rules": [{ "then": "prefer-other" }] }', 'rules[0].when: expected an object, but it is missing'],
  ])('of %s', (text, sentence) => {
    expect(said(readConfig('config.json', text, user))).toBe(sentence);
  });

  it.each([
    ['lists', '{ "workers": ' + '['.repeat(100_000) + ']'.repeat(100_000) + ' }'],
    ['objects', '{ "a": '.repeat(20_000) + '1' + '}'.repeat(20_000)],
    ['what does not end', '\n{ "a": ['.repeat(50_000)],
  ])('of %s within one another without end', (_what, text) => {
    const read = readConfig('config.json', text, user);
    expect(said(read)).toBe('expected JSON with comments, but it is nested more than 64 levels deep');
    expect(looseValue(text)).toBeUndefined();
  });

  it.each(['{ "id": "a", "adapter": "claude", "env": { "A": "b", "__proto__": "x" } }'])(
    'of a name that would be lost: %s',
    (worker) => {
      expect(said(readConfig('config.json', `{ "workers": [${worker}] }`, user))).toBe(
        "expected another name than '__proto__'",
      );
    },
  );

  it.each([
    ['{ "toString": 1, "hold": -1 }', 'hold: expected no negative number, but found -1'],
    [
      '{ "toString": 1, "__proto__": {}, "holdd": 1 }',
      `unknown key 'toString', '__proto__', 'holdd' (did you mean 'hold'?); there are ${TOP}`,
    ],
    [
      '{ "on": { "sesion.ended": "x", "nothing": "y" } }',
      `on: unknown key 'sesion.ended' (did you mean 'session.ended'?), 'nothing'; there are ${Object.keys(HOOK_EVENTS).join(', ')}`,
    ],
    [
      '{ "quota": { "pol": "15m", "every": 1 } }',
      "quota: unknown key 'pol' (did you mean 'poll'?), 'every'; there are poll",
    ],
  ])('all unknown keys at once, after what is wrong with the known ones: %s', (text, sentence) => {
    expect(said(readConfig('config.json', text, user))).toBe(sentence);
  });

  it.each([
    [
      '"modle": 1, "comand": 2',
      "workers[0]: unknown key 'modle' (did you mean 'model'?), 'comand' (did you mean 'command'?)",
    ],
    ['"model": "a\\u0000b"', 'workers[0].model: expected a text without a NUL character'],
    ['"model": ""', 'workers[0].model: expected some text, but it is empty'],
    ['"env": []', 'workers[0].env: expected an object, but found a list'],
    ['"env": { "constructor": 1 }', 'workers[0].env.constructor: expected a text, but found a number'],
    ['"env": { "A=B": 1 }', `workers[0].env.A=B: ${NAME}, but found 'A=B'`],
    ['"env": { "": 1 }', `workers[0].env.: ${NAME}, but found ''`],
    // It may be the key itself.
    ['"balance": { "provider": "deepseek", "keyEnv": "sk-0" }', `workers[0].balance.keyEnv: ${NAME}`],
    ['"command": 7', 'workers[0].command: expected a text, but found a number'],
    ['"command": []', 'workers[0].command[0]: expected a text, but it is missing'],
    ['"command": [""]', 'workers[0].command[0]: expected some text, but it is empty'],
    ['"command": ""', 'workers[0].command: expected some text, but it is empty'],
    ['"command": ["a", {}, 1]', 'workers[0].command[1]: expected a text, but found an object'],
    [
      '"balance": { "provider": "deepsek" }',
      "workers[0].balance.provider: expected deepseek, but found 'deepsek' (did you mean 'deepseek'?)",
    ],
    [
      '"balance": { "provider": "deepseek" }',
      'workers[0].balance.keyEnv: expected a text, but it is missing',
    ],
    ['"maxConcurrent": 0', 'workers[0].maxConcurrent: expected a number of at least 1, but found 0'],
    ['"maxConcurrent": 1.5', 'workers[0].maxConcurrent: expected a whole number, but found 1.5'],
    [
      '"maxConcurrent": 1e300',
      'workers[0].maxConcurrent: expected a number of at most 9007199254740991, but found 1e+300',
    ],
    ['"shareTranscripts": "no"', 'workers[0].shareTranscripts: expected true or false, but found a text'],
  ])('of a worker with %s', (rest, sentence) => {
    const text = `{ "workers": [{ "id": "a", "adapter": "claude", ${rest} }] }`;
    expect(said(readConfig('config.json', text, user))).toBe(sentence);
  });

  it('of two workers of one name, at the second of them', () => {
    const one = '{ "id": "a", "adapter": "claude" }';
    expect(readConfig('config.json', `{ "workers": [\n${one},\n${one}] }`, user)).toMatchObject({
      error: {
        line: 3,
        message: "workers[1].id: expected a name of its own, but another worker is called 'a' too",
      },
    });
  });

  it.each([
    ['{ "gte": 201 }', 'usedPercent.gte: expected a number of at most 200, but found 201'],
    ['{ "gte": -1 }', 'usedPercent.gte: expected no negative number, but found -1'],
    ['{ "gte": 1e999 }', 'usedPercent.gte: expected a number, but found Infinity'],
    ['{}', 'usedPercent.gte: expected a number, but it is missing'],
  ])('of a rule at %s', (usedPercent, sentence) => {
    const when = `{ "seat": "a", "window": "5h", "usedPercent": ${usedPercent}, "freshWithin": 1 }`;
    const text = `{ "rules": [{ "when": ${when}, "then": "prefer-others" }] }`;
    expect(said(readConfig('config.json', text, user))).toBe(`rules[0].when.${sentence}`);
  });
});

it.each(['constructor', 'prototype', 'toString'])('a variable may be called %s', (name) => {
  const text = `{ "workers": [{ "id": "a", "adapter": "claude", "env": { "${name}": "x" } }] }`;
  expect(readConfig('config.json', text, user)).toMatchObject({
    ok: true,
    value: { workers: [{ env: { [name]: 'x' } }] },
  });
});

describe("a project's file is told", () => {
  const may =
    "a project's file, which comes with a repository, may say workers (names), onQuota (stop or wait), maxWait, patience and hold";
  it.each([
    ['{ "onQuota": "apii" }', "onQuota: expected stop, wait or api, but found 'apii' (did you mean 'api'?)"],
    [
      '{ "onQuota": "api" }',
      "onQuota: expected stop or wait, as a project's file may not admit workers that are billed per use; you may, with --on-quota api",
    ],
    [
      '{ "workers": [1] }',
      "workers[0]: expected the name of a worker, in quotes; a project's file only chooses workers, and what they run is said in your own config.json",
    ],
    [
      '{ "workers": ["a b"] }',
      'workers[0]: expected 1 to 64 letters, digits, dots, underscores or dashes, not beginning with a dot or dash',
    ],
    ['{ "workers": "a" }', 'workers: expected a list, but found a text'],
    ['{ "permissions": "full", "pateince": 1 }', `only your own config.json may say 'permissions'; ${may}`],
    [
      '{ "nobody": 1, "pateince": 1 }',
      "unknown key 'nobody', 'pateince' (did you mean 'patience'?); there are $schema, workers, onQuota, patience, hold, maxWait",
    ],
  ])('of %s', (text, sentence) => {
    expect(said(readConfig('secondwind.config.json', text, projectConfigSchema()))).toBe(sentence);
  });
});
