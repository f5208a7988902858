import { existsSync, mkdirSync, readdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { causeOf, isSystemError } from './system-error.ts';

export interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** What a folder holds, by name; the error is the end of a sentence: "it does not exist". */
export function entriesOf(folder: string): Result<readonly Entry[], string> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    return ok(entries);
  } catch (error) {
    if (isSystemError(error)) return err(causeOf(error));
    throw error;
  }
}

/** Makes a folder that only its owner may enter, with those above it. Fails as `entriesOf` does. */
export function makeFolder(path: string): Result<void, string> {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return ok(undefined);
  } catch (error) {
    if (isSystemError(error)) return err(causeOf(error));
    throw error;
  }
}

/** Which file it is, by all names, and what it looked like last; `undefined` when it is not there. */
export function fileStamp(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    const { ino, size, mtimeMs } = statSync(real);
    return [real, ino, size, mtimeMs].join(' ');
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** Writes a file that only its owner may read, and that must not be there yet. Fails as `entriesOf` does. */
export function writeNewFile(path: string, text: string): Result<void, string> {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return ok(undefined);
  } catch (error) {
    if (isSystemError(error)) return err(causeOf(error));
    throw error;
  }
}

export function isThere(path: string): boolean {
  return existsSync(path);
}
