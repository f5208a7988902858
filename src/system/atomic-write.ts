import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync as fsyncCallback,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { besideName, uniqueName } from './beside.ts';
import type { Reached } from './save-step.ts';
import { isErrno } from './system-error.ts';

// Only the two syncs may take long, and wait for the disk in a thread. All else is done in microseconds, and so
// nothing can still be on its way to the file's name when the process has gone.
const fsync = promisify(fsyncCallback);

/** Writes some bytes from `offset` on, and says how many: a test hands in a disk that is full, or lies. */
export type WriteSome = (descriptor: number, bytes: Uint8Array, offset: number) => number;

interface WriteOptions {
  readonly reached?: Reached | undefined;
  readonly writeSome?: WriteSome | undefined;
}

/**
 * Replaces `target`, a real path (see `prepareTarget`), so that everybody sees the old content or the new, also after
 * a crash or a power failure: the new content goes beside it, and is whole and on the disk before it gets the name.
 * Rejects with the system's error; then the old content is untouched and nothing is left beside it. After a power
 * failure it may still be the old: `syncFolder` ends that doubt.
 */
export async function replaceFile(
  target: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const next = besideName(target, 'next', uniqueName());
  try {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await writeWhole(next, bytes, options);
    renameSync(next, target);
  } catch (error) {
    removeNext(next);
    throw error;
  }
  options.reached?.('renamed');
}

async function writeWhole(
  path: string,
  bytes: Uint8Array,
  { reached, writeSome = writeSync }: WriteOptions,
): Promise<void> {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    reached?.('created');
    // The umask may have taken more than the owner can spare.
    fchmodSync(descriptor, 0o600);
    for (let written = 0; written < bytes.length;) {
      const count = writeSome(descriptor, bytes, written);
      if (count === 0) throw tooShort(written, bytes.length);
      written += count;
    }
    reached?.('written');
    await fsync(descriptor);
    const { size } = fstatSync(descriptor);
    if (size !== bytes.length) throw tooShort(size, bytes.length);
    reached?.('synced');
  } finally {
    closeSync(descriptor);
  }
}

/** A disk that takes less than it was given, and does not say why, is full as far as anybody can tell. */
function tooShort(found: number, expected: number): Error {
  const message = `ENOSPC: only ${String(found)} of ${String(expected)} bytes were written`;
  return Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'write' });
}

/** ENOENT: it was never made. Otherwise the first error is the one worth telling, and a later sweep removes it. */
function removeNext(next: string): void {
  try {
    unlinkSync(next);
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'ENOTDIR', 'EIO', 'EROFS', 'EACCES', 'EPERM')) throw error;
  }
}

/**
 * Resolves when the names in the folder of `target` are on the disk. Some file systems cannot sync a folder, and say
 * so with EINVAL: they have nothing better to offer.
 */
export async function syncFolder(target: string): Promise<void> {
  const descriptor = openSync(dirname(target), constants.O_RDONLY);
  try {
    await fsync(descriptor);
  } catch (error) {
    if (!isErrno(error, 'EINVAL', 'ENOTSUP')) throw error;
  } finally {
    closeSync(descriptor);
  }
}
