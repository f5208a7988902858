import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isErrno } from './system-error.ts';

/** What is at a path, as far as it can be text of ours. */
export type FileContent =
  | { readonly type: 'missing' }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array; readonly stamp: Stamp | undefined }
  /** The same content as when `stamp` was given. */
  | { readonly type: 'unchanged' }
  /** Something that can be no file of ours, and why. */
  | { readonly type: 'unfit'; readonly why: string };

/**
 * Says that a file is the same: another content has another file, size or time of change. Only given for a file that
 * has rested for a while, because two changes within one tick of the file system's clock look the same.
 */
export type Stamp = string;

/** A file that is open: the same one, whatever is put in its place meanwhile. */
export interface OpenFile {
  /** In bytes, as it was opened. */
  readonly size: number;
  /** Fills `bytes` with what lies from `from` on, and says how many there were before the file ended. */
  readonly readInto: (bytes: Uint8Array, from: number) => number;
}

/** In milliseconds: many ticks of any file system that can rename. */
const RESTED = 2_000;

/**
 * Reads a small file in one go, or what `take` makes of it; throws the system's error when it may not. Synchronous: it
 * is read before every dispatch and at start-up, and a thread costs more than the read. A pipe or a device in its place
 * never blocks.
 */
export function readFile(path: string, longest: number, known?: Stamp, take = allOf): FileContent {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return { type: 'missing' };
    if (isErrno(error, 'ENXIO')) return { type: 'unfit', why: 'it is not a regular file' };
    throw error;
  }
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) return { type: 'unfit', why: 'it is a folder' };
    if (!stat.isFile()) return { type: 'unfit', why: 'it is not a regular file' };
    if (stat.size > longest) return { type: 'unfit', why: `it is ${String(stat.size)} bytes long` };
    const stamp = [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join();
    if (stamp === known) return { type: 'unchanged' };
    const isRested = Date.now() - stat.ctimeMs > RESTED;
    const readInto = (bytes: Uint8Array, from: number): number => fill(descriptor, bytes, from);
    const bytes = take({ size: stat.size, readInto });
    return { type: 'bytes', bytes, stamp: isRested ? stamp : undefined };
  } finally {
    closeSync(descriptor);
  }
}

/** As many bytes as there were, or fewer if somebody cuts the file meanwhile. */
export function allOf({ size, readInto }: OpenFile): Uint8Array {
  const bytes = new Uint8Array(size);
  return bytes.subarray(0, readInto(bytes, 0));
}

function fill(descriptor: number, bytes: Uint8Array, from: number): number {
  let filled = 0;
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, from + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}
