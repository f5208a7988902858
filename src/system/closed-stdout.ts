import { fstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { isErrno, isSystemError } from './system-error.ts';

const SHELLS = ['sh', 'dash', 'bash', 'zsh', 'ksh', 'fish', 'ash', 'busybox'];
const NOTHING = '/dev/null';

/**
 * Whether we were started without a stdout (`>&-`). Node puts the null device in its place before any code of ours runs
 * (node.cc, PlatformInit: opened for reading and writing), and so do parents that want none of it (`stdio: 'ignore'`).
 * A shell tells them apart: it opens nothing that way, so a stdout that it does not have itself was closed. Only where
 * there is a /proc; anywhere else, and with any other parent, it is taken for one that is not wanted.
 */
export function isStdoutClosed(): boolean {
  try {
    const { rdev } = fstatSync(1);
    if (rdev === 0 || rdev !== statSync(NOTHING).rdev || process.platform !== 'linux') return false;
    const isReadAndWritten = /^flags:\s*0*[0-7]*2$/m.test(readFileSync('/proc/self/fdinfo/1', 'utf8'));
    return isReadAndWritten && isShell(process.ppid) && !isNull(process.ppid);
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** Process 1 may be one in a container, and is not who started those whose parent has gone. */
function isShell(pid: number): boolean {
  return pid !== 1 && SHELLS.includes(readFileSync(`/proc/${String(pid)}/comm`, 'utf8').trim());
}

/** Whether that process has the null device for its own stdout, and may have handed it on. */
function isNull(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${String(pid)}/fd/1`) === NOTHING;
  } catch (error) {
    // It has none itself, so neither have we.
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
}
