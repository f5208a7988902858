import type { Stats } from 'node:fs';
import { chmodSync, constants, lstatSync, mkdirSync, realpathSync, renameSync, unlinkSync } from 'node:fs';
import type * as files from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { syncFolder } from './atomic-write.ts';
import { besideName, sweepBeside, uniqueName } from './beside.ts';
import { entriesOf } from './newest-record.ts';
import { ensureFolder } from './state-folder.ts';
import { causeOf, isErrno, isSystemError } from './system-error.ts';

export interface ConversationMove {
  /** The homes of one CLI under two logins, absolute paths. */
  readonly from: string;
  readonly to: string;
  /** The folder in each that holds conversations. */
  readonly folder: string;
  /** Whether a file, named by its path within the folder, is the one. */
  readonly isIt: (path: string) => boolean;
}

/** `copied`: it lies in the other home now, under the same name; `there`: it lay there already, as long or longer. */
export type Moved = 'copied' | 'there';

const CHUNK = 256 * 1024;
/** Claude Code keeps them one folder deep, Codex three: a bound for whatever else lies there. */
const DEEPEST = 4;

/**
 * Copies a conversation from one home of a CLI to another, so that the CLI can go on with it there. The copy gets its
 * name when it is whole and on the disk, is its owner's alone (0600, new folders 0700), and takes the place of nothing
 * that is longer or newer, unless that only goes on where this one ends: then it stays and is as good. No link in the
 * other home is followed. The error is the end of a sentence: "it is not there any more".
 */
export async function moveConversation(move: ConversationMove): Promise<Result<Moved, string>> {
  try {
    const source = join(realpathSync.native(move.from), move.folder);
    ensureFolder(move.to);
    const home = realpathSync.native(move.to);
    if (isSame(source, join(home, move.folder))) return ok('there');
    const name = newest(source, move.isIt);
    if (name === undefined) return err('it is not there any more');
    const folder = enter(home, dirname(join(move.folder, name)));
    if (folder === undefined) return err('a link or a file stands in its way');
    return await copyTo(join(home, move.folder, name), join(source, name));
  } catch (error) {
    if (isSystemError(error)) return err(causeOf(error));
    throw error;
  }
}

/** People link one folder of conversations into several homes. */
function isSame(one: string, other: string): boolean {
  try {
    return realpathSync.native(one) === realpathSync.native(other);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}

/** The file last written of those that are it, by its path within `folder`. */
function newest(folder: string, isIt: (path: string) => boolean): string | undefined {
  return filesIn(folder)
    .filter(isIt)
    .map((name) => ({ name, at: lstatSync(join(folder, name)).mtimeMs }))
    .reduce<{ name: string; at: number } | undefined>(
      (best, one) => (best === undefined || one.at > best.at ? one : best),
      undefined,
    )?.name;
}

/** Not imported: that costs every run some milliseconds, and few move a conversation. */
function promises(): typeof files {
  return process.getBuiltinModule('node:fs/promises');
}

/** A folder that is not there, or may not be looked into, hides only itself. */
function filesIn(folder: string, within = '', depth = 1): readonly string[] {
  return entriesOf(join(folder, within)).flatMap((entry) => {
    const name = join(within, entry.name);
    if (entry.isFile()) return [name];
    return entry.isDirectory() && depth < DEEPEST ? filesIn(folder, name, depth + 1) : [];
  });
}

/** Makes what is missing of the folders below `home`, each a real folder of its own; `undefined` when one is not. */
function enter(home: string, within: string): string | undefined {
  let folder = home;
  for (const part of within.split('/')) {
    folder = join(folder, part);
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory() === false) return undefined;
    if (found === undefined) {
      mkdirSync(folder, 0o700);
      chmodSync(folder, 0o700);
    }
  }
  return folder;
}

async function copyTo(target: string, source: string): Promise<Result<Moved, string>> {
  sweepBeside(target);
  const from = await promises().open(
    source,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    const before = await from.stat();
    if (!before.isFile()) return err('it is no regular file');
    const standing = await standsInTheWay(target, from, before);
    if (standing !== undefined) return standing;
    const next = besideName(target, 'next', uniqueName());
    try {
      await copyWhole(from, next);
      // Its CLI may have gone on with it meanwhile.
      const meanwhile = await standsInTheWay(target, from, before);
      if (meanwhile !== undefined) {
        unlinkSync(next);
        return meanwhile;
      }
      renameSync(next, target);
    } catch (error) {
      removeIfThere(next);
      throw error;
    }
    await syncFolder(target);
    return ok('copied');
  } finally {
    await from.close();
  }
}

/** What is to be said instead of copying, where something is at `target` that may not be replaced. */
async function standsInTheWay(
  target: string,
  from: files.FileHandle,
  ours: Stats,
): Promise<Result<Moved, string> | undefined> {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) return err('a link or a folder has its name there');
  if (await areAlike(target, from, Math.min(found.size, ours.size))) {
    return found.size >= ours.size ? ok('there') : undefined;
  }
  return found.size > ours.size || found.mtimeMs > ours.mtimeMs
    ? err('another account of it is there, which is longer or newer')
    : undefined;
}

/** Whether the file at `target` and `from` have the same first `size` bytes. */
async function areAlike(target: string, from: files.FileHandle, size: number): Promise<boolean> {
  const there = await promises().open(
    target,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    const [one, other] = [Buffer.alloc(CHUNK), Buffer.alloc(CHUNK)];
    for (let at = 0; at < size;) {
      const length = Math.min(CHUNK, size - at);
      const ours = await from.read(one, 0, length, at);
      const theirs = await there.read(other, 0, length, at);
      const count = Math.min(ours.bytesRead, theirs.bytesRead);
      if (count === 0 || !one.subarray(0, count).equals(other.subarray(0, count))) return false;
      at += count;
    }
    return true;
  } finally {
    await there.close();
  }
}

async function copyWhole(from: files.FileHandle, next: string): Promise<void> {
  const to = await promises().open(next, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    // The umask may have taken more than the owner can spare.
    await to.chmod(0o600);
    const chunk = Buffer.alloc(CHUNK);
    let size = 0;
    for (;;) {
      const { bytesRead } = await from.read(chunk, 0, CHUNK, size);
      if (bytesRead === 0) break;
      await to.writeFile(chunk.subarray(0, bytesRead));
      size += bytesRead;
    }
    await to.sync();
    const written = await to.stat();
    if (written.size !== size) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
  } finally {
    await to.close();
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // The first error is the one worth telling; a later copy sweeps what is left.
    if (!isSystemError(error)) throw error;
  }
}
