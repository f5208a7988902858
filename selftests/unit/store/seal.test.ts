import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Cooldown, CooldownTarget } from '../../../src/core/cooldown.ts';
import { seatId } from '../../../src/core/ids.ts';
import { epochMs, HOUR } from '../../../src/core/time.ts';
import { gate } from '../../../src/fleet/gate.ts';
import { toSaved } from '../../../src/store/cooldown-json.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { holding } from '../../../src/store/seal.ts';
import { render } from '../../../src/store/state-text.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aWorker } from '../../rig/builders.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

function openWith(content: Uint8Array | string) {
  const home = tempFolder();
  const file = join(home, 'cooldowns.json');
  writeFileSync(file, content);
  const said: string[] = [];
  const clock = { ...systemClock, now: () => NOW };
  const store = openCooldowns({ home, clock, report: ({ message }) => said.push(message) });
  return { home, file, store, said: () => said.map((one) => one.replaceAll(home, '')) };
}

/** As it is written, with unknown keys as of a newer secondwind. */
function written(cooldowns: readonly Cooldown[], more: Readonly<Record<string, unknown>> = {}): Uint8Array {
  const saved = toSaved({ cooldowns, clearances: [] }, { cooldowns: [], clearances: [] });
  return render({ ...saved, ...more }, 1, undefined).bytes;
}

/** Enough that a state with them is sealed. */
const OTHERS = Array.from({ length: 320 }, (_, n) => aCooldown({ target: on(`other-${String(n)}`) }));

function on(seat: string): CooldownTarget {
  return { type: 'seat', seat: seatId(seat) };
}

/** What of a worker makes such a cooldown close it. */
function itsSeat(target: CooldownTarget) {
  return target.type === 'workspace' ? { workspace: target.workspace } : { seat: target.seat };
}

/** What both ways of reading say, each in a home of its own, because one that finds damage moves it. */
async function bothWays(content: Uint8Array | string, workers: readonly ReturnType<typeof aWorker>[]) {
  const [some, all] = [openWith(content), openWith(content)];
  const fast = await some.store.readFor(workers);
  const slow = (await all.store.read()).filter(({ target }) =>
    workers.some(({ seat, workspace }) =>
      target.type === 'workspace' ? target.workspace === workspace : target.seat === seat,
    ),
  );
  return {
    fast: { cooldowns: fast, said: some.said(), left: readdirSync(some.home) },
    slow: { cooldowns: slow, said: all.said(), left: readdirSync(all.home) },
  };
}

