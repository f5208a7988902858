import { constants } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { besideName } from './beside.ts';
import type { Reached } from './save-step.ts';
import { isErrno } from './system-error.ts';

/** What a write needs of an open file: a slice of Node's `FileHandle`, so that a test can hand in a disk that lies. */
export interface OpenFile {
  chmod(mode: number): Promise<void>;
  write(bytes: Uint8Array, offset: number): Promise<{ readonly bytesWritten: number }>;
  stat(): Promise<{ readonly size: number }>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type OpenForWriting = (path: string) => Promise<OpenFile>;

export interface WriteOptions {
  readonly reached?: Reached | undefined;
  readonly openForWriting?: OpenForWriting | undefined;
}

/** Never a link or a file that is there already, and nobody else's to read, whatever the umask. */
const createPrivately: OpenForWriting = (path) =>
  open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);

/**
 * Replaces `target`, a real path (see `realTarget`), so that everybody sees the old content or the new, also after
 * a crash or a power failure: the new content goes beside it, is whole and on the disk before it gets the name, and
 * the folder that holds the name is on the disk before this resolves. Rejects with the system's error; then the old
 * content is untouched and nothing is left beside it. (Only when the folder itself would not sync, the new content
 * is already in place and a power failure may undo it.)
 */
export async function replaceFile(
  target: string,
  content: string,
  options: WriteOptions = {},
): Promise<void> {
  const { reached, openForWriting = createPrivately } = options;
  const next = besideName(target, 'next');
  try {
    await writeWhole(await openForWriting(next), new TextEncoder().encode(content), reached);
    await rename(next, target);
  } catch (error) {
    await removeNext(next);
    throw error;
  }
  reached?.('renamed');
  await syncFolder(dirname(target));
  reached?.('folder-synced');
}

async function writeWhole(file: OpenFile, bytes: Uint8Array, reached: Reached | undefined): Promise<void> {
  try {
    reached?.('created');
    await file.chmod(0o600);
    for (let written = 0; written < bytes.length;) {
      const { bytesWritten } = await file.write(bytes, written);
      if (bytesWritten === 0) throw tooShort(written, bytes.length);
      written += bytesWritten;
    }
    reached?.('written');
    await file.sync();
    const { size } = await file.stat();
    if (size !== bytes.length) throw tooShort(size, bytes.length);
    reached?.('synced');
  } finally {
    await file.close();
  }
}

/** A disk that takes less than it was given, and does not say why, is full as far as anybody can tell. */
function tooShort(found: number, expected: number): Error {
  const message = `ENOSPC: only ${String(found)} of ${String(expected)} bytes were written`;
  return Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'write' });
}

/** ENOENT: it was never made. Anything else is less worth saying than why the write failed; a later sweep removes it. */
async function removeNext(next: string): Promise<void> {
  try {
    await unlink(next);
  } catch (error) {
    if (!isErrno(error, 'ENOENT', 'EIO', 'EROFS', 'EACCES', 'EPERM')) throw error;
  }
}

/** Some file systems cannot sync a folder, and say so with EINVAL: they have nothing better to offer. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } catch (error) {
    if (!isErrno(error, 'EINVAL', 'ENOTSUP', 'EISDIR')) throw error;
  } finally {
    await folder.close();
  }
}
