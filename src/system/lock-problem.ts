import type { DurationMs } from '../core/time.ts';
import { epochMs, formatDuration, toIso } from '../core/time.ts';
import type { Obstacle } from './lock-folder.ts';
import { readNote } from './lock-folder.ts';
import type { SystemError } from './system-error.ts';
import { causeOf } from './system-error.ts';

/** The lock was not taken, and `message` is the sentence that says why and what to do. */
export interface LockProblem {
  readonly type: 'held' | 'cancelled' | 'failed';
  readonly message: string;
}

export function cancelled(file: string): LockProblem {
  return { type: 'cancelled', message: `Waiting for the lock of ${file} was cancelled.` };
}

export function cannotLock(file: string, error: SystemError): LockProblem {
  return { type: 'failed', message: `Expected to lock ${file}, but ${causeOf(error)}.` };
}

export function stillHeld(
  file: string,
  lock: string,
  obstacle: Obstacle | undefined,
  waited: DurationMs,
): LockProblem {
  const expected = `Expected to lock ${file} within ${formatDuration(waited)}`;
  return { type: 'held', message: `${expected}, but ${reason(lock, obstacle)}.` };
}

function reason(lock: string, obstacle: Obstacle | undefined): string {
  if (obstacle === undefined) return 'others were faster each time; try again';
  if (obstacle.type === 'no-folder')
    return `${lock} is a ${obstacle.what}, not a folder; if nothing uses it, remove it with: rm ${shellQuoted(lock)}`;
  const remove = `remove it with: rm -r ${shellQuoted(lock)}`;
  if (obstacle.type === 'stranger') {
    return `${lock} holds something that is not ours (${obstacle.name}); if nothing uses it, ${remove}`;
  }
  const { note, since } = readNote(lock, obstacle.entry);
  const held = since === undefined ? 'holds it' : `has held it since ${toIso(epochMs(Math.round(since)))}`;
  const who = `process ${String(obstacle.owner.pid)}${commandIn(note)}`;
  return obstacle.provable
    ? `${who} ${held}; wait for it or end it`
    : `${who} on ${hostIn(note)} ${held}, and from here nobody can tell whether it still runs; if it does not, ${remove}`;
}

function commandIn(note: unknown): string {
  const command = textIn(note, 'command');
  return command === undefined ? '' : ` (${command})`;
}

function hostIn(note: unknown): string {
  return `host ${textIn(note, 'host') ?? 'unknown'}`;
}

function textIn(note: unknown, key: string): string | undefined {
  if (typeof note !== 'object' || note === null) return undefined;
  const value: unknown = Reflect.get(note, key);
  return typeof value === 'string' ? value : undefined;
}

function shellQuoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
