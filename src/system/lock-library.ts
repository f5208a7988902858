import { lock as lockThroughLibrary } from 'proper-lockfile';
import type { Claim } from './lock-folder.ts';
import { publish, removeEmpty, removeEntry } from './lock-folder.ts';
import type { Reached } from './save-step.ts';
import { isErrno, isSystemError } from './system-error.ts';

/** Gives the lock back. */
export type Release = () => Promise<void>;

/**
 * proper-lockfile keeps the account of what is locked and released; the folder calls it makes are ours. Its rule of
 * age is switched off: every lock dates from the epoch for it, and may grow as old as numbers go.
 */
export async function publishThroughLibrary(
  file: string,
  lock: string,
  claim: Claim,
  reached: Reached | undefined,
): Promise<Release | 'occupied' | 'claim-gone'> {
  try {
    return await lockThroughLibrary(file, {
      lockfilePath: lock,
      realpath: false,
      retries: 0,
      stale: Number.MAX_SAFE_INTEGER,
      update: 2 ** 31 - 1,
      onCompromised: () => undefined,
      fs: folderCalls(claim, reached),
    });
  } catch (error) {
    if (isErrno(error, 'ELOCKED')) return 'occupied';
    if (isErrno(error, 'ENOENT')) return 'claim-gone';
    throw error;
  }
}

type Callback<T = void> = (error: Error | null, value?: T) => void;

function folderCalls(claim: Claim, reached: Reached | undefined): object {
  const stat = { mtime: new Date(0) };
  return {
    mkdir: (lock: string, callback: Callback) => {
      answer(callback, () => {
        publish(claim, lock);
        reached?.('locked');
      });
    },
    rmdir: (lock: string, callback: Callback) => {
      answer(callback, () => {
        removeEntry(lock, claim.entry);
        reached?.('entry-removed');
        removeEmpty(lock);
        reached?.('released');
      });
    },
    // At exit the library would give the lock back while our last write may still be on its way in a thread. We
    // leave it: once we are gone, and only then, the next process finds its owner dead.
    rmdirSync: () => undefined,
    stat: (_lock: string, callback: Callback<typeof stat>) => {
      callback(null, stat);
    },
    utimes: (_lock: string, _atime: Date, _mtime: Date, callback: Callback) => {
      callback(null);
    },
  };
}

/** EEXIST is the library's word for "somebody holds it", and the only one it knows. */
function answer(callback: Callback, call: () => void): void {
  try {
    call();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const isOccupied = isErrno(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR');
    callback(isOccupied ? Object.assign(error, { code: 'EEXIST' }) : error);
    return;
  }
  callback(null);
}
