import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import { toIso } from '../core/time.ts';
import { replaceFile, syncFolder } from '../system/atomic-write.ts';
import { sweepFolderOnce } from '../system/beside.ts';
import { withLock } from '../system/lock.ts';
import { prepareTarget, setAside } from '../system/state-folder.ts';
import { causeOf, isSystemError } from '../system/system-error.ts';
import type { StoreProblem } from './problem.ts';
import type { Change, Memory, StateFileOptions } from './state-look.ts';
import { look, tooNew } from './state-look.ts';
import { render } from './state-text.ts';

// The half of a state file that needs its lock; state-file.ts loads it when there is something to write.

export async function updateState<State extends object, Value>(
  options: StateFileOptions<State>,
  memory: Memory<State>,
  change: Change<State, Value>,
): Promise<Result<Value, StoreProblem>> {
  return whileLocked(options, async (target) => {
    const current = await currentState(target, options, memory);
    if (!current.ok) return current;
    const { state, value } = change(current.value.state);
    if (state !== current.value.state) {
      const { version, bytes } = render(state, options.version, current.value.version);
      await replaceFile(target, bytes, options.disk);
      memory.last = { bytes, found: { type: 'sound', state, version } };
    }
    return ok(value);
  });
}

/**
 * What a reader does that found damage. It looks again under the lock, because a writer may have mended it by now,
 * and a sound file must never be moved. When the damage cannot be moved, it stays, and work goes on all the same.
 */
export async function replaceDamaged<State extends object>(
  options: StateFileOptions<State>,
  memory: Memory<State>,
  why: string,
): Promise<Result<State, StoreProblem>> {
  const current = await whileLocked(options, (target) => currentState(target, options, memory));
  if (current.ok) return ok(current.value.state);
  if (current.error.type === 'newer') return current;
  const message = `Expected ${options.path} to be a state of secondwind, but ${why}; it is not used. ${current.error.message}`;
  options.report({ ...current.error, message });
  return ok(options.empty);
}

/** The state to go on from, and the version it was written with. Damage is moved out of the way and said. */
async function currentState<State extends object>(
  target: string,
  options: StateFileOptions<State>,
  memory: Memory<State>,
): Promise<Result<{ readonly state: State; readonly version?: number }, StoreProblem>> {
  const found = await look(target, options, memory);
  if (!found.ok) return found;
  switch (found.value.type) {
    case 'missing':
      return ok({ state: options.empty });
    case 'sound':
      return ok(found.value);
    case 'newer':
      return err(tooNew(options.path, found.value.version));
    case 'damaged': {
      const moved = setAside(target, toIso(options.clock.now()));
      options.report({
        type: 'set-aside',
        path: moved,
        message: wasDamaged(options.path, found.value.why, moved),
      });
      return ok({ state: options.empty });
    }
  }
}

/** Hands `work` the real path of the state; the system's refusals on the way become the problem to report. */
async function whileLocked<State extends object, Value>(
  options: StateFileOptions<State>,
  work: (target: string) => Promise<Result<Value, StoreProblem>>,
): Promise<Result<Value, StoreProblem>> {
  const { path, clock, waitAtMost, signal, disk } = options;
  // What a first use loads is loaded before the lock is taken: others wait for as long as it is held. A check that is
  // only asked in doubt is not, because then nothing is usually loaded at all.
  if (options.isSound === undefined) await options.check();
  try {
    const target = prepareTarget(path);
    const lockOptions = { clock, waitAtMost, signal, reached: disk?.reached };
    const outcome = await withLock(target, lockOptions, async () => {
      sweepFolderOnce(target);
      return work(target);
    });
    if (outcome.ok) {
      // Before the answer, but not before the lock is given back: others may build on what only a power failure could
      // undo, because their own answer waits for the same folder.
      await syncFolder(target);
      disk?.reached?.('folder-synced');
      return outcome.value;
    }
    const { type, message } = outcome.error;
    return err({ type: type === 'held' ? 'locked' : type === 'failed' ? 'unwritable' : type, path, message });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = `Expected to save ${path}, but ${causeOf(error)}; what was saved before is as it was.`;
    return err({ type: 'unwritable', path, message });
  }
}

function wasDamaged(path: string, why: string, moved: string): string {
  return `Expected ${path} to be a state of secondwind, but ${why}; it was moved to ${moved}, and work goes on without it.`;
}
