import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../../src/system/read-file.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

const LONGEST = 1_000_000;
/** A file that nobody has touched for a while. */
const RESTED = join(import.meta.dirname, '../../../tsconfig.json');

describe('reading a file again', () => {
  it('is spared when the file has rested and is the same', () => {
    const first = readFile(RESTED, LONGEST);
    if (first.type !== 'bytes' || first.stamp === undefined) throw new Error('expected a stamp');
    expect(readFile(RESTED, LONGEST, first.stamp)).toEqual({ type: 'unchanged' });
  });

  it('is never spared for a file that was written a moment ago, which may change within one tick', () => {
    const file = join(tempFolder(), 'state.json');
    for (const content of ['1', '2', '3']) {
      writeFileSync(`${file}.next`, content);
      renameSync(`${file}.next`, file);
      expect(readFile(file, LONGEST)).toEqual({
        type: 'bytes',
        bytes: new TextEncoder().encode(content),
        stamp: undefined,
      });
    }
  });

  it('is not tried for a file that is too long to be ours', () => {
    expect(readFile(RESTED, 10)).toMatchObject({
      type: 'unfit',
      why: expect.stringMatching(/bytes long/) as string,
    });
  });
});
