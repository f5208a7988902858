import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * The processes that carry `home` in their environment: whatever a run started, and whatever that started in turn,
 * in any group and under any parent. Only Linux shows another process's environment; elsewhere it finds nobody.
 */
export function processesUnder(home: string): readonly { pid: number; command: string }[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => read(pid, 'environ').includes(home))
    .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() }));
}

/** Whether anybody is left in a process group. Zombies that wait for their parent count on some systems. */
export function isGroupGone(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return false;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return true;
    throw error;
  }
}

/** A file of a process, or nothing when the process has gone meanwhile or is a zombie. */
function read(pid: string, file: 'environ' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOENT', 'ESRCH', 'EACCES'].includes(String(error.code))
    )
      return '';
    throw error;
  }
}
