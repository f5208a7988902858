import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isErrno } from './system-error.ts';

/** Makes the folder of a state file, and says which real path is to be locked and replaced. */
export function prepareTarget(path: string): string {
  const folder = dirname(path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) ensureFolder(folder);
  return realTarget(path);
}

/** Makes a folder and those above it that are missing, for its owner alone whatever the umask. One that exists is left as it is. */
export function ensureFolder(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if (isErrno(error, 'ENOENT') && dirname(path) !== path) {
      ensureFolder(dirname(path));
      mkdirSync(path, 0o700);
      chmodSync(path, 0o700);
      return;
    }
    if (isErrno(error, 'EEXIST') && statSync(path).isDirectory()) return;
    throw error;
  }
  chmodSync(path, 0o700);
}

/**
 * The path behind every symbolic link, also when nothing is there yet: what is replaced by a rename, and where its
 * lock belongs, so that two links to one file share one lock.
 */
function realTarget(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  const target = linkTarget(path);
  return target === undefined
    ? join(realpathSync.native(dirname(path)), basename(path))
    : realTarget(resolve(dirname(path), target));
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'EINVAL')) return undefined;
    throw error;
  }
}

/** Moves whatever is at `path` to `path.damaged-<time>`, a name that is not in use. To be called under the lock. */
export function setAside(path: string, time: string): string {
  const stem = `${path}.damaged-${time.replaceAll(':', '-')}`;
  let name = stem;
  for (let copy = 2; exists(name); copy += 1) name = `${stem}-${String(copy)}`;
  renameSync(path, name);
  return name;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The names in a folder of ours; one that is not there, or not ours to look into, holds none. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return [];
    throw error;
  }
}
