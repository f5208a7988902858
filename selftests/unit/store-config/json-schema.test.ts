import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../../src/store/config-json-schema.ts';
import { ADAPTER_NAMES } from '../../../src/workers/registry.ts';
import { isProjectConfig, isUserConfig } from '../../rig/checked-config.ts';

/** Which knows what editors of the VS Code family read besides. */
const validator = new Ajv({ keywords: ['allowComments', 'allowTrailingCommas'], strictTuples: false });

type Json = Readonly<Record<string, unknown>>;

/** Every property of a schema, at any depth, by its path. */
function propertiesOf(schema: unknown, path = ''): readonly (readonly [string, Json])[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => propertiesOf(one, path));
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties'
      ? Object.entries(value as Json).flatMap(([name, inner]) => [
          [`${path}.${name}`, inner as Json] as const,
          ...propertiesOf(inner, `${path}.${name}`),
        ])
      : propertiesOf(value, path),
  );
}

describe.each(['user', 'project'] as const)("the JSON Schema of the %s's file", (file) => {
  const schema = configJsonSchema(file, ADAPTER_NAMES);

  it('explains every key in a sentence', () => {
    const properties = propertiesOf(schema);
    expect(properties.map(([path]) => path)).toEqual(
      expect.arrayContaining(['.workers', '.$schema', '.patience']),
    );
    const mute = properties.filter(([, { description }]) => !/\S.*[.!?)]$/.test(String(description)));
    expect(mute.map(([path]) => path)).toEqual([]);
  });

  it('takes and refuses what we do', () => {
    const isOurs = file === 'user' ? isUserConfig : isProjectConfig;
    const isTheirs = validator.compile(schema);
    const worker = { id: 'a', adapter: 'claude' };
    const texts: readonly unknown[] = [
      ...[{}, [], 'text', { $schema: './x' }, { patience: '3s' }, { patience: 3_000 }, { patience: -1 }],
      ...[{ patience: null }, { onQuota: 'wait' }, { onQuota: 'api' }, { onQuota: 'never' }, { nobody: 1 }],
      ...[{ workers: [] }, { workers: ['a'] }, { workers: ['../a'] }, { workers: [worker] }],
      ...[{ workers: [{ ...worker, command: 'x' }] }, { workers: [{ ...worker, command: ['x', 'y'] }] }],
      ...[{ workers: [{ ...worker, command: [] }] }, { workers: [{ ...worker, env: { A: 'b' } }] }],
      ...[{ workers: [{ ...worker, env: { 'A-B': 'b' } }] }, { workers: [{ ...worker, args: 'x' }] }],
      ...[{ workers: [{ ...worker, modle: 'x' }] }, { workers: [{ id: 'a' }] }, { permissions: 'full' }],
      ...[
        { on: { 'session.ended': 'true' } },
        { on: { 'sesion.ended': 'true' } },
        { on: { 'session.ended': 1 } },
      ],
    ];
    for (const value of texts) expect([value, isTheirs(value)]).toEqual([value, isOurs(value)]);
  });
});
