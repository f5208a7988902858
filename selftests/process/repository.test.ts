import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missedIn, unfit } from '../../src/library/worktree-words.ts';
import { systemClock } from '../../src/system/clock.ts';
import { cleanRepository } from '../../src/system/repository.ts';
import { aRepository, git, GIT_ENV } from '../rig/a-repository.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const look = (directory: string, env = GIT_ENV) => cleanRepository(directory, { clock: systemClock, env });

async function refusal(directory: string): Promise<string> {
  const found = await look(directory);
  return found.ok ? 'fit' : unfit(found.error, directory).message;
}

function commit(repository: string, text: string): string {
  writeFileSync(join(repository, 'tracked.txt'), text);
  git(repository, 'commit', '-q', '-a', '-m', text);
  return git(repository, 'rev-parse', 'HEAD').trim();
}

/** Two branches that do not agree; `main` is checked out, and what ends in a conflict is begun by `command`. */
function inConflict(command: (...args: string[]) => void, ...args: string[]) {
  return (at: string): void => {
    aRepository(at);
    git(at, 'checkout', '-q', '-b', 'other');
    commit(at, 'theirs');
    git(at, 'checkout', '-q', 'main');
    commit(at, 'ours');
    expect(() => {
      git(at, ...args);
    }).toThrow();
    command();
  };
}

const NOTHING = (): void => undefined;

describe('a worktree is refused', () => {
  it.each<[string, (at: string) => unknown, string]>([
    [
      'outside of a repository',
      NOTHING,
      '^AT is in no git repository, and a worktree needs one; run git init and commit there',
    ],
    [
      'in a bare one',
      (at) => git(at, 'init', '-q', '--bare'),
      '^AT is in a bare repository or inside a .git folder, and a worktree is made from a work tree;',
    ],
    ['before the first commit', (at) => git(at, 'init', '-q'), 'starts from a commit, but AT has none yet;'],
    [
      'in the middle of a merge',
      inConflict(NOTHING, 'merge', 'other'),
      'a worktree needs a git repository with nothing unfinished, but AT is in the middle of a merge;',
    ],
    [
      'of a rebase',
      inConflict(NOTHING, 'rebase', 'other'),
      'AT is in the middle of a rebase; finish or abort',
    ],
    ['of a cherry-pick', inConflict(NOTHING, 'cherry-pick', 'other'), 'in the middle of a cherry-pick;'],
    ['of a revert', inConflict(NOTHING, 'revert', '--no-edit', 'other'), 'in the middle of a revert;'],
    [
      'of a bisect',
      (at) => {
        aRepository(at);
        git(at, 'bisect', 'start');
      },
      'AT is in the middle of a bisect;',
    ],
    [
      'with changes of tracked files, some of which are named',
      (at) => {
        aRepository(at);
        for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) writeFileSync(join(at, name), '');
        git(at, 'add', '.');
        appendFileSync(join(at, 'tracked.txt'), 'two\n');
      },
      'a worktree needs a git repository without uncommitted changes to tracked files, but AT has some, which the worktree would not have: a, b, c, d, e and 3 more; commit or stash',
    ],
    [
      'where a branch is in the way',
      (at) => {
        aRepository(at);
        git(at, 'branch', 'secondwind');
      },
      'is called secondwind/…, but AT has a branch secondwind, and git cannot have both; rename that one first.',
    ],
    [
      'where a filter cannot be switched off',
      (at) => git(aRepository(at), 'config', 'filter.x=y.smudge', 'cat'),
      "names a filter that cannot be switched off ('=' in its name), so git was not run.",
    ],
    [
      'in a repository that git does not understand',
      (at) => {
        writeFileSync(join(at, '.git'), 'gitdir: /nowhere\n');
      },
      'expected git to look at AT, but it says: not a git repository: /nowhere',
    ],
  ])('%s', async (_where, setUp, words) => {
    const at = tempFolder();
    setUp(at);
    // `^`: begins with it.
    expect(`^${await refusal(at)}`).toContain(words.replaceAll('AT', at));
  });

  it('inside of .git', async () => {
    expect(await refusal(join(aRepository(), '.git'))).toContain('inside a .git folder');
  });

  it('of a name that would write on the terminal, harmlessly', async () => {
    const at = aRepository();
    writeFileSync(join(at, '\u001b]0;x\u0007\n'), '');
    git(at, 'add', '.');
    expect(await refusal(at)).not.toMatch(/[\u0000-\u001f]/);
  });
});

describe('a repository that is clean enough', () => {
  it('may have untracked and ignored files and submodules, which are mentioned', async () => {
    const at = aRepository();
    const inner = aRepository();
    git(at, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'a module');
    git(at, 'commit', '-q', '-m', 'module');
    writeFileSync(join(at, 'untracked'), '');
    writeFileSync(join(at, 'a module', 'tracked.txt'), 'differs\n');
    mkdirSync(join(at, 'deep', 'er'), { recursive: true });
    const found = await look(join(at, 'deep', 'er'));
    if (!found.ok) throw new Error(unfit(found.error, at).message);
    expect(found.value).toMatchObject({
      root: at,
      prefix: 'deep/er',
      head: git(at, 'rev-parse', 'HEAD').trim(),
    });
    expect(missedIn(found.value)).toEqual([
      'untracked files are not in it: untracked',
      'submodules are not filled in: a module (git submodule update --init does it)',
    ]);
  });

  it('is found through a link, in a worktree, and whatever the environment says', async () => {
    const at = aRepository();
    const link = join(tempFolder(), 'link');
    symlinkSync(at, link);
    expect(await look(link)).toMatchObject({ ok: true, value: { root: at } });
    const tree = join(tempFolder(), 'tree');
    git(at, 'worktree', 'add', '-q', tree);
    expect(await look(tree, { ...GIT_ENV, ...{ GIT_DIR: '/nowhere' } })).toMatchObject({
      value: { root: tree },
    });
  });
});
