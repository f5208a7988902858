import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/system/clock.ts';
import { workTreeChanges, workTreeFingerprint } from '../../src/system/git.ts';
import { aRepository, git, GIT_ENV } from '../rig/a-repository.ts';
import { eventually, writeScript } from '../rig/children.ts';
import { processesInGroup } from '../rig/live-processes.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const ENV = GIT_ENV;
const look = (directory: string, env: Readonly<Record<string, string>> = ENV) =>
  workTreeChanges(directory, { clock: systemClock, env });
const fingerprint = (directory: string) => workTreeFingerprint(directory, { clock: systemClock, env: ENV });

describe('the changes of a work tree', () => {
  it('are the files that git knows, by size of change, and the new ones', async () => {
    const repository = aRepository();
    appendFileSync(join(repository, 'tracked.txt'), 'two\n');
    writeFileSync(join(repository, 'a new\nfile ü'), '');
    mkdirSync(join(repository, 'folder'));
    writeFileSync(join(repository, 'folder', 'deep'), '');
    writeFileSync(join(repository, '.gitignore'), 'ignored\n');
    writeFileSync(join(repository, 'ignored'), '');
    const changes = await look(join(repository, 'folder'));
    expect(changes?.diffStat).toContain('tracked.txt | 1 +');
    expect(changes?.untracked).toEqual(['.gitignore', 'a new\nfile ü', 'folder/']);
  });

  it('tell a renamed file from a new one', async () => {
    const repository = aRepository();
    git(repository, 'mv', 'tracked.txt', 'moved.txt');
    writeFileSync(join(repository, 'new'), '');
    expect(await look(repository)).toMatchObject({ untracked: ['new'] });
  });

  it('are not known where there is no work tree, no git, or no answer in time', async () => {
    const nowhere = tempFolder();
    expect(await look(nowhere)).toBeUndefined();
    expect(await fingerprint(nowhere)).toBeUndefined();
    const bin = tempFolder();
    expect(await look(aRepository(), { ...ENV, PATH: bin })).toBeUndefined();
    // Under its name once it is whole: the shell makes the file before it writes into it.
    const script = `PATH=/usr/bin:/bin\necho $$ > ${bin}/next\nmv ${bin}/next ${bin}/pid\nsleep 600`;
    writeScript(join(bin, 'git'), script);
    const patient = {
      ...systemClock,
      sleep: () => eventually('it has begun', () => existsSync(join(bin, 'pid'))),
    };
    expect(
      await workTreeChanges(aRepository(), { clock: patient, env: { ...ENV, PATH: bin } }),
    ).toBeUndefined();
    const pid = Number(readFileSync(join(bin, 'pid'), 'utf8'));
    await eventually('it is gone, with what it started', () => processesInGroup(pid).length === 0);
  });

  it('are not asked of a git where there is no repository', async () => {
    const bin = tempFolder();
    writeScript(join(bin, 'git'), `: > ${bin}/asked\nexit 1`);
    expect(await look(tempFolder(), { ...ENV, PATH: bin })).toBeUndefined();
    expect(existsSync(join(bin, 'asked'))).toBe(false);
    expect(await look(aRepository(), { ...ENV, PATH: bin })).toBeUndefined();
    expect(existsSync(join(bin, 'asked'))).toBe(true);
  });

  it('are found through a link from outside, and in a worktree, whose .git is a file', async () => {
    const repository = aRepository();
    const [outside, worktree] = [tempFolder(), join(tempFolder(), 'tree')];
    mkdirSync(join(repository, 'folder'));
    symlinkSync(join(repository, 'folder'), join(outside, 'link'));
    writeFileSync(join(repository, 'folder', 'new'), '');
    expect((await look(join(outside, 'link')))?.untracked).toEqual(['folder/']);
    git(repository, 'worktree', 'add', '-q', worktree);
    writeFileSync(join(worktree, 'here'), '');
    expect((await look(worktree))?.untracked).toEqual(['here']);
  });

  it('are those of the folder, whatever repository the environment names', async () => {
    const other = aRepository();
    writeFileSync(join(other, 'of another'), '');
    const repository = aRepository();
    expect(await look(repository, { ...ENV, GIT_DIR: join(other, '.git'), GIT_WORK_TREE: other })).toEqual({
      diffStat: '',
      untracked: [],
    });
  });

  it('are known before the first commit too', async () => {
    const repository = tempFolder();
    git(repository, 'init', '-q');
    writeFileSync(join(repository, 'new'), '');
    expect(await look(repository)).toEqual({ diffStat: '', untracked: ['new'] });
    expect(await fingerprint(repository)).toBeDefined();
  });
});

describe('the fingerprint of a work tree', () => {
  it.each<[string, (repository: string) => void]>([
    [
      'a file that was clean',
      (at) => {
        appendFileSync(join(at, 'tracked.txt'), 'more');
      },
    ],
    [
      'a file that differed already',
      (at) => {
        appendFileSync(join(at, 'dirty.txt'), 'more');
      },
    ],
    [
      'a new file',
      (at) => {
        writeFileSync(join(at, 'new'), '');
      },
    ],
    [
      'a file in a new folder',
      (at) => {
        writeFileSync(join(at, 'folder', 'second'), '');
      },
    ],
    [
      'a commit',
      (at) => {
        git(at, 'commit', '-q', '-a', '-m', 'second');
      },
    ],
    [
      'the index',
      (at) => {
        git(at, 'add', 'dirty.txt');
      },
    ],
  ])('changes with %s', async (_what, change) => {
    const repository = aRepository();
    writeFileSync(join(repository, 'dirty.txt'), 'one\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '-q', '-m', 'more');
    appendFileSync(join(repository, 'dirty.txt'), 'two\n');
    mkdirSync(join(repository, 'folder'));
    writeFileSync(join(repository, 'folder', 'first'), '');
    const before = await fingerprint(repository);
    expect(before).toBeDefined();
    expect(await fingerprint(repository)).toBe(before);
    change(repository);
    expect(await fingerprint(repository)).not.toBe(before);
  });

  it('does not change with a file that git ignores, nor with another look', async () => {
    const repository = aRepository();
    writeFileSync(join(repository, '.gitignore'), 'ignored\n');
    const before = await fingerprint(repository);
    const index = readFileSync(join(repository, '.git', 'index'));
    writeFileSync(join(repository, 'ignored'), '');
    expect(await fingerprint(repository)).toBe(before);
    expect(readFileSync(join(repository, '.git', 'index'))).toEqual(index);
  });
});
