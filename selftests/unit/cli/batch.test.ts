import { describe, expect, it } from 'vitest';
import { Newcomers } from '../../../src/cli/batch.ts';
import type { ListedTask } from '../../../src/cli/task-list.ts';
import type { SessionId } from '../../../src/core/ids.ts';
import { sessionId } from '../../../src/core/ids.ts';
import type { SessionRecord } from '../../../src/core/session.ts';
import type { KnownSession } from '../../../src/store/sessions.ts';
import { aSession } from '../../rig/builders.ts';

const BATCH = { file: '/project/tasks.txt', directory: '/project' };

function aTask(key: string): ListedTask {
  return { task: key, key, cd: undefined, workers: undefined, model: undefined };
}

/** A store that counts how often a session is looked into. */
function aStore() {
  const sessions = new Map<SessionId, KnownSession | undefined>();
  let looks = 0;
  const put = (name: string, batch: SessionRecord['request']['batch'], isRunning = true): SessionId => {
    const id = sessionId(name);
    const record = aSession({ id, request: { ...aSession().request, batch } });
    sessions.set(id, { record, isRunning });
    return id;
  };
  return {
    ...{ put, sessions, looks: () => looks },
    ids: () => [...sessions.keys()],
    all: (ids: readonly SessionId[]) => {
      looks += ids.length;
      return Promise.resolve(ids.flatMap((id) => sessions.get(id) ?? []));
    },
  };
}

function names(known: readonly KnownSession[]): readonly string[] {
  return known.map(({ record }) => record.id);
}

describe('what others begin of a list meanwhile', () => {
  it('is found for its own task, and for no other', async () => {
    const store = aStore();
    const newcomers = new Newcomers(store, BATCH, store.ids());
    expect(names(await newcomers.of(aTask('one')))).toEqual([]);
    store.put('a', { ...BATCH, key: 'one' });
    store.put('b', { ...BATCH, key: 'two' });
    store.put('c', { ...BATCH, file: '/project/others.txt', key: 'one' });
    store.put('d', { ...BATCH, directory: '/elsewhere', key: 'one' });
    store.put('e', undefined);
    expect(names(await newcomers.of(aTask('one')))).toEqual(['a']);
    store.put('f', { ...BATCH, key: 'one' });
    expect(names(await newcomers.of(aTask('one')))).toEqual(['a', 'f']);
    expect(names(await newcomers.of(aTask('two')))).toEqual(['b']);
    expect(names(await newcomers.of(aTask('three')))).toEqual([]);
  });

  it('is told as it is now, also when it was seen before', async () => {
    const store = aStore();
    const newcomers = new Newcomers(store, BATCH, []);
    store.put('a', { ...BATCH, key: 'one' });
    expect(await newcomers.of(aTask('two'))).toEqual([]);
    store.put('a', { ...BATCH, key: 'one' }, false);
    expect(await newcomers.of(aTask('one'))).toMatchObject([{ isRunning: false }]);
  });

  it('leaves out what was there before, and what is our own', async () => {
    const store = aStore();
    store.put('before', { ...BATCH, key: 'one' });
    const newcomers = new Newcomers(store, BATCH, store.ids());
    newcomers.own(store.put('ours', { ...BATCH, key: 'one' }));
    expect(names(await newcomers.of(aTask('one')))).toEqual([]);
  });

  it('is looked into again where it could not be read', async () => {
    const store = aStore();
    const newcomers = new Newcomers(store, BATCH, []);
    store.sessions.set(sessionId('a'), undefined);
    expect(names(await newcomers.of(aTask('one')))).toEqual([]);
    store.put('a', { ...BATCH, key: 'one' });
    expect(names(await newcomers.of(aTask('one')))).toEqual(['a']);
  });

  it('is looked into once for what it is of, however many tasks there are, and our own never', async () => {
    const store = aStore();
    const newcomers = new Newcomers(store, BATCH, []);
    for (let n = 0; n < 50; n += 1) store.put(`other ${String(n)}`, { ...BATCH, key: 'none of ours' });
    for (let n = 0; n < 200; n += 1) {
      const key = String(n);
      await newcomers.of(aTask(key));
      newcomers.own(store.put(`ours ${key}`, { ...BATCH, key }));
    }
    expect(store.looks()).toBe(50);
  });
});
