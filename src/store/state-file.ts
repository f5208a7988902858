import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { StoreProblem } from './problem.ts';
import { onceEach } from './problem.ts';
import { holding } from './seal.ts';
import type { Change, Memory, StateFileOptions } from './state-look.ts';
import { look, tooNew } from './state-look.ts';

/** One file that many processes share. */
interface StateFile<State> {
  /** The committed state. Takes no lock and writes nothing, unless what it finds is damaged. */
  read(): Promise<Result<State, StoreProblem>>;
  /** The same, but records that hold none of `words`, pieces of JSON as `JSON.stringify` writes it, may be missing. */
  readHolding(words: readonly string[]): Promise<Result<State, StoreProblem>>;
  /** Reads, changes and writes as one step that no other process can come between. The same state back: nothing is written. */
  update<Value>(change: Change<State, Value>): Promise<Result<Value, StoreProblem>>;
}

/**
 * Keeps one state in one file. Only an update needs the lock, and only it loads what writing takes: reading is on
 * the way of every start.
 */
export function openStateFile<State extends object>(options: StateFileOptions<State>): StateFile<State> {
  const quiet = { ...options, report: onceEach(options.report) };
  const memory: Memory<State> = {};
  let part: { readonly of: string; readonly memory: Memory<State> } | undefined;

  async function read(): Promise<Result<State, StoreProblem>> {
    const found = await look(quiet.path, quiet, memory);
    if (!found.ok) return found;
    switch (found.value.type) {
      case 'missing':
        return ok(quiet.empty);
      case 'sound':
        return ok(found.value.state);
      case 'newer':
        return err(tooNew(quiet.path, found.value.version));
      case 'damaged': {
        const { replaceDamaged } = await import('./state-update.ts');
        return replaceDamaged(quiet, memory, found.value.why);
      }
    }
  }

  return {
    read,
    async readHolding(words) {
      const of = words.join('\n');
      if (part?.of !== of) part = { of, memory: {} };
      const found = await look(quiet.path, quiet, part.memory, holding(words));
      // Whatever else there is to say of a state is said by one who saw all of it.
      return found.ok && found.value.type === 'sound' ? ok(found.value.state) : read();
    },
    async update(change) {
      const { updateState } = await import('./state-update.ts');
      return updateState(quiet, memory, change);
    },
  };
}
