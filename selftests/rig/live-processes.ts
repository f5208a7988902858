import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/**
 * The processes that carry `folder` in their environment: whatever was started with a home in it, and whatever that
 * started in turn, in any group and under any parent.
 */
export function processesWith(folder: string): readonly FoundProcess[] {
  return every((pid) => read(pid, 'environ').includes(folder));
}

/** With what environment a process was started: `\0NAME=value` for each; nothing when it has gone. */
export function environmentOf({ pid }: Pick<FoundProcess, 'pid'>): string {
  return `\0${read(String(pid), 'environ')}`;
}

/** The processes of a group, without zombies: in a container they may wait for a parent that never looks. */
export function processesInGroup(leader: number): readonly FoundProcess[] {
  return every((pid) => {
    // `pid (comm) state ppid pgrp …`; comm may hold spaces and brackets, so count from its last bracket (proc(5)).
    const stat = read(pid, 'stat');
    const [state, , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(group) === leader && state !== 'Z' && state !== 'X';
  });
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

/** Only Linux shows what is looked for here; elsewhere nobody is found. */
function every(matches: (pid: string) => boolean): readonly FoundProcess[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && matches(entry))
    .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
}

/** A file of a process, or nothing when the process has gone meanwhile, is a zombie or is somebody else's. */
function read(pid: string, file: 'environ' | 'cmdline' | 'stat'): string {
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
