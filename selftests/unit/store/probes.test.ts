import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openProbes } from '../../../src/store/probes.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { makeReadOnly } from '../../rig/read-only.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

const readText = (saved: unknown) => (typeof saved === 'string' ? saved : undefined);

function open(home = join(tempFolder(), 'home')) {
  const time = { now: NOW as number };
  const clock = { ...systemClock, now: () => time.now as typeof NOW };
  const asked: string[] = [];
  const once = (key: string, answer: string) =>
    openProbes({ home, clock }).once(key, readText, () => {
      asked.push(answer);
      return Promise.resolve(answer);
    });
  return { home, once, asked, time, file: join(home, 'probes.json') };
}

describe('a question that many have at once', () => {
  it('is asked once, and its answer serves all for seconds', async () => {
    const { once, asked, time } = open();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, number) => once('codex', `answer ${String(number)}`)),
    );
    expect(new Set(answers)).toEqual(new Set(asked));
    expect(asked).toHaveLength(1);
    time.now = NOW + 4_999;
    expect(await once('codex', 'later')).toBe(asked[0]);
  });

  it.each([
    ['is old', 5_000],
    ['comes from the future', -1],
  ])('is asked again when the answer %s', async (_why, passed) => {
    const { once, time } = open();
    await once('codex', 'first');
    time.now = NOW + passed;
    expect(await once('codex', 'second')).toBe('second');
  });

  it('is another one for another key', async () => {
    const { once } = open();
    await once('codex', 'first');
    expect(await once('gemini', 'second')).toBe('second');
  });

  it('is asked again when what is saved is no answer', async () => {
    const { once, home, file } = open();
    mkdirSync(home);
    const answers = [{ key: 'codex', at: new Date(NOW).toISOString(), answer: { strange: true } }];
    writeFileSync(file, JSON.stringify({ version: 1, answers }));
    expect(await once('codex', 'mine')).toBe('mine');
  });

  it('forgets old answers as new ones come', async () => {
    const { once, file, time } = open();
    await once('codex', 'first');
    time.now = NOW + 61_000;
    await once('gemini', 'second');
    const saved = JSON.parse(readFileSync(file, 'utf8')) as { answers: { key: string }[] };
    expect(saved.answers.map(({ key }) => key)).toEqual(['gemini']);
  });

  it('is asked by each for itself where nothing can be written', async () => {
    const { once, home, file, asked } = open();
    mkdirSync(home);
    makeReadOnly(home);
    expect([await once('codex', 'one'), await once('codex', 'two')]).toEqual(['one', 'two']);
    expect(asked).toHaveLength(2);
    expect(existsSync(file)).toBe(false);
  });
});
