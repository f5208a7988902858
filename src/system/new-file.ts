import { closeSync, constants, fchmodSync, openSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { replaceFile, syncFolder } from './atomic-write.ts';
import { ensureFolder, prepareTarget } from './state-folder.ts';
import { causeOf, isErrno, isSystemError } from './system-error.ts';

/**
 * Writes a file for its owner alone, in a folder that is made if need be. `over` replaces one that is there, whole or
 * not at all; without it that one is left alone and the answer is false. The error is the end of a sentence.
 */
export async function writeOwnFile(
  path: string,
  content: string,
  { over }: { readonly over: boolean },
): Promise<Result<boolean, string>> {
  try {
    if (!over) return ok(writeNew(path, content));
    const target = prepareTarget(path);
    await replaceFile(target, content);
    await syncFolder(target);
    return ok(true);
  } catch (error) {
    if (isSystemError(error)) return err(causeOf(error));
    throw error;
  }
}

/** O_EXCL: of two that write at once one is first, and a link that leads nowhere is something that is there. */
function writeNew(path: string, content: string): boolean {
  ensureFolder(dirname(path));
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  }
  try {
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, content);
  } catch (error) {
    // Half a file would be taken for the person's own.
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(descriptor);
  }
  return true;
}
