import { describe, expect, it } from 'vitest';
import type { SessionRecord } from '../../../src/core/session.ts';
import type { DurationMs } from '../../../src/core/time.ts';
import { durationMs, epochMs } from '../../../src/core/time.ts';
import { Saver } from '../../../src/store/saver.ts';
import { aSession } from '../../rig/builders.ts';

/** A saver on a clock that stands still: what it sleeps is over when `wake` is called, or when it is not to sleep any more. */
function aSaver(saves: (count: number) => boolean = () => true) {
  const written: number[] = [];
  let monotonic = 0;
  let wake = (): void => undefined;
  const clock = {
    monotonic: () => durationMs(monotonic),
    sleep: (duration: DurationMs, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        wake = () => {
          monotonic += duration;
          resolve();
        };
        signal?.addEventListener('abort', () => {
          resolve();
        });
      }),
  };
  const saver = new Saver(clock, ({ switchCount }) => {
    written.push(switchCount);
    return Promise.resolve(saves(written.length));
  });
  const take = async (record: SessionRecord): Promise<void> => {
    saver.take(record);
    await settled();
  };
  return { saver, written, take, wake: () => (wake(), settled()) };
}

/** All that follows without anybody waiting has happened. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

const base = aSession();
const at = (switchCount: number): SessionRecord => ({ ...base, switchCount });

describe('a session that is saved', () => {
  it('is saved at once the first time, and then so often at most', async () => {
    const { written, take, wake } = aSaver();
    await take(at(1));
    expect(written).toEqual([1]);
    await take(at(2));
    await take(at(3));
    expect(written).toEqual([1]);
    await wake();
    expect(written).toEqual([1, 3]);
  });

  it('is saved at once where somebody waits for it, also while it is put off', async () => {
    const { saver, written, take } = aSaver();
    await take(at(1));
    await take(at(2));
    expect(await saver.idle()).toBe(true);
    expect(written).toEqual([1, 2]);
    saver.take(at(3));
    expect(await saver.idle()).toBe(true);
    expect(written).toEqual([1, 2, 3]);
  });

  it('is put off again once nobody waits any more', async () => {
    const { saver, written, take } = aSaver();
    await take(at(1));
    await saver.idle();
    await take(at(2));
    expect(written).toEqual([1]);
  });

  it('is not written again when nothing but its being touched is new', async () => {
    const { saver, written } = aSaver();
    saver.take(at(1));
    await saver.idle();
    saver.take({ ...at(1), updatedAt: epochMs(base.updatedAt + 5) });
    expect(await saver.idle()).toBe(true);
    expect(written).toEqual([1]);
  });

  it('is written again when it could not be', async () => {
    const { saver, written } = aSaver((count) => count > 1);
    saver.take(at(1));
    expect(await saver.idle()).toBe(false);
    saver.take(at(1));
    expect(await saver.idle()).toBe(true);
    expect(written).toEqual([1, 1]);
  });

  it('is not when nothing was taken', async () => {
    expect(await aSaver().saver.idle()).toBe(false);
  });
});
