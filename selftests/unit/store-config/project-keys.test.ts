import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS } from '../../../src/core/hook-events.ts';
import { projectConfigSchema } from '../../../src/store/config.ts';
import { configJsonSchema } from '../../../src/store/config-json-schema.ts';
import { readConfig } from '../../../src/store/read-config.ts';
import { ADAPTER_NAMES } from '../../../src/workers/registry.ts';
import { isProjectConfig, isUserConfig } from '../../rig/checked-config.ts';

/** What a file that came with a repository may say. The last word of each: why that is no harm. */
const ALLOWED: Readonly<Record<string, string>> = {
  $schema: 'for editors; nothing reads it',
  workers: 'names alone, of workers that the operator has defined',
  onQuota: 'stop or wait, and not api, which costs money',
  maxWait: 'a length of time',
  patience: 'a length of time',
  hold: 'a length of time',
};

/** A sound value for every key that the operator's own file has: a new key needs one here, and a decision above. */
const WORKER: Readonly<Record<string, unknown>> = {
  ...{ id: 'claude', adapter: 'claude', seat: 'work', workspace: 'team', model: 'opus' },
  ...{ command: ['sh', '-c', 'x'], args: ['--yolo'], env: { PATH: '.' }, billing: 'api' },
  balance: { provider: 'deepseek', keyEnv: 'KEY' },
  ...{ shareTranscripts: true, maxConcurrent: 9 },
};
const OPERATOR: Readonly<Record<string, unknown>> = {
  $schema: './schema.json',
  workers: [WORKER],
  onQuota: 'api',
  ...{ permissions: 'full', maxWait: '1h', patience: '1s', hold: '1m', retentionDays: 1 },
  rules: [
    {
      when: { seat: 'work', window: '5h', usedPercent: { gte: 1 }, freshWithin: '1h' },
      ...{ then: 'prefer-others', note: 'x' },
    },
  ],
  quota: { poll: '1h' },
  on: Object.fromEntries(Object.keys(HOOK_EVENTS).map((event) => [event, 'sh'])),
};

/** The path of every key that an object of this JSON Schema may have: `workers[].env`, `rules[].when.seat`. */
function pathsIn(schema: unknown, path = ''): readonly string[] {
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly items?: unknown;
    readonly anyOf?: readonly unknown[];
  };
  const own = Object.entries(properties).flatMap(([key, inner]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return [at, ...pathsIn(inner, at)];
  });
  const within = items === undefined || Array.isArray(items) ? [] : pathsIn(items, `${path}[]`);
  return [...own, ...within, ...anyOf.flatMap((one) => pathsIn(one, path))];
}

/** The same of a value, as far as the schema names its keys. */
function pathsOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => pathsOf(one, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return [at, ...pathsOf(inner, at)];
  });
}

const keysOfFile = (file: 'user' | 'project') => pathsIn(configJsonSchema(file, ADAPTER_NAMES));

describe("the keys of a project's file", () => {
  it('are those that were decided on, and no deeper ones', () => {
    expect([...keysOfFile('project')].sort()).toEqual(Object.keys(ALLOWED).sort());
  });

  it("are decided on for every key of the operator's file: each has a sound value here", () => {
    expect(isUserConfig(OPERATOR)).toBe(true);
    const known = keysOfFile('user');
    expect(known.length).toBeGreaterThan(40);
    expect(known.filter((path) => !pathsOf(OPERATOR).includes(path))).toEqual([]);
  });

  it.each(Object.keys(OPERATOR))("say of '%s' what was decided", (key) => {
    // What the operator may say is refused as it is, whatever a project may say under the same name.
    const isHarmless = ['$schema', 'maxWait', 'patience', 'hold'].includes(key);
    expect(isProjectConfig({ [key]: OPERATOR[key] })).toBe(isHarmless);
  });

  it.each(Object.keys(WORKER))("do not say '%s' of a worker, nor of the whole fleet", (key) => {
    const one = { [key]: WORKER[key] };
    for (const workers of [[one], [{ id: 'claude', ...one }], one])
      expect(isProjectConfig({ workers })).toBe(false);
    expect(isProjectConfig(one)).toBe(false);
  });

  it.each(keysOfFile('user').filter((path) => !Object.keys(ALLOWED).includes(path)))(
    'are not widened by writing %s as one key',
    (path) => {
      expect(isProjectConfig({ [path]: 'x' })).toBe(false);
    },
  );

  it.each(['__proto__', 'constructor', 'prototype', 'toString'])('do not take %s for one of them', (key) => {
    const text = `{ "${key}": { "permissions": "full", "on": {} } }`;
    expect(readConfig('secondwind.config.json', text, projectConfigSchema())).toMatchObject({ ok: false });
    expect(({} as Record<string, unknown>)['permissions']).toBeUndefined();
  });
});
