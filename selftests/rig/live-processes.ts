import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * The processes that carry `folder` in their environment: whatever was started with a home in it, and whatever that
 * started in turn, in any group and under any parent. Only Linux shows another process's environment; elsewhere
 * nobody is found.
 */
export function processesWith(folder: string): readonly FoundProcess[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => read(pid, 'environ').includes(folder))
    .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
}

/** For the end of a test that failed: nothing of it may disturb the next. */
export function killAll(found: readonly FoundProcess[]): void {
  for (const { pid } of found) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if (!isErrno(error, 'ESRCH')) throw error;
    }
  }
}

/** A file of a process, or nothing when the process has gone meanwhile, is a zombie or is somebody else's. */
function read(pid: string, file: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH', 'EACCES')) return '';
    throw error;
  }
}

function isErrno(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
