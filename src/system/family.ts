import { readdirSync, readFileSync } from 'node:fs';
import { durationMs } from '../core/time.ts';
import { makerOf } from './beside.ts';
import type { Clock } from './clock.ts';
import { readProcessStat } from './process-stat.ts';
import { isErrno } from './system-error.ts';

/**
 * Everybody that an attempt has started: the process group of its child, those who left the group (setsid) but carry
 * the attempt's mark in the environment that they inherited, and the children of either. Out of reach, and only when it
 * did all three: a process that left the group, emptied its environment and lost its parent. Without a /proc (macOS)
 * the group is all that can be seen.
 */
export interface Family {
  /** The pid of the child, which leads its group; `undefined` when that pid may be somebody else's by now. */
  readonly leader: number | undefined;
  /** `NAME=value`, in the environment of the child and of nobody who is not of this attempt. */
  readonly mark: string;
}

/** How long a family may take to obey SIGTERM before it is sent SIGKILL. */
const OBEY = durationMs(2_000);
/** How long the kernel may take to carry a SIGKILL out; a process stuck in the kernel is not waited for. */
const VANISH = durationMs(800);
const FIRST_POLL = 2;
const SLOWEST_POLL = 100;

/** Ends a family: SIGTERM, two seconds, SIGKILL. Resolves with whether anybody was left of it. */
export async function endFamily(family: Family, clock: Clock): Promise<boolean> {
  if (!signalFamily(family, 'SIGTERM')) return false;
  if (await vanished(family, OBEY, clock)) return true;
  signalFamily(family, 'SIGKILL');
  await vanished(family, VANISH, clock);
  return true;
}

async function vanished(family: Family, within: number, clock: Clock): Promise<boolean> {
  const deadline = clock.monotonic() + within;
  for (let poll = FIRST_POLL; clock.monotonic() < deadline; poll = Math.min(poll * 2, SLOWEST_POLL)) {
    await clock.sleep(durationMs(poll));
    if (!isFamilyAlive(family)) return true;
  }
  return !isFamilyAlive(family);
}

/** Ends a family at once, without a word: for when we are about to be gone ourselves. */
export function killFamily(family: Family): void {
  signalFamily(family, 'SIGKILL');
}

/** Stops everybody where they are, until `continueFamily`. */
export function stopFamily(family: Family): void {
  signalFamily(family, 'SIGSTOP');
}

export function continueFamily(family: Family): void {
  signalFamily(family, 'SIGCONT');
}

/** As far as can be told; where not all can be seen, somebody may be. */
function isFamilyAlive(family: Family): boolean {
  const { isGroupThere, away, seesAll } = look(family);
  return isGroupThere || away.length > 0 || !seesAll;
}

/** Signals everybody; whether there was anybody, or may have been. */
function signalFamily(family: Family, signal: NodeJS.Signals): boolean {
  // Looked up before the first signal, while parents are still there to tell whose child is whose.
  const { leader, isGroupThere, away, seesAll } = look(family);
  const group = leader !== undefined && isGroupThere && kill(-leader, signal);
  const others = away.map((pid) => kill(pid, signal));
  return group || others.includes(true) || !seesAll;
}

interface Look {
  readonly leader: number | undefined;
  readonly isGroupThere: boolean;
  /** Those of the family who are not in its group. */
  readonly away: readonly number[];
  /** False where the system has /proc and cannot open it for now. */
  readonly seesAll: boolean;
}

/** Who of the family is there now: one look through /proc. Zombies, which nobody may ever reap in a container, are not there. */
function look({ leader, mark }: Family): Look {
  const groupAlone = () => ({ leader, isGroupThere: leader !== undefined && kill(-leader, 0), away: [] });
  if (process.platform !== 'linux') return { ...groupAlone(), seesAll: true };
  try {
    return { ...lookThroughProc({ leader, mark }), seesAll: true };
  } catch (error) {
    // Too many files are open: the group at least can be reached, and the next look may see more.
    if (isErrno(error, 'EMFILE', 'ENFILE')) return { ...groupAlone(), seesAll: false };
    throw error;
  }
}

function lookThroughProc({ leader, mark }: Family): Omit<Look, 'seesAll'> {
  const all = processes();
  const since = startOf(mark);
  const family = new Set(
    all
      .filter(({ pid, group, start }) => group === leader || (start >= since && isMarked(pid, mark)))
      .map(({ pid }) => pid),
  );
  for (let size = -1; size !== family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return {
    leader,
    isGroupThere: all.some(({ group }) => group === leader),
    away: all.filter(({ pid, group }) => family.has(pid) && group !== leader).map(({ pid }) => pid),
  };
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Clock ticks since boot. */
  readonly start: number;
}

/** All live processes but this one. */
function processes(): readonly Process[] {
  return readdirSync('/proc').flatMap((entry): readonly Process[] => {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const stat = unlessGone(() => readProcessStat(pid));
    if (stat === undefined) return [];
    // `pid (comm) state ppid pgrp …`, the start time as the 22nd; comm may hold spaces and brackets, so count from its
    // last bracket (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ', 20);
    const [state, parent, group] = fields;
    if (state === 'Z' || state === 'X') return [];
    return [{ pid, parent: Number(parent), group: Number(group), start: Number(fields[19]) }];
  });
}

/**
 * When the secondwind that gave out a mark had started, which is before all who carry it: of whoever is older, the
 * environment need not be read. Zero when the mark does not say.
 */
function startOf(mark: string): number {
  const start = Number(makerOf(mark.slice(mark.indexOf('=') + 1))?.start);
  return Number.isNaN(start) ? 0 : start;
}

function isMarked(pid: number, mark: string): boolean {
  return `\0${readEnvironment(pid) ?? ''}`.includes(`\0${mark}\0`);
}

function readEnvironment(pid: number): string | undefined {
  return unlessGone(() => readFileSync(`/proc/${String(pid)}/environ`, 'latin1'));
}

/** `undefined`: it has gone between the listing and the look, or is somebody else's. */
function unlessGone(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
}

/** Whether somebody was there to be signalled. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    // ESRCH: nobody is left. EPERM: macOS says so of a group of zombies.
    if (isErrno(error, 'ESRCH', 'EPERM')) return false;
    throw error;
  }
}
