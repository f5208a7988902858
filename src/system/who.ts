import { hostname, userInfo } from 'node:os';
import { isSystemError } from './system-error.ts';

/** The names that would tell who and where this is. */
export function whoAndWhere(): { readonly user: string | undefined; readonly host: string } {
  return { user: userName(), host: hostname() };
}

/** `undefined`: this user has no entry in the system's list, as in some containers. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
