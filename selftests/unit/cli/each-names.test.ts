import { describe, expect, it } from 'vitest';
import { namesFor } from '../../../src/cli/each-names.ts';

describe('names for the branches of workers', () => {
  it.each([
    [
      ['claude', 'claude-work', 'opus.4'],
      ['claude', 'claude-work', 'opus.4'],
    ],
    [
      ['a..b', 'x.lock', 'y.', 'z...', 'v.LOCK'],
      ['a_.b', 'x_lock', 'y_', 'z___', 'v_LOCK'],
    ],
    [
      ['Claude', 'claude', 'CLAUDE'],
      ['Claude', 'claude-2', 'CLAUDE-3'],
    ],
    [
      ['a..b', 'a_.b', 'a_.b-2'],
      ['a_.b', 'a_.b-2', 'a_.b-2-2'],
    ],
  ])('%j', (ids, names) => {
    expect(namesFor(ids)).toEqual(names);
  });
});
