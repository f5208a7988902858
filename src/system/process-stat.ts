import { closeSync, openSync, readSync } from 'node:fs';

/** One line, and every process has one (Linux, proc(5)): a page holds it. */
const page = Buffer.alloc(4096);

/**
 * `/proc/PID/stat`, with as few calls as there can be, into memory of our own: `readFileSync` takes 64 KiB of new memory for
 * a file of which the kernel does not say how long it is. Throws the system's error, as when there is no such process.
 */
export function readProcessStat(pid: number): string {
  const file = openSync(`/proc/${String(pid)}/stat`, 'r');
  try {
    return page.toString('latin1', 0, readSync(file, page, 0, page.length, 0));
  } finally {
    closeSync(file);
  }
}
