import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makerOf, uniqueName } from './beside.ts';
import type { Family } from './family.ts';
import { identityOf, identityText, liveness, parseIdentity } from './process-identity.ts';
import { ensureFolder, namesIn } from './state-folder.ts';
import { isErrno, isSystemError } from './system-error.ts';

/**
 * A lease says that a secondwind has an attempt running. Its file's name names the secondwind (host, boot, namespaces,
 * pid, start time) and is also the mark that everything the attempt starts carries in its environment; so whatever a
 * killed secondwind left behind is found by the next one, and nobody else can be hit. Its content are lines that are only
 * ever added, so that nobody who looks sees less than there was: what the attempt uses up (its seat), the identity of
 * the child once it runs, and `proven` once its work has begun. No fsync: after a power failure there is nothing left to
 * end.
 */
export interface Lease {
  /** The variable to put into the child's environment. */
  readonly mark: { readonly name: string; readonly value: string };
  /** Notes which child it is, for systems on which an environment cannot be looked into. */
  readonly startedAs: (pid: number) => void;
  /** Notes that the provider has let the attempt work. */
  readonly prove: () => void;
  readonly release: () => void;
}

const MARK = 'SECONDWIND_ATTEMPT';
const PROVEN = 'proven';

/**
 * Takes a lease on `seat` before its child is started. Where it cannot be written (a read-only home, a full disk) the
 * mark alone does for as long as we live ourselves.
 */
export function takeLease(folder: string, seat: string): Lease {
  const name = uniqueName();
  const path = join(folder, name);
  let isThere = attempted(() => {
    ensureFolder(folder);
    writeFileSync(path, `${seat}\n`, { mode: 0o600, flag: 'wx' });
  });
  let isProven = false;
  // What is said of an attempt that is over already must not bring its lease back.
  const add = (line: string): void => {
    if (isThere)
      attempted(() => {
        appendFileSync(path, `${line}\n`);
      });
  };
  return {
    mark: { name: MARK, value: name },
    startedAs(pid) {
      const identity = isThere ? identityOf(pid) : undefined;
      if (identity !== undefined) add(identityText(identity));
    },
    prove() {
      if (!isProven) add(PROVEN);
      isProven = true;
    },
    release() {
      isThere = false;
      attempted(() => {
        rmSync(path, { force: true });
      });
    },
  };
}

/** A lease that nobody else can find: for what must not outlive us anyway. */
export function unrecordedLease(): Lease {
  const nothing = (): void => undefined;
  return { mark: { name: MARK, value: uniqueName() }, startedAs: nothing, prove: nothing, release: nothing };
}

/** Whether the system did it. What it refuses is no reason to stop the work. */
function attempted(step: () => void): boolean {
  try {
    step();
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** An attempt whose secondwind is provably dead. */
export interface Abandoned {
  readonly family: Family;
  readonly forget: () => void;
}

/** The attempts in `folder` that nobody looks after any more. */
export function abandonedAttempts(folder: string): readonly Abandoned[] {
  return leaseNamesIn(folder).flatMap((name): readonly Abandoned[] => {
    const maker = makerOf(name);
    if (maker === undefined || liveness(maker).type !== 'dead') return [];
    const path = join(folder, name);
    const family = { leader: liveLeader(path), mark: `${MARK}=${name}` };
    return [
      {
        family,
        forget: () => {
          rmSync(path, { force: true });
        },
      },
    ];
  });
}

/** An attempt that somebody looks after. */
export interface RunningAttempt {
  readonly seat: string;
  /** Its work has begun: the provider lets it. */
  readonly isProven: boolean;
}

/** The attempts that run now, of all secondwinds that keep their leases in `folder`. */
export function runningAttempts(folder: string): readonly RunningAttempt[] {
  return leaseNamesIn(folder).flatMap((name): readonly RunningAttempt[] => {
    const maker = makerOf(name);
    if (maker === undefined || liveness(maker).type === 'dead') return [];
    const [seat = '', ...said] = contentOf(join(folder, name)).split('\n');
    return seat === '' ? [] : [{ seat, isProven: said.includes(PROVEN) }];
  });
}

/** Too many files are open: nothing is known of others then, and nothing can be started either. */
function leaseNamesIn(folder: string): readonly string[] {
  try {
    return namesIn(folder);
  } catch (error) {
    if (isErrno(error, 'EMFILE', 'ENFILE')) return [];
    throw error;
  }
}

/** The child's pid, if it is provably still that child. */
function liveLeader(path: string): number | undefined {
  const [, ...said] = contentOf(path).split('\n');
  const identity = said.map(parseIdentity).find((one) => one !== undefined);
  return identity !== undefined && liveness(identity).type === 'alive' ? identity.pid : undefined;
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    // Somebody else has seen to it already, or it is no file of ours.
    if (isSystemError(error)) return '';
    throw error;
  }
}
