import type { Signal } from '../core/signal.ts';
import type { Observation, Reader, Verdict } from './adapter.ts';

/**
 * A reader whose observations tell no secrets: `remove` takes them out of a text. What the agent itself says is left as it
 * is, as it is the answer.
 */
export function discreet(reader: Reader, remove: (text: string) => string): Reader {
  // The end of a tool says neither its name nor what it was used on.
  const free = (text: string): string => (text === '' ? text : remove(text));
  const freed = (signal: Signal): Signal => ({
    ...signal,
    reason: free(signal.reason),
    evidence: free(signal.evidence),
  });
  const observed = (one: Observation): Observation => {
    if (one.type === 'tool') return { ...one, name: free(one.name), detail: free(one.detail) };
    if (one.type === 'note') return { ...one, text: free(one.text) };
    return 'signal' in one ? { ...one, signal: freed(one.signal) } : one;
  };
  return {
    get telling() {
      return reader.telling;
    },
    push: (line) => reader.push(line).map(observed),
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
