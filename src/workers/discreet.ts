import type { Signal } from '../core/signal.ts';
import type { Observation, Reader, Verdict } from './adapter.ts';

/** So many texts are remembered with what they were freed to: a tool's end says what its start said, in the same few words. */
const MOST_REMEMBERED = 64;
/** Longer texts are seldom said twice. */
const LONGEST_REMEMBERED = 256;

/**
 * A reader whose observations tell no secrets: `remove` takes them out of a text. What the agent itself says is left as it
 * is, as it is the answer.
 */
export function discreet(reader: Reader, remove: (text: string) => string): Reader {
  const remembered = new Map<string, string>();
  const free = (text: string): string => {
    // The end of a tool says neither its name nor what it was used on.
    if (text === '') return text;
    if (text.length > LONGEST_REMEMBERED) return remove(text);
    const known = remembered.get(text);
    if (known !== undefined) return known;
    const freed = remove(text);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(text, freed);
    return freed;
  };
  const freed = (signal: Signal): Signal => ({
    ...signal,
    reason: free(signal.reason),
    evidence: free(signal.evidence),
  });
  const observed = (one: Observation): Observation => {
    if (one.type === 'tool') {
      const [name, detail] = [free(one.name), free(one.detail)];
      return name === one.name && detail === one.detail ? one : { ...one, name, detail };
    }
    if (one.type === 'note') return { ...one, text: free(one.text) };
    return 'signal' in one ? { ...one, signal: freed(one.signal) } : one;
  };
  return {
    get telling() {
      return reader.telling;
    },
    push(line) {
      const observations = reader.push(line);
      return observations.length === 0 ? observations : observations.map(observed);
    },
    end(exit, at): Verdict {
      const verdict = reader.end(exit, at);
      switch (verdict.type) {
        case 'done':
          return verdict;
        case 'refused':
          return { ...verdict, signal: freed(verdict.signal) };
        case 'failed':
          return { ...verdict, reason: free(verdict.reason), evidence: free(verdict.evidence) };
      }
    },
    unknown: () =>
      reader.unknown().map((one) => ({ ...one, name: free(one.name), evidence: free(one.evidence) })),
  };
}
