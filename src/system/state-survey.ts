import { accessSync, constants, lstatSync, readdirSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makerOf } from './beside.ts';
import { readNote } from './lock-folder.ts';
import { liveness } from './process-identity.ts';
import { causeOf, isErrno, isSystemError } from './system-error.ts';

/** What lies in the folder of our state, looked at without touching any of it. */
export interface StateSurvey {
  readonly path: string;
  /** `undefined`: it is there and can be looked into; otherwise why not, as the end of a sentence. */
  readonly problem: string | undefined;
  readonly isMissing: boolean;
  /** Why nothing can be written into it, or where it would be made, as the end of a sentence; `undefined`: it can. */
  readonly unwritable: string | undefined;
  /** Permission bits. */
  readonly mode: number | undefined;
  readonly isOurs: boolean;
  readonly freeBytes: number | undefined;
  /** Files whose mode lets others in, by name. */
  readonly open: readonly string[];
  /** States that were set aside because they could not be read. */
  readonly damaged: readonly string[];
  /** What killed processes left behind; the next write takes it away. */
  readonly leftovers: readonly string[];
  readonly locks: readonly HeldLock[];
}

export interface HeldLock {
  /** The file that it guards. */
  readonly file: string;
  readonly holder: string;
  readonly isAlive: boolean;
  /** Milliseconds since the epoch. */
  readonly since: number | undefined;
}

/** `access` throws what access(2) answers: that a file system is read-only, it says to root too. */
export function surveyState(path: string, access: Access = accessSync): StateSurvey {
  const nothing = {
    open: [],
    damaged: [],
    leftovers: [],
    locks: [],
    isOurs: true,
    mode: undefined,
    freeBytes: undefined,
  };
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    const unwritable = whyUnwritable(path, access);
    if (stat === undefined) return { path, ...nothing, problem: undefined, isMissing: true, unwritable };
    const names = readdirSync(path);
    const uid = process.getuid?.();
    return {
      path,
      problem: undefined,
      isMissing: false,
      unwritable,
      mode: stat.mode & 0o777,
      isOurs: uid === undefined || stat.uid === uid,
      freeBytes: freeIn(path),
      open: names.filter((name) => isOpen(join(path, name))),
      damaged: names.filter((name) => name.includes('.damaged-')),
      leftovers: names.filter(isLeftover),
      locks: names.filter((name) => name.endsWith('.lock')).flatMap((name) => heldIn(path, name)),
    };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const problem = causeOf(error);
    return { path, ...nothing, problem, isMissing: false, unwritable: problem };
  }
}

type Access = (path: string, mode: number) => void;

function whyUnwritable(folder: string, access: Access): string | undefined {
  try {
    access(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const above = dirname(folder);
    return isErrno(error, 'ENOENT') && above !== folder ? whyUnwritable(above, access) : causeOf(error);
  }
}

function freeIn(path: string): number | undefined {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** What others may read or write; a lock and a claim are folders that say nothing. */
function isOpen(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && (stat.mode & 0o077) !== 0;
}

/** `NAME.claim.WHO` and `NAME.next.WHO` of somebody who is provably dead. */
function isLeftover(name: string): boolean {
  const unique = /\.(?:claim|next)\.(.+)$/.exec(name)?.[1];
  const maker = unique === undefined ? undefined : makerOf(unique);
  return maker !== undefined && liveness(maker).type === 'dead';
}

function heldIn(folder: string, name: string): readonly HeldLock[] {
  return entriesOf(join(folder, name)).map((entry) => {
    const maker = makerOf(entry);
    const { note, since } = readNote(join(folder, name), entry);
    const command =
      typeof note === 'object' && note !== null && 'command' in note ? String(note.command) : '';
    const holder =
      maker === undefined ? entry : `pid ${String(maker.pid)}${command === '' ? '' : ` (${command})`}`;
    const isAlive = maker === undefined || liveness(maker).type !== 'dead';
    return { file: name.slice(0, -'.lock'.length), holder, isAlive, since };
  });
}

function entriesOf(lock: string): readonly string[] {
  try {
    return readdirSync(lock);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}
