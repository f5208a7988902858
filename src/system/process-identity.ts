import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readProcessStat } from './process-stat.ts';
import { isErrno, isSystemError } from './system-error.ts';

/**
 * Who a process is, for as long as anybody may ask: a pid alone is given to somebody else after a while, but
 * never twice with the same start time under the same boot.
 */
export interface ProcessIdentity {
  /** A digest of the machine's name and id, so that two machines with one name are still two. */
  readonly host: string;
  /** New at every boot of a kernel: the same boot id means the same machine, whatever its name is now. */
  readonly boot: string;
  /** The pid and time namespaces, in which pid and start time mean something; `undefined` when they cannot be told. */
  readonly space: string | undefined;
  readonly pid: number;
  /** Clock ticks since boot on Linux, seconds since the epoch on macOS: only ever compared for equality. */
  readonly start: string;
}

/** What can be proven about a process from here. Only `dead` is a proof; `unknown` must be taken for alive. */
type Liveness =
  | { readonly type: 'alive' }
  | { readonly type: 'dead' }
  | { readonly type: 'unknown'; readonly because: 'other-host' | 'other-namespace' };

let own: ProcessIdentity | undefined;

/** The identity of this process. */
export function ownIdentity(): ProcessIdentity {
  own ??= {
    host: hostDigest(),
    boot: bootId() ?? 'unknown',
    space: namespaces(),
    pid: process.pid,
    start: inspect(process.pid)?.start ?? 'unknown',
  };
  return own;
}

/** The identity of another process of this machine; `undefined` when there is none with that pid. */
export function identityOf(pid: number): ProcessIdentity | undefined {
  const start = inspect(pid)?.start;
  return start === undefined ? undefined : { ...ownIdentity(), pid, start };
}

const TEXT = /^([0-9a-f]{12})\.([0-9a-zA-Z-]+)\.(\d+-\d+|unknown)\.([1-9]\d*)\.(\d+|unknown)$/;

/** The identity as a part of a file name; `parseIdentity` reads it back. */
export function identityText(identity: ProcessIdentity): string {
  const { host, boot, space, pid, start } = identity;
  return [host, boot, space ?? 'unknown', String(pid), start].join('.');
}

export function parseIdentity(text: string): ProcessIdentity | undefined {
  const [, host, boot, space, pid, start] = TEXT.exec(text) ?? [];
  if (host === undefined || boot === undefined || start === undefined) return undefined;
  return { host, boot, space: space === 'unknown' ? undefined : space, pid: Number(pid), start };
}

/** Whether that process still lives, as far as `self` can prove it. */
export function liveness(identity: ProcessIdentity, self: ProcessIdentity = ownIdentity()): Liveness {
  const areBootsKnown = identity.boot !== 'unknown' && self.boot !== 'unknown';
  if (!areBootsKnown || identity.boot !== self.boot) {
    return areBootsKnown && identity.host === self.host
      ? { type: 'dead' }
      : { type: 'unknown', because: 'other-host' };
  }
  if (identity.space === undefined || identity.space !== self.space) {
    return { type: 'unknown', because: 'other-namespace' };
  }
  if (!exists(identity.pid)) return { type: 'dead' };
  const found = inspect(identity.pid);
  // Gone between the two looks, or hidden from us: the next look will tell.
  if (found === undefined || identity.start === 'unknown') return { type: 'alive' };
  return found.finished || found.start !== identity.start ? { type: 'dead' } : { type: 'alive' };
}

/** EPERM is an answer too: somebody else's process has that pid, so it exists. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (isErrno(error, 'ESRCH')) return false;
    if (isErrno(error, 'EPERM')) return true;
    throw error;
  }
}

interface ProcessFacts {
  readonly start: string;
  /** It runs no more, and only its parent has not asked for its exit status yet (a zombie): `kill -0` still finds it. */
  readonly finished: boolean;
}

function inspect(pid: number): ProcessFacts | undefined {
  return process.platform === 'linux' ? inspectProc(pid) : inspectPs(pid);
}

/**
 * /proc/PID/stat: `pid (name) state …`, where the name may hold spaces and parentheses. State is field 3, the
 * number of threads 20, the start time 22. A killed process whose first thread is a zombie may still have another
 * in the kernel, finishing a rename: it is finished when no thread but the first is left.
 */
function inspectProc(pid: number): ProcessFacts | undefined {
  const text = tryRead(() => readProcessStat(pid));
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const start = fields[22 - 3];
  if (start === undefined) return undefined;
  return { start, finished: /^[ZX]/.test(fields[0] ?? '') && Number(fields[20 - 3]) <= 1 };
}

/** macOS, to the second. Time zone and language are fixed, or two askers would read two start times. */
function inspectPs(pid: number): ProcessFacts | undefined {
  const env = { ...process.env, TZ: 'UTC', LC_ALL: 'C' };
  const text = tryRead(() =>
    execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'latin1', env }),
  );
  const [, state, started] = /^\s*(\S+)\s+(.+?)\s*$/.exec(text ?? '') ?? [];
  const instant = Date.parse(`${started ?? ''} UTC`);
  if (state === undefined || Number.isNaN(instant)) return undefined;
  return { start: String(instant / 1_000), finished: state.startsWith('Z') };
}

function bootId(): string | undefined {
  // Not kern.boottime: it moves whenever the clock is set.
  const text =
    process.platform === 'linux'
      ? tryRead(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1'))
      : tryRead(() => execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'latin1' }));
  const id = text?.trim();
  return id !== undefined && /^[0-9a-zA-Z-]+$/.test(id) ? id : undefined;
}

/**
 * In a pid namespace without a /proc of its own, /proc speaks of other processes than `kill` does; `/proc/self`
 * shows it. Start times shift with the time namespace (absent before Linux 5.6).
 */
function namespaces(): string | undefined {
  if (process.platform !== 'linux') return '0-0';
  if (tryRead(() => readlinkSync('/proc/self')) !== String(process.pid)) return undefined;
  const [pid, time] = ['pid', 'time'].map(
    (name) => /\d+/.exec(tryRead(() => readlinkSync(`/proc/self/ns/${name}`)) ?? '')?.[0],
  );
  return pid === undefined ? undefined : `${pid}-${time ?? '0'}`;
}

function hostDigest(): string {
  const machine = tryRead(() => readFileSync('/etc/machine-id', 'latin1')) ?? '';
  return shortDigest(`${hostname()}\0${machine.trim()}`);
}

/**
 * 48 bits of two FNV-1a hashes (draft-eastlake-fnv), forwards and backwards: machines are told apart by it, and of a machine
 * id of 128 bits, which is nobody else's business (machine-id(5)), it keeps too little to be found again. A cryptographic
 * hash would do no more, and loading one costs a tenth of a start.
 */
function shortDigest(text: string): string {
  const bytes = [...Buffer.from(text)];
  const digits = (of: readonly number[]): string => fnv1a(of).toString(16).padStart(8, '0').slice(2);
  return digits(bytes) + digits(bytes.reverse());
}

function fnv1a(bytes: readonly number[]): number {
  return bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5) >>> 0;
}

/** A file that is not there, not ours to read, or a program that fails: what it would have said stays unknown. */
function tryRead(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (isSystemError(error) || (error instanceof Error && 'status' in error)) return undefined;
    throw error;
  }
}
