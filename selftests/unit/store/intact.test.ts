import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seatId } from '../../../src/core/ids.ts';
import { toSaved } from '../../../src/store/cooldown-json.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { isIntact } from '../../../src/store/seal.ts';
import { render } from '../../../src/store/state-text.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

const COOLDOWNS = Array.from({ length: 320 }, (_, n) =>
  aCooldown({ target: { type: 'seat', seat: seatId(`seat-${String(n)}`) } }),
);

function openWith(content: Uint8Array | string) {
  const home = tempFolder();
  writeFileSync(join(home, 'cooldowns.json'), content);
  const said: string[] = [];
  const clock = { ...systemClock, now: () => NOW };
  return { said, store: openCooldowns({ home, clock, report: ({ message }) => said.push(message) }) };
}

describe('the seal of a state that is read whole', () => {
  const saved = toSaved({ cooldowns: COOLDOWNS, clearances: [] }, { cooldowns: [], clearances: [] });
  const long = Buffer.from(render(saved, 1, undefined).bytes);

  it('fits what was written, and nothing that differs from it in a byte or lacks one', () => {
    expect(isIntact(long)).toBe(true);
    expect(isIntact(Uint8Array.from(long))).toBe(true);
    fc.assert(
      fc.property(fc.nat({ max: long.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const content = Uint8Array.from(long);
        content[at] = (content[at] ?? 0) ^ change;
        expect(isIntact(content)).toBe(false);
        expect(isIntact(long.subarray(0, at))).toBe(false);
        expect(isIntact(Buffer.concat([long.subarray(0, at), long.subarray(at + 1)]))).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['a key twice', '"clearances": []', '"clearances": [], "clearances": []', 'it has a key twice'],
    ['a key twice in a record', '"seat":"seat-7"', '"seat":"a","seat":"b"', 'it has a key twice'],
    [
      'brackets without end',
      '"clearances": []',
      `"clearances": [], "x": ${'['.repeat(99)}${']'.repeat(99)}`,
      'nested',
    ],
    ['a wrong record', '"worker":"claude-work"', '"worker":7', "its 'cooldowns"],
  ])('that no longer fits lets nothing pass: %s', async (_name, from, to, says) => {
    const text = long.toString();
    expect(text).toContain(from);
    const { store, said } = openWith(text.replace(from, to));
    expect(await store.read()).toEqual([]);
    expect(said).toEqual([expect.stringContaining(says)]);
  });

  it('that fits does not make a state of records that are none', async () => {
    const wrong = {
      cooldowns: COOLDOWNS.map((_, n) => ({ nothing: 'x'.repeat(300), n })),
      clearances: [],
    };
    const { bytes } = render(wrong, 1, undefined);
    expect(isIntact(bytes)).toBe(true);
    const { store, said } = openWith(bytes);
    expect(await store.read()).toEqual([]);
    expect(said).toEqual([expect.stringContaining("its 'cooldowns.0")]);
  });

  it('costs no record of it: they come back as they went in', async () => {
    const { store, said } = openWith(long);
    expect(await store.read()).toEqual(COOLDOWNS);
    expect(said).toEqual([]);
  });
});
