import { readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seatId } from '../../../src/core/ids.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

function openIn(home: string) {
  const said: string[] = [];
  const clock = { ...systemClock, now: () => NOW };
  const store = openCooldowns({ home, clock, report: ({ message }) => said.push(message) });
  const seats = async () =>
    (await store.read()).map(({ target }) => (target.type === 'seat' ? String(target.seat) : '')).sort();
  return { file: join(home, 'cooldowns.json'), store, said, seats };
}

const ofSeat = (seat: string) => aCooldown({ target: { type: 'seat', seat: seatId(seat) } });

describe('a process that remembers the state it wrote last', () => {
  it('goes on from what another process has written since', async () => {
    const home = tempFolder();
    const [ours, theirs] = [openIn(home), openIn(home)];
    for (const round of ['1', '2', '3']) {
      await ours.store.record(ofSeat(`a${round}`));
      await theirs.store.record(ofSeat(`b${round}`));
    }
    await ours.store.record(ofSeat('a4'));
    expect(await ours.seats()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3']);
    expect(await theirs.seats()).toEqual(await ours.seats());
  });

  it('sees a change of one letter that leaves the size and the file itself as they were', async () => {
    const { file, store, seats } = openIn(tempFolder());
    await store.record(ofSeat('old'));
    writeFileSync(file, readFileSync(file, 'utf8').replace('"old"', '"new"'));
    await store.record(ofSeat('more'));
    expect(await seats()).toEqual(['more', 'new']);
  });

  it('sees that its own state was damaged, and says so', async () => {
    const { file, store, said, seats } = openIn(tempFolder());
    await store.record(ofSeat('old'));
    writeFileSync(file, readFileSync(file, 'utf8').replace('"event"', '"evens"'));
    await store.record(ofSeat('new'));
    expect(said).toEqual([expect.stringContaining("its 'cooldowns.0.source' is wrong")]);
    expect(await seats()).toEqual(['new']);
  });

  it('does not believe in a write that failed', async () => {
    const home = tempFolder();
    const clock = { ...systemClock, now: () => NOW };
    let isFull = false;
    const disk = {
      writeSome: (descriptor: number, bytes: Uint8Array, offset: number) => {
        if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' });
        return writeSync(descriptor, bytes, offset);
      },
    };
    const store = openCooldowns({ home, clock, report: () => undefined, disk });
    await store.record(ofSeat('kept'));
    isFull = true;
    expect(await store.record(ofSeat('lost'))).toMatchObject({ ok: false });
    isFull = false;
    await store.record(ofSeat('next'));
    expect(await openIn(home).seats()).toEqual(['kept', 'next']);
  });

  it('reads back exactly what another process would read', async () => {
    const home = tempFolder();
    const { store } = openIn(home);
    await store.record(aCooldown({ until: undefined }));
    await store.clear({ target: undefined, kind: 'auth-failure', at: NOW, by: 'probe' });
    expect(await store.read()).toStrictEqual(await openIn(home).store.read());
  });

  it('writes one line a record', async () => {
    const { file, store } = openIn(tempFolder());
    await store.record(ofSeat('a'));
    await store.record(ofSeat('b'));
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines.filter((line) => line.startsWith('{"target"'))).toHaveLength(2);
  });
});
