import { describe, expect, it } from 'vitest';
import { differences } from '../../../src/selftest/differences.ts';

describe('differences', () => {
  it('finds none where everything that is expected is so, whatever else there is', () => {
    expect(differences({ a: 1, b: { c: null } }, { a: 1, b: { c: null, d: 2 }, e: 3 })).toEqual([]);
  });

  it.each<{ expected: unknown; found: unknown; told: object }>([
    {
      expected: { signal: { kind: 'rate-limit' } },
      found: { signal: { kind: 'overloaded' } },
      told: { path: 'signal.kind', expected: 'rate-limit', found: 'overloaded' },
    },
    {
      expected: { signal: null },
      found: { signal: { kind: 'overloaded' } },
      told: { path: 'signal', expected: null, found: { kind: 'overloaded' } },
    },
    {
      expected: { signal: { kind: 'rate-limit' } },
      found: { signal: null },
      told: { path: 'signal', expected: { kind: 'rate-limit' }, found: null },
    },
    {
      expected: { resetAt: '2026-11-29T21:44:16.000Z' },
      found: { resetAt: '2026-11-29T21:44:17.000Z' },
      told: { path: 'resetAt', expected: '2026-11-29T21:44:16.000Z', found: '2026-11-29T21:44:17.000Z' },
    },
    { expected: { a: [1, 2] }, found: { a: [2, 1] }, told: { path: 'a', expected: [1, 2], found: [2, 1] } },
    { expected: { gone: 1 }, found: {}, told: { path: 'gone', expected: 1, found: undefined } },
  ])('says where $expected is not $found', ({ expected, found, told }) => {
    expect(differences(expected, found)).toEqual([told]);
  });
});
