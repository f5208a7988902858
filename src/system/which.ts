import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { isErrno } from './system-error.ts';

export type Found =
  | { readonly type: 'found'; readonly path: string }
  /** A file of that name is there and may not be executed. */
  | { readonly type: 'not-executable'; readonly path: string }
  | { readonly type: 'missing' };

/** Finds a program as a shell would: by itself when its name holds a slash, else on `path` (a PATH). */
export function findProgram(program: string, path: string, cwd: string): Found {
  if (program.includes('/')) return look(isAbsolute(program) ? program : resolve(cwd, program));
  let refused: Found = { type: 'missing' };
  for (const folder of path.split(delimiter)) {
    const found = look(join(folder === '' ? cwd : resolve(cwd, folder), program));
    if (found.type === 'found') return found;
    if (found.type === 'not-executable') refused = found;
  }
  return refused;
}

function look(path: string): Found {
  try {
    if (!statSync(path).isFile()) return { type: 'missing' };
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENAMETOOLONG')) return { type: 'missing' };
    throw error;
  }
  try {
    accessSync(path, constants.X_OK);
    return { type: 'found', path };
  } catch (error) {
    if (isErrno(error, 'EACCES', 'EPERM')) return { type: 'not-executable', path };
    throw error;
  }
}
