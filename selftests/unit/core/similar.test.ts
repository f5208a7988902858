import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closest } from '../../../src/core/similar.ts';

const NAMES = ['patience', 'hold', 'onQuota', 'workers', 'permissions', 'session.ended', 'session.started'];

/** One slip of a typing hand. */
const slip = fc
  .record({
    name: fc.constantFrom(...NAMES),
    at: fc.nat(),
    letter: fc.constantFrom('a', 'b', 'x', 'y', 'z'),
    kind: fc.nat(3),
  })
  .map(({ name, at, letter, kind }) => {
    const place = at % (name.length - 1);
    const [before, one, two] = [name.slice(0, place), name[place] ?? '', name[place + 1] ?? ''];
    const after = name.slice(place + 2);
    const typed = [before + two + one + after, before + letter + two + after, before + two + after];
    return { name, typed: typed[kind] ?? before + letter + one + two + after };
  });

describe('the closest name', () => {
  it('is the one that was meant, whatever slip it was typed with', () => {
    fc.assert(
      fc.property(slip, ({ name, typed }) => {
        expect(closest(typed, NAMES)).toBe(name);
      }),
    );
  });

  it.each(['constructor', 'x', '', 'command', 'environment'])('is none for %j', (word) => {
    expect(closest(word, NAMES)).toBeUndefined();
  });
});
