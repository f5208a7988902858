import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git, GIT_ENV } from '../rig/a-repository.ts';
import { eventually } from '../rig/children.ts';
import { aStage } from '../rig/cli.ts';
import { aProject, branchesIn, proposed, theWorktree, workingClaude, worktreesOf } from '../rig/worktrees.ts';

const AUTHOR = 'git -c user.name=a -c user.email=a@localhost';

function shell(command: string): string {
  const env = { ...GIT_ENV, GIT_AUTHOR_NAME: 'a', GIT_COMMITTER_NAME: 'a', EMAIL: 'a@localhost' };
  return execFileSync('/bin/sh', ['-c', command], { env, encoding: 'utf8', stdio: 'pipe' });
}

function textIn(tree: string): string {
  const file = join(tree, 'tracked.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

describe('run --worktree', () => {
  it('works in a folder and on a branch of its own, and leaves the repository as it was', async () => {
    const stage = aProject();
    stage.fake('claude', workingClaude('pwd > where; echo two >> deep.txt'));
    writeFileSync(join(stage.project, 'sub', 'mine'), '');
    const { code, stdout, stderr } = await stage.run(['run', '--worktree', '-C', 'sub', 'x']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'All done.\n' });
    const tree = theWorktree(stage);
    expect(statSync(tree).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(tree, 'sub', 'where'), 'utf8')).toBe(`${tree}/sub\n`);
    const id = tree.split('/').at(-1) ?? '';
    expect(branchesIn(stage.project)).toEqual(['main', `secondwind/${id}`]);
    expect(git(stage.project, 'status', '--porcelain')).toBe('?? sub/mine\n');
    for (const part of [
      'worktree: untracked files are not in it: sub/mine\n',
      `worktree: ${tree}, branch secondwind/${id}\n`,
      'worktree: 2 files changed, +2 −0\n  sub/deep.txt +1 −0\n  sub/where +1 −0\n',
      '2 files of it are not committed, and stay there\n',
    ])
      expect(stderr).toContain(part);
    expect(JSON.parse((await stage.run(['sessions', 'show', id, '--json'])).stdout)).toMatchObject({
      request: { directory: `${tree}/sub`, worktree: { repository: stage.project, path: tree } },
    });
    const shown = (await stage.run(['sessions', 'show', id])).stdout;
    expect(shown).toContain(`secondwind/${id} of ${stage.project}, from `);
    // What a run ends with is told again whenever its session is looked at, as long as there is something to tell of.
    const told = stderr.slice(stderr.indexOf('worktree: 2 files'));
    expect(shown.endsWith(`\n\n${told}`)).toBe(true);
    shell(proposed('remove', { stderr: shown }).replace('remove', 'remove --force').replace('-d', '-D'));
    const after = (await stage.run(['sessions', 'show', id])).stdout;
    expect(after).toContain('All done.');
    expect(after).not.toContain('worktree: ');
  });

  it('proposes commands that show, merge and remove what was done, committed or not', async () => {
    const stage = aProject();
    const commit = `echo two >> tracked.txt; ${AUTHOR} commit -q -a -m work; echo new > 'a new file'`;
    stage.fake('claude', workingClaude(commit));
    const finished = await stage.run(['run', '--worktree', 'x']);
    expect(shell(proposed('look', finished))).toContain('+two');
    shell(proposed('merge', finished));
    expect(readFileSync(join(stage.project, 'tracked.txt'), 'utf8')).toBe('one\ntwo\n');
    expect(existsSync(join(stage.project, 'a new file'))).toBe(true);
    shell(proposed('remove', finished));
    expect(worktreesOf(stage)).toEqual([]);
    expect(branchesIn(stage.project)).toEqual(['main']);
  });

  it('proposes a command that shows also files which are new to git, whatever else changed', async () => {
    const stage = aProject();
    for (const more of ['', '; echo two >> tracked.txt; rm sub/deep.txt']) {
      stage.fake('claude', workingClaude(`mkdir new; echo fresh > 'new/a file'${more}`));
      const finished = await stage.run(['run', '--worktree', 'x']);
      const shown = shell(proposed('look', finished));
      expect(shown).toContain('+fresh');
      expect(shown.includes('+two') && shown.includes('-one')).toBe(more !== '');
      // Shown, and nothing else: it is still not lost, and still merged.
      expect(() => shell(proposed('remove', finished))).toThrow();
    }
  });

  it('proposes nothing that would lose work, and says that nothing changed', async () => {
    const stage = aProject();
    stage.fake('claude', workingClaude('echo new > new'));
    const finished = await stage.run(['run', '--worktree', 'x']);
    expect(() => shell(proposed('remove', finished))).toThrow();
    expect(worktreesOf(stage)).toHaveLength(1);
    stage.fake('claude', workingClaude(''));
    const idle = await stage.run(['run', '--worktree', 'x']);
    expect(idle.stderr).toContain('worktree: nothing changed in it\n');
    expect(proposed('merge', idle)).toBe('');
    shell(proposed('remove', idle));
    expect(worktreesOf(stage)).toHaveLength(1);
  });

  it('works in paths with spaces and quotes, of a repository that a hook of another has in its environment', async () => {
    const stage = aProject();
    const home = join(stage.folder, "it's a home");
    stage.fake('claude', workingClaude('git rev-parse --show-toplevel > where'));
    const hook = { GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere', GIT_INDEX_FILE: '/nowhere/index' };
    const finished = await stage.run(['run', '--worktree', 'x'], {
      env: { SECONDWIND_HOME: home, ...hook },
    });
    expect(finished.code).toBe(0);
    const [tree = ''] = worktreesOf({ ...stage, stateHome: home });
    expect(readFileSync(join(tree, 'where'), 'utf8')).toBe(`${tree}\n`);
    expect(shell(proposed('merge', finished))).toContain('where');
  });

  it('fits the tasks of a list, each with a worktree, many at once', async () => {
    const stage = aProject();
    stage.fake('claude', workingClaude('echo more >> tracked.txt'));
    writeFileSync(join(stage.home, 'tasks'), 'one\ntwo\nthree\n');
    const list = ['run', '--worktree', '--tasks', join(stage.home, 'tasks'), '-j', '3'];
    const { code, stderr } = await stage.run(list);
    expect(code).toBe(0);
    expect(worktreesOf(stage)).toHaveLength(3);
    for (const tree of worktreesOf(stage))
      expect(git(tree, 'diff', '--stat')).toContain('1 file changed, 1 insertion(+)');
    expect(stderr.match(/^#[123] +1 +\+1 −0 +secondwind\//gm)).toHaveLength(3);
    const listed = stderr.match(/^ {2}\/.*, branch secondwind\/\S+$/gm) ?? [];
    const shownWith = /^ {2}remove .* worktree remove (\S+)/m.exec(stderr)?.[1] ?? '';
    expect([`  ${shownWith}`, ...listed.map((row) => row.split(',')[0])].toSorted()).toEqual(
      worktreesOf(stage)
        .map((tree) => `  ${tree}`)
        .toSorted(),
    );
    expect(git(stage.project, 'status', '--porcelain')).toBe('');
  });

  it('names also those worktrees of a list in which nothing changed, or that are not on their branch', async () => {
    const stage = aProject();
    const work = [
      'case "$*" in',
      '*"make it"*) echo more >> tracked.txt ;;',
      '*"go away"*) echo more >> tracked.txt; git checkout -q -b elsewhere ;;',
      'esac',
    ];
    stage.fake('claude', workingClaude(work.join('\n')));
    writeFileSync(join(stage.home, 'tasks'), 'make it\nleave it\ngo away\n');
    const { stderr } = await stage.run(['run', '--worktree', '--tasks', join(stage.home, 'tasks')]);
    const rows = stderr.split('\n').filter((line) => /^ {2}\/.*, branch /.test(line));
    expect(rows).toEqual([
      expect.stringMatching(/\/worktrees\/(\S+), branch secondwind\/\1, nothing changed$/),
      expect.stringMatching(/\/worktrees\/(\S+), branch secondwind\/\1, now on branch elsewhere$/),
    ]);
  });
});

describe('a session in a worktree', () => {
  async function killed() {
    const stage = aProject();
    stage.fake('claude', workingClaude('echo half >> tracked.txt; echo ready >&2; exec sleep 900'));
    const running = stage.start(['run', '--worktree', 'x']);
    await eventually('it works', () => worktreesOf(stage).some((tree) => textIn(tree).includes('half')));
    running.kill('SIGKILL');
    await running.finished;
    const tree = theWorktree(stage);
    stage.fake('claude', workingClaude('echo rest >> tracked.txt; pwd > where'));
    return { stage, tree, id: tree.split('/').at(-1) ?? '' };
  }

  it('goes on in it when secondwind was killed', async () => {
    const { stage, tree, id } = await killed();
    const { code, stderr } = await stage.run(['resume', id]);
    expect(code).toBe(0);
    expect(readFileSync(join(tree, 'tracked.txt'), 'utf8')).toBe('one\nhalf\nrest\n');
    expect(stderr).toContain('worktree: 2 files changed, +3 −0');
    expect(stderr).not.toContain('was gone');
    expect(worktreesOf(stage)).toEqual([tree]);
  });

  it('goes on from its branch when the folder is gone', async () => {
    const { stage, tree, id } = await killed();
    shell(`cd ${tree} && ${AUTHOR} commit -q -a -m half`);
    rmSync(tree, { recursive: true });
    const { code, stderr } = await stage.run(['resume', id]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(readFileSync(join(tree, 'tracked.txt'), 'utf8')).toBe('one\nhalf\nrest\n');
    const again = `worktree: ${tree} was gone, and was made again from branch secondwind/${id}; what was not committed in it is lost\n`;
    expect(stderr.split(again)).toHaveLength(2);
  });

  it('says that its branch is gone too', async () => {
    const { stage, tree, id } = await killed();
    git(stage.project, 'worktree', 'remove', '--force', tree);
    git(stage.project, 'branch', '-D', `secondwind/${id}`);
    const { code, stderr } = await stage.run(['resume', id]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `secondwind: the session worked in ${tree} on branch secondwind/${id}, and both are gone, so what it did is gone with them; start the task again.\n`,
    );
  });

  it('says that its branch is checked out elsewhere, that the repository is gone, that the folder is another', async () => {
    const { stage, tree, id } = await killed();
    git(stage.project, 'worktree', 'remove', '--force', tree);
    git(stage.project, 'checkout', '-q', `secondwind/${id}`);
    const elsewhere = await stage.run(['resume', id]);
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.stderr).toMatch(
      /^secondwind: expected git to make a worktree in .*, but it says: .*already/,
    );
    mkdirSync(tree);
    writeFileSync(join(tree, 'mine'), '');
    const another = await stage.run(['resume', id]);
    expect(another.stderr).toContain(`but what is there is no worktree of ${stage.project} (any more)`);
    rmSync(stage.project, { recursive: true });
    const gone = await stage.run(['resume', id], { cwd: stage.home });
    expect(gone.stderr).toContain(`a worktree of ${stage.project}, and that repository is gone`);
    expect(existsSync(join(tree, 'mine'))).toBe(true);
  });

  it('has none while nobody can start, and starts in one of its own later', async () => {
    const stage = aProject();
    const nobody = await stage.run(['run', '--worktree', '-w', 'claude', 'x']);
    expect(nobody.code).toBe(69);
    expect(nobody.stderr).not.toContain('worktree: ');
    expect(worktreesOf(stage)).toEqual([]);
    expect(branchesIn(stage.project)).toEqual(['main']);
    const listed = JSON.parse((await stage.run(['sessions', '--json'])).stdout) as { readonly id: string }[];
    const id = listed[0]?.id ?? '';
    stage.fake('claude', workingClaude('echo two >> tracked.txt'));
    const { code: later, stderr } = await stage.run(['resume', id]);
    expect(later).toBe(0);
    expect(stderr).not.toContain('was gone');
    expect(textIn(theWorktree(stage))).toBe('one\ntwo\n');
  });
});

describe('without git', () => {
  it('a worktree is refused', async () => {
    const stage = aStage();
    const { code, stderr } = await stage.run(['run', '--worktree', 'x']);
    expect(code).toBe(2);
    expect(stderr).toBe('secondwind: a worktree needs git, and git cannot be started; install it first.\n');
  });
});
