import { hostname } from 'node:os';
import { basename } from 'node:path';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { DurationMs } from '../core/time.ts';
import { durationMs } from '../core/time.ts';
import { listBeside } from './beside.ts';
import type { Clock } from './clock.ts';
import type { Claim } from './lock-folder.ts';
import {
  evictTheDead,
  isOccupied,
  makeClaim,
  publish,
  removeEmpty,
  removeEntry,
  withdraw,
} from './lock-folder.ts';
import type { Line } from './lock-line.ts';
import { Lines } from './lock-line.ts';
import type { LockProblem } from './lock-problem.ts';
import { cancelled, cannotLock, stillHeld } from './lock-problem.ts';
import type { Reached } from './save-step.ts';
import { isSystemError } from './system-error.ts';
import type { Turn } from './turns.ts';

/*
 * The lock of FILE is the folder FILE.lock, and whoever has an entry in it holds it. The entry's name says who: host,
 * boot, namespaces, pid, the pid's start time, and a nonce that makes it unique to this one acquisition.
 *
 *               rename(claim, lock)               unlink(lock/own entry)            rmdir(lock)
 *   free|empty ─────────────────────→ held ────────────────────────────────→ empty ─────────────→ free
 *                                       │     unlink(lock/dead entry)          ↑
 *                                       └── owner provably dead ───────────────┘
 *
 * 1. One owner. A claim is a private folder beside the lock with the entry already inside. An entry gets into the
 *    lock only by that rename, and the kernel lets a folder replace nothing or an *empty* folder, atomically. So the
 *    lock holds one entry at most, and it names its owner from the first instant on.
 * 2. Nobody is robbed. Only a dead owner's entry is unlinked; dead is proven (no such pid in this boot and namespace,
 *    or another start time, or another boot of this host) and stays true. Age proves nothing and is never looked at.
 * 3. No breaker needs a lock of its own. Entry names are never used twice, so the unlink is a compare-and-delete: a
 *    breaker that was paused between look and unlink, however long, meets that same dead entry or none. Of many
 *    breakers one succeeds, the others find ENOENT; then the rename of (1) has one winner.
 * 4. Releasing twice or late harms nobody: the own entry is unique, and rmdir refuses a lock that somebody has taken.
 */

interface LockOptions {
  readonly clock: Clock;
  /** How long to wait for others, at most. */
  readonly waitAtMost?: DurationMs | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  readonly reached?: Reached | undefined;
}

const WAIT = durationMs(10_000);

/**
 * The mean pause between attempts, in milliseconds, for each process that waits: however many they are, together
 * they try about as often, so that the lock is never idle for long and the processor is left to its holder.
 */
const PAUSE_EACH = 10;

/** How often a waiter makes sure that the holder lives, in milliseconds: a look costs more than an attempt. */
const LOOK_EVERY = 250;

/**
 * How often in a row one process may have the lock while others wait. Then it lets them try first: without that, a
 * process that writes in a loop could win every time; with it after each, the lock would be idle half of the time.
 */
const IN_A_ROW = 64;

const lines = new Lines();

/** Runs `work` while holding the lock of `file`, whose folder must exist. Calls within one process take turns in order. */
export async function withLock<T>(
  file: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<Result<T, LockProblem>> {
  const { line, turn, leave } = lines.join(file);
  try {
    const taken = await take(file, line, turn, options);
    if (!taken.ok) return taken;
    try {
      return ok(await work());
    } finally {
      release(taken.value, file, line, options);
    }
  } finally {
    leave();
  }
}

async function take(
  file: string,
  line: Line,
  turn: Turn,
  options: LockOptions,
): Promise<Result<Claim, LockProblem>> {
  const { clock, signal, reached } = options;
  const waitAtMost = options.waitAtMost ?? WAIT;
  const started = clock.monotonic();
  const left = (): number => Math.max(0, started + waitAtMost - clock.monotonic());
  const pause = (length: number): Promise<void> => clock.sleep(durationMs(Math.min(length, left())), signal);
  let claim: Claim | undefined;
  let [lookAgainAt, waiters] = [0, 1];
  try {
    const isOurTurn = await comesWithin(left(), turn, options);
    await pause(line.courtesyUntil - clock.monotonic());
    for (;;) {
      if (signal?.aborted === true) return err(cancelled(file));
      if (isOurTurn && (claim === undefined || !isOccupied(lockOf(file)))) {
        claim ??= makeClaim(file, aboutUs());
        reached?.('claimed');
        const outcome = publish(claim, lockOf(file));
        const published = claim;
        if (outcome !== 'occupied') claim = undefined;
        if (outcome === 'held') {
          reached?.('locked');
          return ok(published);
        }
      }
      if (left() === 0) return err(stillHeld(file, lockOf(file), evictTheDead(lockOf(file)), waitAtMost));
      if (clock.monotonic() >= lookAgainAt) {
        lookAgainAt = clock.monotonic() + LOOK_EVERY;
        if (evictTheDead(lockOf(file)) === undefined) continue;
        waiters = waitersFor(file);
      }
      line.inARow = 0;
      await pause(jitter(PAUSE_EACH * waiters));
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return err(cannotLock(file, error));
  } finally {
    if (claim !== undefined) withdraw(claim);
  }
}

async function comesWithin(left: number, turn: Turn, { clock, signal }: LockOptions): Promise<boolean> {
  if (turn.comes === undefined) return true;
  const enough = new AbortController();
  const stop = signal === undefined ? enough.signal : AbortSignal.any([enough.signal, signal]);
  const came = await Promise.race([
    turn.comes.then(() => true),
    clock.sleep(durationMs(left), stop).then(() => false),
  ]);
  enough.abort();
  return came;
}

function release(
  { entry }: Claim,
  file: string,
  line: Line,
  { clock, reached }: Pick<LockOptions, 'clock' | 'reached'>,
): void {
  try {
    removeEntry(lockOf(file), entry);
    reached?.('entry-removed');
    removeEmpty(lockOf(file));
    reached?.('released');
    line.inARow += 1;
    if (line.inARow < IN_A_ROW) return;
    line.inARow = 0;
    line.courtesyUntil = clock.monotonic() + jitter(PAUSE_EACH * waitersFor(file));
  } catch (error) {
    // The disk refuses, now that the work is done. The lock stays ours until we are gone, and then counts as dead.
    if (!isSystemError(error)) throw error;
  }
}

function lockOf(file: string): string {
  return `${file}.lock`;
}

/** For people who look into the lock; nothing is decided by it. */
function aboutUs(): object {
  const [, program, command] = process.argv;
  return { host: hostname(), command: `${basename(program ?? 'node')} ${command ?? ''}`.trim() };
}

function waitersFor(file: string): number {
  return listBeside(file, 'claim').length;
}

/** Between nothing and twice the mean, so that waiters do not march in step. */
function jitter(mean: number): number {
  return Math.random() * 2 * mean;
}
