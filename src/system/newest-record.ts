import type { Dirent } from 'node:fs';
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { EpochMs } from '../core/time.ts';
import { isErrno, isSystemError } from './system-error.ts';

export interface RecordFiles<Dated extends { readonly observedAt: EpochMs }> {
  readonly folder: string;
  /** Whether a file, named by its path within the folder, may hold such records. */
  readonly matches: (path: string) => boolean;
  /** What one line says, if it is such a record. */
  readonly read: (line: string) => Dated | undefined;
}

const CHUNK = 64 * 1024;
/** A record is small. What is longer is some tool's output, and is not put together. */
const LONGEST_LINE = 256 * 1024;
/** How far back one file is looked through, from its end. */
const LOOKED_THROUGH = 32 * 1024 * 1024;

/**
 * The newest record, by its own date, in append-only files of lines that other programs keep (and may be writing at
 * this moment: a torn last line is no record). Looks from the newest end: a file last written before the best record
 * found cannot hold a newer one. A folder that is not there holds none.
 */
export function newestRecord<Dated extends { readonly observedAt: EpochMs }>(
  files: RecordFiles<Dated>,
): Dated | undefined {
  let newest: Dated | undefined;
  for (const { path, writtenAt } of newestFiles(files)) {
    if (newest !== undefined && writtenAt < newest.observedAt) break;
    const found = lastRecord(path, files.read);
    if (found !== undefined && (newest === undefined || found.observedAt > newest.observedAt)) newest = found;
  }
  return newest;
}

function newestFiles({ folder, matches }: Pick<RecordFiles<never>, 'folder' | 'matches'>) {
  return filesIn(folder)
    .filter(matches)
    .flatMap((name) => {
      const path = join(folder, name);
      const writtenAt = lastWritten(path);
      return writtenAt === undefined ? [] : [{ path, writtenAt }];
    })
    .sort((a, b) => b.writtenAt - a.writtenAt);
}

/** `undefined`: no file, or not to be looked at. */
function lastWritten(path: string): number | undefined {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true ? stat.mtimeMs : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/**
 * The files of a folder and of those in it, by their paths within it. A link to a folder is not followed (it may lead
 * back), and a folder that goes away or may not be read meanwhile hides only itself.
 */
function filesIn(folder: string, within = ''): readonly string[] {
  return entriesOf(join(folder, within)).flatMap((entry) => {
    const name = join(within, entry.name);
    return entry.isDirectory() ? filesIn(folder, name) : [name];
  });
}

/** What a folder holds; one that is not there, or may not be looked into, holds nothing. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function lastRecord<Dated>(path: string, read: (line: string) => Dated | undefined): Dated | undefined {
  for (const line of linesFromEnd(path)) {
    const record = read(line);
    if (record !== undefined) return record;
  }
  return undefined;
}

/** The lines of a file, last first, in bounded memory. */
function* linesFromEnd(path: string): Generator<string> {
  const descriptor = openIfAllowed(path);
  if (descriptor === undefined) return;
  try {
    let end = statSync(path).size;
    const stop = Math.max(0, end - LOOKED_THROUGH);
    let tail: Buffer = Buffer.alloc(0);
    while (end > stop) {
      const size = Math.min(CHUNK, end - stop);
      const chunk = Buffer.alloc(size);
      end -= size;
      const length = readSync(descriptor, chunk, 0, size, end);
      const bytes = Buffer.concat([chunk.subarray(0, length), tail]);
      const first = bytes.indexOf(0x0a);
      if (first === -1) {
        tail = bytes.length > LONGEST_LINE ? Buffer.alloc(0) : bytes;
        continue;
      }
      const lines = bytes
        .subarray(first + 1)
        .toString('utf8')
        .split('\n');
      for (const line of lines.reverse()) if (line !== '') yield line;
      tail = bytes.subarray(0, first);
    }
    if (tail.length > 0 && stop === 0) yield tail.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

function openIfAllowed(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
}
