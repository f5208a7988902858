import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HealthNote } from '../../../src/core/health.ts';
import { unhealthy } from '../../../src/core/health.ts';
import { workerId } from '../../../src/core/ids.ts';
import { epochMs, SECOND } from '../../../src/core/time.ts';
import { openHealth } from '../../../src/store/health.ts';
import type { StoreProblem } from '../../../src/store/problem.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

const [codex, gemini] = [workerId('codex'), workerId('gemini')];
const failure = (worker = codex, at = NOW): HealthNote => ({
  ...{ type: 'failure', worker, cause: 'server-error', at },
});
const cleanRun = (worker = codex): HealthNote => ({ type: 'clean-run', worker, at: NOW });

function open(home = join(tempFolder(), 'home')) {
  const problems: StoreProblem[] = [];
  const clock = { ...systemClock, now: () => NOW };
  const store = openHealth({ home, clock, report: (problem) => problems.push(problem) });
  return { home, store, problems, file: join(home, 'health.json') };
}

describe('health', () => {
  it('is of nobody where nothing was ever noted, and neither looking nor a clean run makes a file', async () => {
    const { store, home } = open();
    expect(await store.read()).toEqual([]);
    expect(await store.note(cleanRun())).toEqual({ ok: true, value: undefined });
    expect(() => statSync(home)).toThrow('ENOENT');
  });

  it('is read back as it was noted, by the next process too', async () => {
    const { store, home } = open();
    await store.note(failure());
    await store.note({ type: 'failure', worker: codex, cause: 'timeout', at: epochMs(NOW + SECOND) });
    const known = [
      {
        ...{ worker: codex, triedAt: NOW + SECOND },
        troubles: { 'server-error': { steps: 1, at: NOW }, timeout: { steps: 1, at: NOW + SECOND } },
      },
    ];
    expect(await store.read()).toEqual(known);
    expect(await open(home).store.read()).toEqual(known);
  });

  it('lies on the disk as JSON with instants in UTC, for its owner alone', async () => {
    const { store, home, file } = open();
    await store.note(failure());
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      workers: [
        {
          ...{ worker: 'codex', triedAt: '2026-11-29T20:00:00.000Z' },
          troubles: { 'server-error': { steps: 1, at: '2026-11-29T20:00:00.000Z' } },
        },
      ],
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(['health.json']);
  });

  it('is forgotten after as many clean runs as there were failures', async () => {
    const { store, file } = open();
    await store.note(failure());
    await store.note(failure());
    await store.note(cleanRun());
    expect(unhealthy((await store.read())[0], NOW)?.until).toBe(NOW + 30 * SECOND);
    await store.note(cleanRun());
    expect(await store.read()).toEqual([]);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ version: 1, workers: [] });
  });

  it('loses no failure of many that are noted at once', async () => {
    const { home } = open();
    const stores = Array.from({ length: 4 }, () => open(home).store);
    await Promise.all(stores.flatMap((store) => [store.note(failure()), store.note(failure(gemini))]));
    const known = await open(home).store.read();
    expect(known.map(({ troubles }) => troubles['server-error']?.steps)).toEqual([4, 4]);
  });

  it('keeps what a newer program has added', async () => {
    const { store, home, file } = open();
    mkdirSync(home, { mode: 0o700 });
    const at = '2026-11-29T20:00:00Z';
    const troubles = { timeout: { steps: 2, at, deep: [1] }, 'tea-break': { steps: 1, at } };
    const workers = [{ worker: 'codex', triedAt: at, troubles, mood: 'sad' }];
    writeFileSync(file, JSON.stringify({ version: 1.5, workers, more: true }));
    await store.note(failure());
    const saved = JSON.parse(readFileSync(file, 'utf8')) as unknown;
    expect(saved).toMatchObject({
      ...{ version: 1.5, more: true },
      workers: [{ mood: 'sad', troubles: { timeout: { steps: 2, deep: [1] }, 'tea-break': { steps: 1 } } }],
    });
  });

  it.each([
    ['no JSON', '{'],
    ['steps that are no count', JSON.stringify({ version: 1, workers: [badRecord(0)] })],
    ['steps that are a text', JSON.stringify({ version: 1, workers: [badRecord('2')] })],
  ])('starts anew from a file with %s, which is set aside and said so', async (_what, text) => {
    const { store, home, file, problems } = open();
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(file, text);
    expect(await store.read()).toEqual([]);
    expect(problems.map(({ type }) => type)).toEqual(['set-aside']);
    expect(readdirSync(home).filter((name) => name.startsWith('health.json.damaged-'))).toHaveLength(1);
  });
});

function badRecord(steps: unknown) {
  const at = '2026-11-29T20:00:00Z';
  return { worker: 'codex', triedAt: at, troubles: { 'server-error': { steps, at } } };
}
