import type { Signal } from '../core/signal.ts';
import type { Observation, Reader, Verdict } from './adapter.ts';

/**
 * A reader whose observations tell no secrets: `free` takes them out of a text. What the agent itself says is left as it
 * is, as it is the answer.
 */
export function discreet(reader: Reader, free: (text: string) => string): Reader {
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
