import { describe, expect, it } from 'vitest';
import { NOTHING_BEGUN } from '../../../src/core/session.ts';
import { withCommitPoint } from '../../../src/fleet/commit-point.ts';
import { anEndedAttempt, aSignal } from '../../rig/builders.ts';

describe('the commit point', () => {
  const refusal = () => anEndedAttempt({ ending: { type: 'refused', signal: aSignal() } });
  const trees =
    (...prints: (string | undefined)[]) =>
    () =>
      Promise.resolve(prints.shift());

  it.each([
    ['changed', ['one', 'two'], true],
    ['did not change', ['one', 'one'], false],
    ['cannot be told of', [undefined, undefined], false],
    ['can be told of no more', ['one', undefined], true],
  ])('is passed when an attempt was refused and the work tree %s', async (_what, prints, committed) => {
    const ended = await withCommitPoint(() => Promise.resolve(refusal()), trees(...prints));
    expect(ended.progress.committed).toBe(committed);
  });

  it('is not looked for when an attempt is done, or has begun by its own account', async () => {
    for (const ended of [
      anEndedAttempt(),
      { ...refusal(), progress: { ...NOTHING_BEGUN, committed: true } },
    ]) {
      let looks = 0;
      const look = () => Promise.resolve(String((looks += 1)));
      expect(await withCommitPoint(() => Promise.resolve(ended), look)).toBe(ended);
      expect(looks).toBe(1);
    }
  });

  it('holds nobody up: an attempt starts while the work tree is still looked at', async () => {
    let started = false;
    let tell: (print: string) => void = () => undefined;
    const slow = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const prints = [slow, Promise.resolve('same')];
    const run = withCommitPoint(
      () => {
        started = true;
        return Promise.resolve(refusal());
      },
      () => prints.shift() ?? slow,
    );
    expect(started).toBe(true);
    tell('same');
    expect((await run).progress.committed).toBe(false);
  });
});
