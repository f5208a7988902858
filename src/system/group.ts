import { readdirSync, readFileSync } from 'node:fs';
import { durationMs } from '../core/time.ts';
import type { Clock } from './clock.ts';
import { isErrno } from './system-error.ts';

/** How long a group may take to obey SIGTERM before it is sent SIGKILL. */
const OBEY = durationMs(2_000);
/** How long the kernel may take to carry a SIGKILL out; a process stuck in the kernel is not waited for. */
const VANISH = durationMs(1_000);
const FIRST_POLL = 5;
const SLOWEST_POLL = 100;

/** Ends everybody in a process group: SIGTERM, two seconds, SIGKILL. Resolves at once when nobody is in it. */
export async function endGroup(leader: number, clock: Clock): Promise<void> {
  if (!isGroupAlive(leader)) return;
  signalGroup(leader, 'SIGTERM');
  if (await vanished(leader, OBEY, clock)) return;
  signalGroup(leader, 'SIGKILL');
  await vanished(leader, VANISH, clock);
}

async function vanished(leader: number, within: number, clock: Clock): Promise<boolean> {
  const deadline = clock.monotonic() + within;
  for (let poll = FIRST_POLL; clock.monotonic() < deadline; poll = Math.min(poll * 2, SLOWEST_POLL)) {
    await clock.sleep(durationMs(poll));
    if (!isGroupAlive(leader)) return true;
  }
  return !isGroupAlive(leader);
}

/** Whether a live process is left in the group. Zombies, which nobody may ever reap in a container, are not alive. */
export function isGroupAlive(leader: number): boolean {
  if (!signalGroup(leader, 0)) return false;
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((entry) => /^\d+$/.test(entry) && isLiveMember(entry, leader));
}

function isLiveMember(pid: string, group: number): boolean {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch (error) {
    // It has gone between the listing and the look.
    if (isErrno(error, 'ENOENT', 'ESRCH')) return false;
    throw error;
  }
  // `pid (comm) state ppid pgrp …`; comm may hold spaces and brackets, so count from its last bracket (proc(5)).
  const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(pgrp) === group && state !== 'Z' && state !== 'X';
}

/** Sends a signal to a group; whether anybody was there to get it. */
export function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-leader, signal);
    return true;
  } catch (error) {
    // ESRCH: nobody is left. EPERM: macOS says so of a group of zombies.
    if (isErrno(error, 'ESRCH', 'EPERM')) return false;
    throw error;
  }
}
