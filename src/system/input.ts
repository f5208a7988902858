import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { causeOf, isErrno, isSystemError } from './system-error.ts';

/** Reads a text file; the error is the end of a sentence: "it does not exist". */
export function readTextFile(path: string): Result<string, string> {
  try {
    return ok(readFileSync(path, 'utf8'));
  } catch (error) {
    if (isSystemError(error)) return err(causeOf(error));
    throw error;
  }
}

/** Like `readTextFile`, with `undefined` for a file that is not there. */
export function readIfThere(path: string): Result<string | undefined, string> {
  try {
    return ok(readFileSync(path, 'utf8'));
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return ok(undefined);
    if (isSystemError(error)) return err(causeOf(error));
    throw error;
  }
}

export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/**
 * The nearest file of that name from `directory` up to the root of its git work tree; outside of one, only in it. What
 * has the name and cannot be read is found too: whoever reads it can say so.
 */
export function findUpToGitRoot(name: string, directory: string): string | undefined {
  const found: string[] = [];
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    if (isThere(join(folder, name))) found.push(join(folder, name));
    if (isThere(join(folder, '.git'))) return found[0];
    if (folder === dirname(folder)) return isThere(join(directory, name)) ? join(directory, name) : undefined;
  }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** Whether something was piped or redirected into us. */
export function isPiped(): boolean {
  return !process.stdin.isTTY;
}

export async function readStdin(): Promise<string> {
  return text(process.stdin);
}

export function absolutePath(path: string, from: string): string {
  return resolve(from, path);
}

/** The path of a file of that name in the same folder. */
export function sibling(path: string, name: string): string {
  return join(dirname(path), name);
}
