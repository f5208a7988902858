/** In a launched program's folder: one byte for every start, and the environment of the last. */
export const STARTS_FILE = 'starts';
export const ENVIRONMENT_FILE = 'environment';

/**
 * Notes in `folder` that it was started, and with what environment, and becomes the program that follows: the program
 * keeps the pid, the pipes and the group that it would have had. POSIX sh.
 */
export function launcher(folder: string): readonly [string, ...string[]] {
  const note = `/usr/bin/env > "$0/${ENVIRONMENT_FILE}"; printf . >> "$0/${STARTS_FILE}"; exec "$@"`;
  return ['/bin/sh', '-c', note, folder];
}
