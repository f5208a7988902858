import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

/** What git, ours or the test's, knows of this machine: nobody's configuration. */
export const GIT_ENV = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
};
const AUTHOR = ['-c', 'user.name=one', '-c', 'user.email=one@localhost'];

export function git(directory: string, ...args: string[]): string {
  return execFileSync('git', [...AUTHOR, ...args], {
    ...{ cwd: directory, env: GIT_ENV, encoding: 'utf8', stdio: 'pipe' },
  });
}

/** A repository with one commit of `tracked.txt`. */
export function aRepository(folder = tempFolder()): string {
  git(folder, 'init', '-q', '-b', 'main');
  writeFileSync(join(folder, 'tracked.txt'), 'one\n');
  git(folder, 'add', '.');
  git(folder, 'commit', '-q', '-m', 'first');
  return folder;
}
