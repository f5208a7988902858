import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../src/system/clock.ts';
import { workTreeChanges, workTreeFingerprint } from '../../src/system/git.ts';
import { aRepository, git, GIT_ENV } from '../rig/a-repository.ts';
import { writeScript } from '../rig/children.ts';
import { tempFolder } from '../rig/temp-folder.ts';

const EFFECTS = { clock: systemClock, env: GIT_ENV };

describe('a repository that names programs', () => {
  /** Each sets up a trap in a repository whose `tracked.txt` differs; `$trap` notes its name when it is run. */
  const TRAPS: readonly [string, (repository: string, trap: string) => void][] = [
    ['a monitor', (at, trap) => git(at, 'config', 'core.fsmonitor', trap)],
    [
      'a clean filter',
      (at, trap) => {
        filter(at);
        git(at, 'config', 'filter.x.clean', trap);
      },
    ],
    [
      'a filter process',
      (at, trap) => {
        filter(at);
        git(at, 'config', 'filter.x.process', trap);
        git(at, 'config', 'filter.x.required', 'true');
      },
    ],
    [
      'a filter in an included file',
      (at, trap) => {
        filter(at);
        writeFileSync(join(at, '.git', 'more'), `[filter "x"]\nclean = ${trap}\n`);
        git(at, 'config', 'include.path', 'more');
      },
    ],
    [
      'a filter whose name cannot be said',
      (at, trap) => {
        writeFileSync(join(at, '.gitattributes'), '* filter=x=y\n');
        git(at, 'config', 'filter.x=y.clean', trap);
      },
    ],
    [
      'a filter in the configuration of this worktree alone',
      (at, trap) => {
        filter(at);
        git(at, 'config', 'extensions.worktreeConfig', 'true');
        git(at, 'config', '--worktree', 'filter.x.clean', trap);
      },
    ],
    [
      'a diff driver',
      (at, trap) => {
        writeFileSync(join(at, '.gitattributes'), '* diff=x\n');
        git(at, 'config', 'diff.x.command', trap);
      },
    ],
    ['a diff program', (at, trap) => git(at, 'config', 'diff.external', trap)],
    [
      'a text conversion',
      (at, trap) => {
        writeFileSync(join(at, '.gitattributes'), '* diff=x\n');
        git(at, 'config', 'diff.x.textconv', trap);
      },
    ],
    [
      'a pager',
      (at, trap) => {
        git(at, 'config', 'core.pager', trap);
        git(at, 'config', 'pager.diff', 'true');
      },
    ],
    [
      'a hook',
      (at, trap) => {
        symlinkSync(trap, join(at, '.git', 'hooks', 'post-index-change'));
        // Git writes down that it is as it was.
        writeFileSync(join(at, 'same.txt'), 'same');
        git(at, '-c', 'core.hooksPath=/dev/null', 'add', '.');
        utimesSync(join(at, 'same.txt'), 1, 1);
      },
    ],
    [
      'a submodule with a monitor',
      (at, trap) => {
        const inner = aRepository(mkdir(join(at, 'inner')));
        git(inner, 'config', 'core.fsmonitor', trap);
        git(
          at,
          'update-index',
          '--add',
          '--cacheinfo',
          `160000,${git(inner, 'rev-parse', 'HEAD').trim()},inner`,
        );
        git(at, 'commit', '-q', '-m', 'inner', '--no-verify');
        writeFileSync(join(inner, 'tracked.txt'), 'three\n');
      },
    ],
  ];

  function filter(at: string): void {
    writeFileSync(join(at, '.gitattributes'), '* filter=x\n');
  }

  function mkdir(path: string): string {
    mkdirSync(path);
    return path;
  }

  function trapped(setUp: (repository: string, trap: string) => void) {
    const root = tempFolder();
    const [repository, trap, sprung] = [mkdir(join(root, 'it')), join(root, 'trap'), join(root, 'sprung')];
    aRepository(repository);
    writeScript(trap, `echo sprung >> ${sprung}\ncat`);
    setUp(repository, trap);
    writeFileSync(join(repository, 'tracked.txt'), 'two\n');
    return { repository, sprung };
  }

  it.each(TRAPS)('has none of them run by a look at it: %s', async (_what, setUp) => {
    const { repository, sprung } = trapped(setUp);
    await workTreeChanges(repository, EFFECTS);
    await workTreeFingerprint(repository, EFFECTS);
    expect(existsSync(sprung)).toBe(false);
  });

  // Or the test above would prove nothing. (A diff that is not shown needs neither its program, nor its words, nor a pager.)
  it.each(TRAPS.filter(([what]) => !/diff program|text|pager/.test(what)))(
    'would have it run by git alone: %s',
    (what, setUp) => {
      const { repository, sprung } = trapped(setUp);
      // It may well fail over what the trap says.
      const look = what.includes('diff') ? ['diff', 'HEAD'] : ['status'];
      spawnSync('git', look, { cwd: repository, env: GIT_ENV });
      expect(existsSync(sprung)).toBe(true);
    },
  );

  it('is still told of, its filters apart', async () => {
    const { repository } = trapped((at, trap) => {
      filter(at);
      git(at, 'config', 'filter.x.clean', trap);
    });
    expect(await workTreeChanges(repository, EFFECTS)).toMatchObject({ untracked: ['.gitattributes'] });
  });
});
