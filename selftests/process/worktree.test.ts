import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/system/clock.ts';
import { changesOf } from '../../src/system/worktree-changes.ts';
import { seeToWorktree } from '../../src/system/worktree.ts';
import { aRepository, git, GIT_ENV } from '../rig/a-repository.ts';
import { eventually, writeScript } from '../rig/children.ts';
import { processesWith } from '../rig/live-processes.ts';
import { tempFolder } from '../rig/temp-folder.ts';
import { branchesIn } from '../rig/worktrees.ts';

const effects = { clock: systemClock, env: GIT_ENV };

function aTree(repository = aRepository(), name = 'one') {
  const path = join(tempFolder(), 'not yet there', name);
  const base = git(repository, 'rev-parse', 'HEAD').trim();
  return { repository, path, branch: `secondwind/${name}`, base };
}

describe('a worktree', () => {
  it('is made from its base, for its owner alone, whatever is checked out now', async () => {
    const tree = aTree();
    git(tree.repository, 'commit', '-q', '--allow-empty', '-m', 'later');
    expect(await seeToWorktree(tree, false, effects)).toMatchObject({ ok: true });
    expect(git(tree.path, 'rev-parse', 'HEAD', '--abbrev-ref', 'HEAD').split('\n')).toContain(tree.base);
    expect(statSync(tree.path).mode & 0o777).toBe(0o700);
    // A second time it is as it was left.
    writeFileSync(join(tree.path, 'left'), '');
    expect(await seeToWorktree(tree, true, effects)).toMatchObject({ ok: true });
    expect(existsSync(join(tree.path, 'left'))).toBe(true);
  });

  it('is made beside others of the same repository at once', async () => {
    const repository = aRepository();
    const trees = ['a', 'b', 'c', 'd'].map((name) => aTree(repository, `group/${name}`));
    const made = await Promise.all(trees.map((tree) => seeToWorktree(tree, false, effects)));
    expect(made.map(({ ok }) => ok)).toEqual([true, true, true, true]);
  });

  it('waits for a lock that another git holds, and not for ever', async () => {
    const tree = aTree();
    const lock = join(tree.repository, '.git', 'refs', 'heads', 'secondwind', 'one.lock');
    mkdirSync(join(lock, '..'), { recursive: true });
    writeFileSync(lock, '');
    let waits = 0;
    const releasing = (at: number) => ({
      ...systemClock,
      sleep: async (length: Parameters<typeof systemClock.sleep>[0], signal?: AbortSignal) => {
        if (length > 10_000 || signal === undefined) return systemClock.sleep(length, signal);
        waits += 1;
        if (waits === at) rmSync(lock);
      },
    });
    const { signal } = new AbortController();
    const never = await seeToWorktree(tree, false, { ...effects, abort: signal, clock: releasing(1_000) });
    expect(never).toMatchObject({ error: { type: 'no-answer', end: { type: 'failed' } } });
    expect(waits).toBe(8);
    waits = 0;
    const soon = { ...effects, abort: signal, clock: releasing(2) };
    expect(await seeToWorktree(tree, false, soon)).toMatchObject({ ok: true });
  });

  it('that git was killed over is made again', async () => {
    const tree = aTree();
    await seeToWorktree(tree, false, effects);
    const [entry = ''] = git(tree.path, 'rev-parse', '--absolute-git-dir').trim().split('\n');
    writeFileSync(join(entry, 'locked'), 'initializing\n');
    rmSync(join(tree.path, 'tracked.txt'));
    expect(await seeToWorktree(tree, false, effects)).toMatchObject({ ok: true });
    expect(readFileSync(join(tree.path, 'tracked.txt'), 'utf8')).toBe('one\n');
  });

  it('that cannot be made leaves no branch, and says why', async () => {
    const tree = aTree();
    const stopped = new AbortController();
    stopped.abort();
    expect(await seeToWorktree(tree, false, { ...effects, abort: stopped.signal })).toMatchObject({
      error: { end: { type: 'stopped' } },
    });
    const blocked = join(tempFolder(), 'file');
    writeFileSync(blocked, '');
    const nowhere = { ...tree, path: join(blocked, 'one') };
    expect(await seeToWorktree(nowhere, false, effects)).toMatchObject({ error: { type: 'no-folder' } });
    const unknown = { ...tree, base: '0123456789012345678901234567890123456789' };
    expect(await seeToWorktree(unknown, false, effects)).toMatchObject({
      error: { end: { type: 'failed', said: expect.stringContaining('0123456789') as string } },
    });
    expect(branchesIn(tree.repository)).toEqual(['main']);
    expect(existsSync(tree.path)).toBe(false);
  });
});

