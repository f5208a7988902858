import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { besideName, makerOf, uniqueName } from './beside.ts';
import type { ProcessIdentity } from './process-identity.ts';
import { liveness } from './process-identity.ts';
import { isErrno, isSystemError } from './system-error.ts';

// The moves of the lock that lock.ts explains. All are single calls on folders, microseconds each, and synchronous:
// none can still be on its way in some thread when the process has already gone on, or has gone.

/** A folder of our own, with our entry in it, ready to become the lock. */
export interface Claim {
  readonly folder: string;
  readonly entry: string;
}

/** Who is in the way, for the sentence that says so. */
export type Obstacle =
  | {
      readonly type: 'owner';
      readonly entry: string;
      readonly owner: ProcessIdentity;
      readonly provable: boolean;
    }
  | { readonly type: 'stranger'; readonly name: string }
  /** No folder stands there, so nothing that we could ever replace. */
  | { readonly type: 'no-folder'; readonly what: 'link' | 'file' };

export function makeClaim(file: string, note: object): Claim {
  const entry = uniqueName();
  const claim = { folder: besideName(file, 'claim', entry), entry };
  mkdirSync(claim.folder, 0o700);
  chmodSync(claim.folder, 0o700);
  try {
    writeFileSync(join(claim.folder, claim.entry), `${JSON.stringify(note)}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    withdraw(claim);
    throw error;
  }
  return claim;
}

/**
 * claimed → held, unless there is any entry in the lock: the kernel replaces only a folder that is empty. `claim-gone`:
 * somebody removed the claim by hand, or the folder that both lie in.
 */
export function publish(claim: Claim, lock: string): 'held' | 'occupied' | 'claim-gone' {
  try {
    renameSync(claim.folder, lock);
    return 'held';
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return 'occupied';
    if (isErrno(error, 'ENOENT')) return 'claim-gone';
    throw error;
  }
}

/** claimed → gone. */
export function withdraw(claim: Claim): void {
  rmSync(claim.folder, { recursive: true, force: true });
}

/** held → empty. No entry any more: somebody removed the lock by hand, and the answer is the same. */
export function removeEntry(lock: string, entry: string): void {
  answered(['ENOENT', 'ENOTDIR'], () => {
    unlinkSync(join(lock, entry));
  });
}

/** empty → free. Not empty or not there: the next owner or the next to tidy up was faster. */
export function removeEmpty(lock: string): void {
  answered(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'], () => {
    rmdirSync(lock);
  });
}

/** A cheap look before an attempt. Only the attempt itself decides. */
export function isOccupied(lock: string): boolean {
  return entriesOf(lock).length > 0;
}

/** Evicts the provably dead, and says who is in the way then; `undefined`: nobody that was seen. */
export function evictTheDead(lock: string): Obstacle | undefined {
  // Of a link the kernel replaces nothing, wherever it leads; and one that leads nowhere looks like no lock at all.
  const there = lstatSync(lock, { throwIfNoEntry: false });
  if (there !== undefined && !there.isDirectory())
    return { type: 'no-folder', what: there.isSymbolicLink() ? 'link' : 'file' };
  let obstacle: Obstacle | undefined;
  for (const name of entriesOf(lock)) {
    const owner = makerOf(name);
    if (owner === undefined) {
      obstacle ??= { type: 'stranger', name };
      continue;
    }
    const found = liveness(owner);
    if (found.type === 'dead') removeEntry(lock, name);
    else obstacle = { type: 'owner', entry: name, owner, provable: found.type === 'alive' };
  }
  return obstacle;
}

/** What a holder says of itself, and since when it holds: as far as it can still be read. */
export function readNote(
  lock: string,
  entry: string,
): { readonly note: unknown; readonly since: number | undefined } {
  let since: number | undefined;
  try {
    // A rename is a change of the folder it renames, so this is when the claim became the lock.
    since = statSync(lock).ctimeMs;
    return { note: JSON.parse(readFileSync(join(lock, entry), 'utf8')), since };
  } catch (error) {
    if (isSystemError(error) || error instanceof SyntaxError) return { note: undefined, since };
    throw error;
  }
}

function entriesOf(lock: string): readonly string[] {
  try {
    return readdirSync(lock);
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return [];
    throw error;
  }
}

/** Runs one call for which some errors are answers as good as success. */
function answered(answers: readonly string[], call: () => void): void {
  try {
    call();
  } catch (error) {
    if (!isErrno(error, ...answers)) throw error;
  }
}
