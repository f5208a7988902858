import { chmodSync, constants, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withLock } from '../../src/system/lock.ts';
import { systemClock } from '../../src/system/clock.ts';
import type { ProcessIdentity } from '../../src/system/process-identity.ts';
import { identityText, ownIdentity } from '../../src/system/process-identity.ts';
import { surveyState } from '../../src/system/state-survey.ts';
import { tempFolder } from '../rig/temp-folder.ts';

function aHome() {
  const home = join(tempFolder(), 'home');
  mkdirSync(home, { mode: 0o700 });
  return { home, file: join(home, 'cooldowns.json') };
}

describe('a look at the state', () => {
  it('finds nothing where nothing is, and makes nothing', () => {
    const path = join(tempFolder(), 'nowhere');
    expect(surveyState(path)).toMatchObject({ isMissing: true, problem: undefined, locks: [] });
    expect(surveyState(path).isMissing).toBe(true);
  });

  it('says what is wrong where a folder should be', () => {
    const path = join(tempFolder(), 'file');
    writeFileSync(path, '');
    expect(surveyState(path).problem).toBeTruthy();
  });

  it('says why nothing can be written there, or where it would be made', () => {
    const { home } = aHome();
    const nowhere = join(home, 'not', 'there');
    for (const path of [home, nowhere]) expect(surveyState(path).unwritable).toBeUndefined();
    const readOnly = (path: string, mode: number) => {
      const code = path === home ? 'EROFS' : 'ENOENT';
      if ((mode & constants.W_OK) !== 0) throw Object.assign(new Error(code), { code, syscall: 'access' });
    };
    for (const path of [home, nowhere])
      expect(surveyState(path, readOnly).unwritable).toBe('the file system is read-only');
  });

  it('tells whose it is, who may enter, how much room there is', () => {
    const { home } = aHome();
    const seen = surveyState(home);
    expect(seen).toMatchObject({ mode: 0o700, isOurs: true, open: [], damaged: [], leftovers: [] });
    expect(seen.freeBytes).toBeGreaterThan(0);
    chmodSync(home, 0o755);
    expect(surveyState(home).mode).toBe(0o755);
  });

  it('names files that others may read, and those that were set aside', () => {
    const { home, file } = aHome();
    writeFileSync(file, '{}', { mode: 0o600 });
    writeFileSync(join(home, 'health.json'), '{}', { mode: 0o644 });
    writeFileSync(`${file}.damaged-2026-11-29T20-00-00.000Z`, '{', { mode: 0o600 });
    expect(surveyState(home)).toMatchObject({
      open: ['health.json'],
      damaged: ['cooldowns.json.damaged-2026-11-29T20-00-00.000Z'],
    });
  });

  it('says who holds a lock, since when, and leaves it held', async () => {
    const { home, file } = aHome();
    const seen = await withLock(file, { clock: systemClock }, () =>
      Promise.resolve([surveyState(home), surveyState(home)]),
    );
    if (!seen.ok) throw new Error(seen.error.message);
    for (const { locks } of seen.value) {
      expect(locks).toMatchObject([{ file: 'cooldowns.json', isAlive: true }]);
      expect(locks[0]?.holder).toContain(`pid ${String(process.pid)}`);
      expect(Math.abs((locks[0]?.since ?? 0) - Date.now())).toBeLessThan(60_000);
    }
    expect(surveyState(home).locks).toEqual([]);
  });

  it('knows what a dead process left behind from what a live one is about to put there', () => {
    const { home, file } = aHome();
    const own = ownIdentity();
    const unique = (identity: ProcessIdentity) => `${identityText(identity)}.0000000000000000`;
    const [dead, live] = [unique({ ...own, start: '1' }), unique(own)];
    for (const name of [dead, live]) writeFileSync(`${file}.next.${name}`, '', { mode: 0o600 });
    expect(surveyState(home).leftovers).toEqual([`cooldowns.json.next.${dead}`]);
  });
});
