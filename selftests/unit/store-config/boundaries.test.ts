import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ID_PATTERN, sessionId } from '../../../src/core/ids.ts';
import { findSession } from '../../../src/library/find-session.ts';
import { configJsonSchema } from '../../../src/store/config-json-schema.ts';
import { openSessions } from '../../../src/store/sessions.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { ADAPTER_NAMES } from '../../../src/workers/registry.ts';
import { tempFolder } from '../../rig/temp-folder.ts';
import { isProjectConfig, isUserConfig } from '../../rig/checked-config.ts';

const keysOf = (file: 'user' | 'project') =>
  Object.keys(configJsonSchema(file, ADAPTER_NAMES)['properties'] as Readonly<Record<string, unknown>>);

describe("a project's configuration", () => {
  it('knows the names of workers and lengths of waits, and no key besides', () => {
    expect(keysOf('project').sort()).toEqual(
      ['$schema', 'hold', 'maxWait', 'onQuota', 'patience', 'workers'].sort(),
    );
  });

  it.each(keysOf('user').filter((key) => !keysOf('project').includes(key)))('may not say %s', (key) => {
    const value = { on: { 'session.ended': 'sh' }, permissions: 'full' }[key] ?? {};
    expect(isProjectConfig({ [key]: value })).toBe(false);
  });

  it.each(['command', 'args', 'env', 'adapter', 'billing', 'on'])('may not say %s of a worker', (key) => {
    expect(isProjectConfig({ workers: [{ id: 'claude', [key]: 'x' }] })).toBe(false);
    expect(isProjectConfig({ [key]: 'x' })).toBe(false);
  });

  it('may not admit workers that cost money', () => {
    expect(isProjectConfig({ onQuota: 'api' })).toBe(false);
  });
});

/** Texts that lead out of a folder, hide in it, or are no name of a file. */
const leading = fc.oneof(
  fc.constantFrom(
    '..',
    '../x',
    'a/../../x',
    '/etc/passwd',
    '.hidden',
    '-rf',
    'a\0b',
    'a/b',
    'a\\b',
    '',
    'a b',
    '~',
  ),
  fc
    .tuple(fc.string(), fc.constantFrom('/', '\\', '\0', '..\n', '\u001b['), fc.string())
    .map((parts) => parts.join('')),
);

describe('a name that ends up in a path', () => {
  it('is no id when it leads anywhere', () => {
    fc.assert(
      fc.property(leading, (text) => {
        expect(ID_PATTERN.test(text)).toBe(false);
        const worker = { id: text, adapter: 'claude' };
        expect(isUserConfig({ workers: [worker] })).toBe(false);
        const seat = { id: 'a', adapter: 'claude', seat: text };
        expect(isUserConfig({ workers: [seat] })).toBe(false);
      }),
    );
  });

  it('is refused as the id of a session before any file is looked at', async () => {
    const store = openSessions({ home: tempFolder(), clock: systemClock, report: () => undefined });
    const untouchable = new Proxy(store, {
      get: (_, name) => () => {
        throw new Error(`asked for ${String(name)}`);
      },
    });
    await fc.assert(
      fc.asyncProperty(leading, async (text) => {
        const found = await findSession(untouchable, text);
        expect(found).toMatchObject({ ok: false, error: { reason: 'usage' } });
      }),
    );
    expect(await store.read(sessionId('20261129-235725-none'))).toBeUndefined();
  });
});