// Names that are parts of each other, that need escapes, or that look like pieces of the file.
const name = fc.oneof(
  fc.constantFrom('work', 'work-2', 'wor', '"work"', '\\', 'a"b', 'seat":"work', '', 'ä', '\u2028', '\ud800'),
  fc.constantFrom('\n', '],', '{"', 'other-1', 'other-10', '.*', '😀', '__proto__'),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const target: fc.Arbitrary<CooldownTarget> = fc.oneof(
  name.map(on),
  fc.record({ type: fc.constant('model' as const), seat: name.map(seatId), model: name }),
  fc.record({ type: fc.constant('workspace' as const), workspace: name }),
);
const hostileText = fc.oneof(
  name,
  name.map((one) => `"seat":${JSON.stringify(one)}`),
  name.map((one) => `{"target":{"type":"seat","seat":${JSON.stringify(one)}}}`),
);
const cooldown = fc
  .record({
    target,
    until: fc.constantFrom(undefined, NOW + HOUR, NOW - 1),
    reason: hostileText,
    evidence: hostileText,
  })
  .map(({ until, ...rest }) => aCooldown({ ...rest, until: until === undefined ? until : epochMs(until) }));
const worker = fc
  .record({ seat: name.map(seatId), workspace: fc.option(name, { nil: undefined }) })
  .map((seated) => aWorker(seated));
const newer = fc.constantFrom({}, { more: { deep: [1] } }, { list: [{ seat: 'work' }, '],', []] });

describe('cooldowns read for some workers out of a long file', () => {
  it('are those that reading all of it gives, whatever the records and the names', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(cooldown, { minLength: 1, maxLength: 8 }),
        fc.nat({ max: OTHERS.length }),
        fc.array(worker, { maxLength: 4 }),
        newer,
        async (own, at, others, more) => {
          const workers = [...others, ...own.slice(1).map(({ target: its }) => aWorker(itsSeat(its)))];
          const records = [...OTHERS.slice(0, at), ...own, ...OTHERS.slice(at)];
          const { fast, slow } = await bothWays(written(records, more), workers);
          expect(slow.said).toEqual([]);
          expect(fast).toEqual(slow);
          for (const one of workers)
            expect(gate(one, fast.cooldowns, NOW)).toEqual(gate(one, slow.cooldowns, NOW));
          found += fast.cooldowns.length;
        },
      ),
      { numRuns: 120 },
    );
    // It would say nothing if nobody ever rested.
    expect(found).toBeGreaterThan(100);
  });

  it.each([0, 100, OTHERS.length])('are found without understanding the others, at place %s', (at) => {
    const bytes = written([...OTHERS.slice(0, at), aCooldown({ target: on('work') }), ...OTHERS.slice(at)]);
    const taken = holding(['"seat":"work"'])(opened(bytes));
    const { cooldowns } = JSON.parse(Buffer.from(taken).toString()) as { cooldowns: unknown[] };
    expect(cooldowns).toHaveLength(1);
    expect(bytes.length).toBeGreaterThan(64 * 1024);
    expect(taken.length).toBeLessThan(1_024);
  });

  const workers = [aWorker({ seat: 'work' }), aWorker({ seat: 'other-17' })];
  const sound = Buffer.from(written([...OTHERS, aCooldown({ target: on('work') })]));
  /** Also the places where most depends on a byte: the head, what is asked for, the seal. */
  const place = fc.oneof(
    fc.nat({ max: sound.length - 1 }),
    fc.nat({ max: 60 }),
    fc.nat({ max: 300 }).map((back) => sound.length - 1 - back),
    fc.nat({ max: 200 }).map((ahead) => sound.indexOf('other-17') + ahead - 40),
  );

  it('are looked for in all of it when any byte is another, as its lines cannot be told apart then', () => {
    const take = holding(workers.map(({ seat }) => `"seat":"${seat}"`));
    expect(take(opened(sound)).length).toBeLessThan(2_048);
    fc.assert(
      fc.property(place, fc.integer({ min: 1, max: 255 }), (at, change) => {
        const content = Buffer.from(sound);
        content[at] = (content[at] ?? 0) ^ change;
        expect(content.equals(take(opened(content)))).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('say the same as reading all of it when any byte is another', async () => {
    let damaged = 0;
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const content = Uint8Array.from(sound);
        content[at] = (content[at] ?? 0) ^ change;
        const { fast, slow } = await bothWays(content, workers);
        expect(fast).toEqual(slow);
        damaged += slow.said.length;
      }),
      { numRuns: 80 },
    );
    expect(damaged).toBeGreaterThan(8);
  });

  it('say the same as reading all of it wherever the file is cut, and whatever is put into it', async () => {
    const insert = fc.oneof(
      fc.constantFrom('', '\n', ',', '\0', ' ', '"', '\ufeff', '// why\n'),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(place, place, insert, async (a, b, text) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const content = Buffer.concat([sound.subarray(0, from), Buffer.from(text), sound.subarray(to)]);
        const { fast, slow } = await bothWays(content, workers);
        expect(fast).toEqual(slow);
        const cut = await bothWays(sound.subarray(0, a), workers);
        expect(cut.fast).toEqual(cut.slow);
      }),
      { numRuns: 40 },
    );
  });

  it('are of the file as it is now, each time, whoever changed it and however', async () => {
    const { file, store } = openWith(sound);
    const seats = async () => (await store.readFor(workers)).map(({ target }) => itsSeat(target).seat);
    expect(await seats()).toEqual(['other-17', 'work']);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"other-17"', '"other+17"'));
    expect(await seats()).toEqual(['work']);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"other-18"', '"other-17"'));
    expect(await seats()).toEqual(['other-17', 'work']);
    await store.clear({ target: on('work'), kind: undefined, at: NOW, by: 'operator' });
    expect(await seats()).toEqual(['other-17']);
    expect(await store.read()).toHaveLength(OTHERS.length);
  });
});

describe('cooldowns read for others out of a file that has not changed', () => {
  it('are those of the others', async () => {
    const { store } = openWith(written(OTHERS));
    // Only of a file that has rested it is known that it is the same.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR });
    onTestFinished(() => void vi.useRealTimers());
    for (const seat of ['other-5', 'other-6', 'other-5']) {
      const read = await store.readFor([aWorker({ seat })]);
      expect(read.map(({ target }) => itsSeat(target))).toEqual([{ seat }]);
    }
  });
});

describe('the seal of a state', () => {
  it('is on long states only, and made anew with each write', async () => {
    const { file, store } = openWith(written(OTHERS));
    const sealIn = () => (JSON.parse(readFileSync(file, 'utf8')) as { seal?: string }).seal;
    const before = sealIn();
    expect(before).toMatch(/^[0-9a-f]{8}$/);
    await store.record(aCooldown({ target: on('more') }));
    expect(sealIn()).not.toBe(before);
    expect(readFileSync(file, 'utf8').match(/"seal"/g)).toHaveLength(1);
    await store.clear({ target: undefined, kind: undefined, at: NOW, by: 'operator' });
    expect(sealIn()).toBeUndefined();
  });

  it('is no reason to doubt a state when it is wrong: somebody may have edited it, or know no seals', async () => {
    const text = Buffer.from(written(OTHERS)).toString();
    for (const content of [
      text.replace(/"seal": ".*"/, '"seal": "00000000"'),
      text.replace(/,\n"seal": ".*"/, ''),
    ]) {
      const { store, said } = openWith(content);
      expect(await store.readFor([aWorker({ seat: 'other-5' })])).toHaveLength(1);
      expect(await store.read()).toHaveLength(OTHERS.length);
      expect(said()).toEqual([]);
    }
  });

  it('leaves what a newer secondwind has added where it is', async () => {
    const { file, store } = openWith(written(OTHERS, { mood: { deep: [1] }, more: [{ a: 1 }] }));
    await store.record(aCooldown({ target: on('more') }));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ mood: { deep: [1] }, more: [{ a: 1 }] });
  });
});

function opened(bytes: Uint8Array) {
  return {
    size: bytes.length,
    readInto: (into: Uint8Array, from: number) => {
      const part = bytes.subarray(from, from + into.length);
      into.set(part);
      return part.length;
    },
  };
}
