// The two figures of the shared state: how fast sixteen processes write it, and how fast one reads a huge one.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seatId } from '../../../src/core/ids.ts';
import { durationMs } from '../../../src/core/time.ts';
import { toSaved } from '../../../src/store/cooldown-json.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aCooldown } from '../a-cooldown.ts';
import type { Stage } from './stage.ts';
import { nanoseconds, openStage, roomFor } from './stage.ts';

const PROCESSES = 16;
const LENGTH = 4_000;
/** For sixteen processes to start, on a busy machine too. */
const START = 6_000;

const stage = await openStage(1);
const rates = { bare: 0, store: 0 };
for (const how of ['bare', 'store', 'bare', 'store'] as const) rates[how] += (await rateOf(stage, how)) / 2;
const ratio = rates.store / rates.bare;
say(
  '16 processes writing',
  `${ratio.toFixed(2)} x a bare lock-write-unlock loop (goal >= 0.5)`,
  ratio >= 0.5,
);
console.log(`     ${rates.store.toFixed(0)} writes/s against ${rates.bare.toFixed(0)}`);

const { first, again } = await readingTime(stage);
say('reading 10,000 cooldowns', `${again.toFixed(1)} ms while unchanged (goal <= 10 ms)`, again <= 10);
console.log(`     ${first.toFixed(1)} ms when the file has changed`);
stage.close();

async function rateOf(on: Stage, how: 'bare' | 'store'): Promise<number> {
  const home = roomFor(on, `${how}-${String(nanoseconds())}`);
  const at = nanoseconds() + START * 1e6;
  const order = { type: 'count', how, home, at, length: LENGTH } as const;
  const writers = Array.from({ length: PROCESSES }, () => on.start(order));
  const counted = await Promise.all(writers.map((writer) => writer.hears('counted')));
  await Promise.all(writers.map((writer) => writer.kill()));
  return counted.reduce((sum, { writes }) => sum + writes, 0) / (LENGTH / 1_000);
}

async function readingTime(on: Stage): Promise<{ readonly first: number; readonly again: number }> {
  const home = join(roomFor(on, 'reading'), 'home');
  mkdirSync(home);
  const now = systemClock.now();
  const cooldowns = Array.from({ length: 10_000 }, (_, n) =>
    aCooldown({ target: { type: 'seat', seat: seatId(`seat-${String(n)}`) }, since: now, until: undefined }),
  );
  const saved = toSaved({ cooldowns, clearances: [] }, { cooldowns: [], clearances: [] });
  writeFileSync(join(home, 'cooldowns.json'), JSON.stringify({ version: 1, ...saved }, null, 2));
  const store = openCooldowns({
    home,
    clock: systemClock,
    report: ({ message }) => {
      throw new Error(message);
    },
  });
  const read = async (): Promise<number> => {
    const started = performance.now();
    const resting = (await store.read()).filter(
      ({ target, until }) =>
        target.type === 'seat' && target.seat === 'seat-7' && (until === undefined || until > now),
    );
    if (resting.length !== 1) throw new Error('the one that rests was not found');
    return performance.now() - started;
  };
  const first = await median(read);
  // A file that has just been written is read in full each time.
  await systemClock.sleep(durationMs(2_500));
  await read();
  return { first, again: await median(read) };
}

async function median(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < 9; run += 1) times.push(await measure());
  return times.toSorted((a, b) => a - b)[4] ?? 0;
}

function say(name: string, figure: string, isMet: boolean): void {
  console.log(`${isMet ? 'ok  ' : 'MISS'} ${name.padEnd(26)} ${figure}`);
  if (!isMet) process.exitCode = 1;
}
