import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { makeReadOnly } from '../../rig/read-only.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

function openIn(home: string) {
  const said: string[] = [];
  const clock = { ...systemClock, now: () => NOW };
  const store = openCooldowns({ home, clock, report: ({ message }) => said.push(message) });
  return { home, file: join(home, 'cooldowns.json'), store, said };
}

async function withSaved() {
  const opened = openIn(tempFolder());
  await opened.store.record(aCooldown());
  return { ...opened, text: readFileSync(opened.file, 'utf8') };
}

const nested = `{"version":1,"cooldowns":[],"clearances":[],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

describe('a damaged state file', () => {
  it.each([
    ['empty', '', 'it is empty'],
    ['blank', ' \n', 'it is empty'],
    ['filled with NUL', '\0'.repeat(4_096), 'it is not JSON'],
    ['junk of 10 MB', 'x'.repeat(10 * 1024 * 1024), 'it is not JSON'],
    ['not UTF-8', Buffer.from('{"version":1,"note":"\xff"}', 'latin1'), 'it is not UTF-8 text'],
    ['a list', '[]', 'it is not a JSON object'],
    ['without a version', '{"cooldowns":[],"clearances":[]}', 'it names no version'],
    ['of version 0', '{"version":0,"cooldowns":[],"clearances":[]}', 'nothing ever wrote version 0'],
    ['of the wrong types', '{"version":1,"cooldowns":{},"clearances":[]}', "its 'cooldowns' is wrong"],
    ['with a wrong record', '{"version":1,"cooldowns":[{"since":5}],"clearances":[]}', "its 'cooldowns.0"],
    ['with a key twice', '{"version":1,"cooldowns":[],"cooldowns":[],"clearances":[]}', 'a key twice'],
    ['nested without end', nested, 'nested more than 64 levels deep'],
  ])('that is %s is set aside as it was, said once, and work goes on', async (_name, content, says) => {
    const { home, file, store, said } = openIn(tempFolder());
    writeFileSync(file, content);
    expect(await store.read()).toEqual([]);
    expect(await store.read()).toEqual([]);
    expect(said).toEqual([expect.stringContaining(says)]);
    expect(readdirSync(home)).toEqual(['cooldowns.json.damaged-2026-11-29T20-00-00.000Z']);
    expect(readFileSync(join(home, readdirSync(home)[0] ?? '')).equals(Buffer.from(content))).toBe(true);
    expect(await store.record(aCooldown())).toEqual({ ok: true, value: undefined });
    expect(await store.read()).toEqual([aCooldown()]);
  });

  it('is set aside by a writer too, before it writes', async () => {
    const { home, file, store, said } = openIn(tempFolder());
    writeFileSync(file, '{');
    await store.record(aCooldown());
    expect(await store.read()).toEqual([aCooldown()]);
    expect(said).toHaveLength(1);
    expect(readdirSync(home)).toHaveLength(2);
  });

  it('never overwrites one that was set aside before', async () => {
    const { home, file, store } = openIn(tempFolder());
    for (const content of ['{1', '{2', '{3']) {
      writeFileSync(file, content);
      await store.read();
    }
    expect(
      readdirSync(home)
        .map((name) => readFileSync(join(home, name), 'utf8'))
        .sort(),
    ).toEqual(['{1', '{2', '{3']);
  });

  it('may be a folder with things in it', async () => {
    const { home, file, store, said } = openIn(tempFolder());
    mkdirSync(file);
    writeFileSync(join(file, 'precious'), 'x');
    expect(await store.read()).toEqual([]);
    expect(said).toEqual([expect.stringContaining('it is a folder')]);
    expect(readFileSync(join(home, readdirSync(home)[0] ?? '', 'precious'), 'utf8')).toBe('x');
  });

  it('may be a pipe that nobody writes to, and does not block', async () => {
    const { file, store, said } = openIn(tempFolder());
    execFileSync('mkfifo', [file]);
    expect(await store.read()).toEqual([]);
    expect(said).toEqual([expect.stringContaining('it is not a regular file')]);
  });

  it('is not what a byte order mark makes of it', async () => {
    const { file, store, said, text } = await withSaved();
    writeFileSync(file, `\uFEFF${text}`);
    expect(await store.read()).toEqual([aCooldown()]);
    expect(said).toEqual([]);
  });

  it('is not what text that looks like keys makes of it', async () => {
    const { store, said } = await withSaved();
    const tricky = aCooldown({ kind: 'auth-failure', evidence: '{"a":1,"a":2} \\":" : \\' });
    await store.record(tricky);
    expect(await store.read()).toContainEqual(tricky);
    expect(said).toEqual([]);
  });
});

describe('a state file of a newer whole version', () => {
  it('is refused by reader and writer, and left untouched', async () => {
    const { home, file, store, said } = openIn(tempFolder());
    const content = '{"version":2,"anything":true}';
    writeFileSync(file, content);
    expect(await store.read()).toEqual([]);
    const recorded = await store.record(aCooldown());
    expect(recorded).toMatchObject({ ok: false, error: { type: 'newer' } });
    expect(said).toEqual([expect.stringContaining('update secondwind to use it')]);
    expect(readdirSync(home)).toEqual(['cooldowns.json']);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });
});

describe('a home that cannot be written', () => {
  it('lets an update fail with one sentence', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    const { store, said } = openIn(join(folder, 'file', 'home'));
    expect(await store.read()).toEqual([]);
    const recorded = await store.record(aCooldown());
    expect(recorded).toMatchObject({
      ok: false,
      error: {
        type: 'unwritable',
        message: expect.stringMatching(/^Expected to save .*not a folder/) as string,
      },
    });
    expect(said.length).toBeLessThanOrEqual(1);
  });

  it('still gives what was saved before', async () => {
    const { home, store, said } = await withSaved();
    makeReadOnly(home);
    const recorded = await store.record(aCooldown({ kind: 'auth-failure' }));
    expect(recorded).toMatchObject({ ok: false, error: { type: 'unwritable' } });
    expect(JSON.stringify(recorded)).toMatch(/the file system is read-only|permission is denied/);
    expect(await store.read()).toEqual([aCooldown()]);
    expect(said).toEqual([]);
  });

  it('goes on without a damaged state that it cannot move, and says so once', async () => {
    const { home, file, store, said } = openIn(tempFolder());
    writeFileSync(file, '{');
    chmodSync(file, 0o644);
    makeReadOnly(home);
    expect(await store.read()).toEqual([]);
    expect(await store.read()).toEqual([]);
    expect(said).toEqual([expect.stringContaining('it is not JSON; it is not used')]);
    expect(readFileSync(file, 'utf8')).toBe('{');
  });
});

describe('links and modes', () => {
  it('keep a linked file and a linked home linked, and lock beside the real file', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'real-home'));
    mkdirSync(join(folder, 'elsewhere'));
    symlinkSync(join(folder, 'real-home'), join(folder, 'home'));
    symlinkSync('../elsewhere/state.json', join(folder, 'real-home', 'cooldowns.json'));
    const { store } = openIn(join(folder, 'home'));
    await store.record(aCooldown());
    await store.record(aCooldown({ kind: 'auth-failure' }));
    expect(await store.read()).toHaveLength(2);
    expect(lstatSync(join(folder, 'home')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, 'real-home', 'cooldowns.json')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, 'elsewhere', 'state.json')).isFile()).toBe(true);
  });

  it.each([0o000, 0o022, 0o777])('are 0600 and 0700 under a umask of %o', async (umask) => {
    const { home, file, store } = openIn(join(tempFolder(), 'a', 'b'));
    const usual = process.umask(umask);
    onTestFinished(() => void process.umask(usual));
    await store.record(aCooldown());
    expect([statSync(home).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
  });
});
