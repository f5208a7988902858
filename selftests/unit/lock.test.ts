import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { durationMs } from '../../src/core/time.ts';
import { systemClock } from '../../src/system/clock.ts';
import { withLock } from '../../src/system/lock.ts';
import type { ProcessIdentity } from '../../src/system/process-identity.ts';
import {
  identityOf,
  identityText,
  liveness,
  ownIdentity,
  parseIdentity,
} from '../../src/system/process-identity.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const NOBODY = 4_194_305;

function lockedFile() {
  const folder = tempFolder();
  const file = join(folder, 'state.json');
  const lock = (work: () => Promise<void>, options: { waitAtMost?: number; signal?: AbortSignal } = {}) =>
    withLock(
      file,
      { clock: systemClock, signal: options.signal, waitAtMost: durationMs(options.waitAtMost ?? 5_000) },
      work,
    );
  return { folder, file, lock };
}

/** Something that ends when the test says so. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('the calls of one process', () => {
  it('get the lock one at a time, in the order in which they came', async () => {
    const { folder, lock } = lockedFile();
    const log: string[] = [];
    const call = (name: string) =>
      lock(async () => {
        log.push(`${name} in`);
        await systemClock.sleep(durationMs(1));
        log.push(`${name} out`);
      });
    await Promise.all(['a', 'b', 'c', 'd'].map(call));
    expect(log).toEqual(['a', 'b', 'c', 'd'].flatMap((name) => [`${name} in`, `${name} out`]));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('give the lock back when the work throws, and let the error through', async () => {
    const { folder, lock } = lockedFile();
    await expect(lock(() => Promise.reject(new Error('a bug')))).rejects.toThrow('a bug');
    expect(readdirSync(folder)).toEqual([]);
    expect(await lock(() => Promise.resolve())).toMatchObject({ ok: true });
  });

  it('wait no longer than they are told to, and do not hold up those behind them', async () => {
    const { lock } = lockedFile();
    const { opened, open } = gate();
    const first = lock(() => opened);
    const impatient = await lock(() => Promise.resolve(), { waitAtMost: 20 });
    expect(impatient).toMatchObject({
      ok: false,
      error: { type: 'held', message: expect.stringContaining(`process ${String(process.pid)}`) as string },
    });
    const patient = lock(() => Promise.resolve());
    open();
    expect(await first).toMatchObject({ ok: true });
    expect(await patient).toMatchObject({ ok: true });
  });

  it('stop waiting at once when they are cancelled, and leave nothing behind', async () => {
    const { folder, lock } = lockedFile();
    const { opened, open } = gate();
    const first = lock(() => opened);
    const cancel = new AbortController();
    const second = lock(() => Promise.resolve(), { signal: cancel.signal, waitAtMost: 60_000 });
    cancel.abort();
    expect(await second).toMatchObject({ ok: false, error: { type: 'cancelled' } });
    open();
    await first;
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a lock that somebody else holds', () => {
  it('stops a wait that is cancelled, and the claim is withdrawn', async () => {
    const { folder, file, lock } = lockedFile();
    mkdirSync(`${file}.lock`);
    writeFileSync(join(`${file}.lock`, 'theirs'), '');
    const cancel = new AbortController();
    const waiting = lock(() => Promise.resolve(), { signal: cancel.signal, waitAtMost: 60_000 });
    setImmediate(() => {
      cancel.abort();
    });
    expect(await waiting).toMatchObject({ ok: false, error: { type: 'cancelled' } });
    expect(readdirSync(folder)).toEqual(['state.json.lock']);
  });

  it('is named with what to type when it cannot be judged, whatever its path contains', async () => {
    const folder = join(tempFolder(), "it's here");
    mkdirSync(folder);
    const file = join(folder, 'state.json');
    mkdirSync(`${file}.lock`);
    writeFileSync(join(`${file}.lock`, 'theirs'), '');
    const waitAtMost = durationMs(10);
    const held = await withLock(file, { clock: systemClock, waitAtMost }, () => Promise.resolve());
    expect(held.ok ? '' : held.error.message).toContain(
      `rm -r '${folder.replace("'", `'\\''`)}/state.json.lock'`,
    );
  });

  it.each<[string, (lock: string) => void, what: string]>([
    [
      'a file',
      (lock) => {
        writeFileSync(lock, '');
      },
      'file',
    ],
    [
      'a link that leads nowhere',
      (lock) => {
        symlinkSync('nowhere', lock);
      },
      'link',
    ],
    [
      'a link to itself',
      (lock) => {
        symlinkSync('state.json.lock', lock);
      },
      'link',
    ],
    [
      'a link to an empty folder',
      (lock) => {
        symlinkSync(tempFolder(), lock);
      },
      'link',
    ],
    [
      'a link to a folder with something in it',
      (lock) => {
        const folder = tempFolder();
        writeFileSync(join(folder, 'theirs'), '');
        symlinkSync(folder, lock);
      },
      'link',
    ],
    [
      'a link to a file',
      (lock) => {
        symlinkSync(import.meta.filename, lock);
      },
      'link',
    ],
  ])('is never taken where %s stands, which is said, and left there', async (_, make, what) => {
    const { folder, file } = lockedFile();
    const lock = `${file}.lock`;
    make(lock);
    const waitAtMost = durationMs(10);
    const held = await withLock(file, { clock: systemClock, waitAtMost }, () => Promise.resolve());
    const found = `${lock} is a ${what}, not a folder`;
    expect(held).toEqual({
      ok: false,
      error: {
        type: 'held',
        message: `Expected to lock ${file} within 1s, but ${found}; if nothing uses it, remove it with: rm ${lock}.`,
      },
    });
    expect(readdirSync(folder)).toEqual(['state.json.lock']);
  });

  it('cannot be taken in a folder that does not exist', async () => {
    const file = join(tempFolder(), 'nowhere', 'state.json');
    const held = await withLock(file, { clock: systemClock }, () => Promise.resolve());
    expect(held).toEqual({
      ok: false,
      error: { type: 'failed', message: `Expected to lock ${file}, but it does not exist.` },
    });
  });
});

describe('the identity of a process', () => {
  const other = (change: Partial<ProcessIdentity>): ProcessIdentity => ({ ...ownIdentity(), ...change });

  it('survives being a part of a file name', () => {
    expect(parseIdentity(identityText(ownIdentity()))).toEqual(ownIdentity());
    expect(parseIdentity(identityText(other({ space: undefined })))).toEqual(other({ space: undefined }));
    expect(identityText(ownIdentity())).toMatch(/^[\w.-]{1,200}$/);
  });

  it('is the same whoever asks', () => {
    expect(identityOf(process.pid)).toEqual(ownIdentity());
    expect(identityOf(NOBODY)).toBeUndefined();
  });

  it.each<[name: string, change: Partial<ProcessIdentity>, expected: string]>([
    ['this very process', {}, 'alive'],
    ['a pid that nobody has', { pid: NOBODY }, 'dead'],
    ['a pid that has gone to another', { start: '1' }, 'dead'],
    ['an earlier boot of this host', { boot: 'earlier', pid: NOBODY }, 'dead'],
    ['this boot under another host name', { host: 'ffffffffffff', pid: NOBODY }, 'dead'],
    ['another host', { host: 'ffffffffffff', boot: 'theirs', pid: NOBODY }, 'unknown'],
    ['another pid namespace', { space: '1-1', pid: NOBODY }, 'unknown'],
    ['a namespace that could not be told', { space: undefined, pid: NOBODY }, 'unknown'],
    ['a start time that could not be told', { start: 'unknown' }, 'alive'],
    ['a boot that could not be told', { boot: 'unknown', pid: NOBODY }, 'unknown'],
  ])('proves of %s what can be proven', (_name, change, expected) => {
    expect(liveness(other(change)).type).toBe(expected);
  });

  it('proves nothing of anybody when this process cannot tell its own boot', () => {
    const self = other({ boot: 'unknown' });
    expect(liveness(other({ boot: 'unknown', pid: NOBODY }), self).type).toBe('unknown');
    expect(liveness(other({ pid: NOBODY }), self).type).toBe('unknown');
  });
});