describe("a worktree whose files go through a filter of the user's own", () => {
  /** As git-lfs does, whose filter is in the user's configuration. */
  function filtered(smudge: string) {
    const home = tempFolder();
    const tree = aTree();
    writeFileSync(join(tree.repository, '.gitattributes'), '*.txt filter=mine\n');
    git(tree.repository, 'add', '.');
    git(tree.repository, 'commit', '-q', '-m', 'attributes');
    writeScript(join(home, 'smudge'), smudge);
    const filter = `[filter "mine"]\nsmudge = ${home}/smudge\nclean = cat\nrequired = true\n`;
    writeFileSync(join(home, '.gitconfig'), filter);
    const base = git(tree.repository, 'rev-parse', 'HEAD').trim();
    return { tree: { ...tree, base }, home, effects: { ...effects, env: { ...GIT_ENV, HOME: home } } };
  }

  it('has them as the filter gives them', async () => {
    const { tree, effects: own } = filtered('cat; echo smudged');
    expect(await seeToWorktree(tree, false, own)).toMatchObject({ ok: true });
    expect(readFileSync(join(tree.path, 'tracked.txt'), 'utf8')).toBe('one\nsmudged\n');
  });

  it('is not there, nor its branch, when the filter fails', async () => {
    const { tree, effects: own } = filtered('exit 1');
    const made = await seeToWorktree(tree, false, own);
    expect(made).toMatchObject({
      error: { end: { said: expect.stringContaining('mine failed') as string } },
    });
    expect(branchesIn(tree.repository)).toEqual(['main']);
    expect(existsSync(tree.path)).toBe(false);
  });

  it('is not there, nor its branch, nor the filter, when it is stopped in the middle', async () => {
    const { tree, home, effects: own } = filtered('touch "$HOME/runs"; exec sleep 900');
    const stop = new AbortController();
    const making = seeToWorktree(tree, false, { ...own, abort: stop.signal });
    await eventually('the filter runs', () => existsSync(join(home, 'runs')));
    expect(processesWith(home)).not.toEqual([]);
    stop.abort();
    expect(await making).toMatchObject({ error: { end: { type: 'stopped' } } });
    expect(branchesIn(tree.repository)).toEqual(['main']);
    expect(existsSync(tree.path)).toBe(false);
    await eventually('all are gone', () => processesWith(home).length === 0, 3_000);
  });
});

describe('a repository that names programs', () => {
  it('has none of them run as a worktree is made and looked at', async () => {
    const repository = aRepository();
    const folder = tempFolder();
    const [trap, sprung] = [join(folder, 'trap'), join(folder, 'sprung')];
    writeScript(trap, `echo "$0 $*" >> ${sprung}\ncat`);
    writeFileSync(join(repository, '.gitattributes'), '* filter=x diff=x\n');
    git(repository, 'add', '.');
    git(repository, 'commit', '-q', '-m', 'attributes');
    for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change'])
      symlinkSync(trap, join(repository, '.git', 'hooks', hook));
    const keys = ['core.fsmonitor', 'filter.x.smudge', 'filter.x.clean', 'filter.x.process'];
    for (const key of [...keys, 'diff.external', 'diff.x.textconv', 'core.pager', 'core.sshCommand'])
      git(repository, 'config', key, trap);
    rmSync(sprung, { force: true });
    const tree = aTree(repository);
    expect(await seeToWorktree(tree, false, effects)).toMatchObject({ ok: true });
    writeFileSync(join(tree.path, 'tracked.txt'), 'two\n');
    expect((await changesOf(tree, effects))?.files).toHaveLength(1);
    rmSync(tree.path, { recursive: true });
    expect(await seeToWorktree(tree, true, effects)).toMatchObject({ ok: true });
    expect(existsSync(sprung) ? readFileSync(sprung, 'utf8') : '').toBe('');
    // Or this would prove nothing: git alone does run them.
    git(repository, 'worktree', 'add', '-q', join(folder, 'other'));
    expect(readFileSync(sprung, 'utf8')).toContain('post-checkout');
  });
});

describe('what changed in a worktree', () => {
  it('is counted from its base: committed, staged, not staged and new', async () => {
    const tree = aTree();
    await seeToWorktree(tree, false, effects);
    const write = (name: string, text: string | Buffer): void => {
      writeFileSync(join(tree.path, name), text);
    };
    write('committed', 'a\nb\n');
    git(tree.path, 'add', '.');
    git(tree.path, 'commit', '-q', '-m', 'work');
    write('staged', 'a\n');
    git(tree.path, 'add', '.');
    write('tracked.txt', 'two\nthree\n');
    write('new\nname', 'a\nb\nno end');
    write('binary', Buffer.from([0, 1, 2]));
    symlinkSync('/dev/zero', join(tree.path, 'link'));
    execFileSync('mkfifo', [join(tree.path, 'pipe')]);
    const changes = await changesOf(tree, effects);
    expect(changes).toMatchObject({ commits: 1, uncommitted: 5, branch: tree.branch });
    const numbers = changes?.files.map(({ path, added, removed }) => [path, added, removed]);
    expect(numbers).toEqual([
      ['binary', undefined, 0],
      ['committed', 2, 0],
      ['link', undefined, 0],
      ['new\nname', 3, 0],
      ['staged', 1, 0],
      ['tracked.txt', 2, 1],
    ]);
    git(tree.path, 'checkout', '-q', '--detach');
    expect((await changesOf(tree, effects))?.branch).toBeUndefined();
    rmSync(tree.path, { recursive: true });
    expect(await changesOf(tree, effects)).toBeUndefined();
  });
});
