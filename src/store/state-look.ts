import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { DurationMs } from '../core/time.ts';
import type { WriteSome } from '../system/atomic-write.ts';
import type { Clock } from '../system/clock.ts';
import type { OpenFile, Stamp } from '../system/read-file.ts';
import { readFile } from '../system/read-file.ts';
import type { Reached } from '../system/save-step.ts';
import { causeOf, isSystemError } from '../system/system-error.ts';
import type { StoreProblem } from './problem.ts';
import type { Found, StateFormat } from './state-text.ts';
import { interpret } from './state-text.ts';

export interface StateFileOptions<State extends object> extends StateFormat<State> {
  /** In a folder that is made when it is first written. */
  readonly path: string;
  readonly empty: State;
  readonly clock: Clock;
  /** Told once of each thing that went wrong without stopping the work. */
  readonly report: (problem: StoreProblem) => void;
  /** How long an update waits for other processes. */
  readonly waitAtMost?: DurationMs | undefined;
  readonly signal?: AbortSignal | undefined;
  /** For tests: what happens on the way to the disk. */
  readonly disk?: { readonly reached?: Reached; readonly writeSome?: WriteSome } | undefined;
}

export type Change<State, Value> = (state: State) => { readonly state: State; readonly value: Value };

/** Reads what is at `path` now, or what `take` makes of it. Fails when the system does not let us. */
export async function look<State extends object>(
  path: string,
  format: StateFormat<State>,
  memory: Memory<State>,
  take?: (file: OpenFile) => Uint8Array,
): Promise<Result<Found<State>, StoreProblem>> {
  try {
    const content = readFile(path, LONGEST, memory.last?.stamp, take);
    if (content.type === 'unchanged') return ok(memory.last?.found ?? { type: 'missing' });
    const isKnown = content.type === 'bytes' && isSame(content.bytes, memory.last?.bytes);
    const found = (isKnown ? memory.last?.found : undefined) ?? (await interpret(content, format));
    memory.last = content.type === 'bytes' ? { ...content, found } : undefined;
    return ok(found);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return err({ type: 'unreadable', path, message: `Expected to read ${path}, but ${causeOf(error)}.` });
  }
}

/** In bytes: more than any state of ours by far, and what is beyond it is not taken into memory. */
const LONGEST = 64 * 1024 * 1024;

export function tooNew(path: string, version: number): StoreProblem {
  const message =
    `Expected ${path} to be of a version that this secondwind knows, but found version ${String(version)}, ` +
    `which a newer secondwind wrote; it is left as it is: update secondwind to use it.`;
  return { type: 'newer', path, message };
}

/**
 * What was read or written last: the same bytes need not be understood again. A process that writes many times in a
 * row finds its own last write each time.
 */
export interface Memory<State> {
  last?:
    | { readonly bytes: Uint8Array; readonly stamp?: Stamp | undefined; readonly found: Found<State> }
    | undefined;
}

function isSame(bytes: Uint8Array, known: Uint8Array | undefined): boolean {
  return known !== undefined && Buffer.compare(bytes, known) === 0;
}
