import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { durationMs } from '../../../src/core/time.ts';
import { gate } from '../../../src/fleet/gate.ts';
import { aWorker } from '../builders.ts';
import type { Actor } from '../chaos/stage.ts';
import { nanoseconds, openStage, roomFor } from '../chaos/stage.ts';
import type { Budget } from './budget.ts';
import { spread } from './budget.ts';
import { ratios } from './figures.ts';
import type { Ground } from './ground.ts';
import { saveRests } from './records.ts';
import { byTurns } from './timing.ts';

const PROCESSES = 16;
/** Many short rounds by turns rather than a few long ones: what else the machine does then falls on all alike. */
const LENGTH = 1_000;
/** For sixteen processes to hear the order. */
const NOTICE = 150;

/** How fast sixteen processes write the shared state, and how fast one reads a huge one and decides by it. */
export async function sharedState(ground: Ground): Promise<readonly Budget[]> {
  return [await writing(ground), ...(await readingRests(ground))];
}

async function writing(ground: Ground): Promise<Budget> {
  const stage = await openStage(1);
  const writers = Array.from({ length: PROCESSES }, () => stage.start());
  const measured = (how: 'bare' | 'durable' | 'store') => {
    const home = roomFor(stage, how);
    return () => rateOf(writers, how, home);
  };
  const rates = await byTurns(ground.rounds(7), {
    ...{ bare: measured('bare'), durable: measured('durable'), store: measured('store') },
  });
  await Promise.all(writers.map((writer) => writer.kill()));
  stage.close();
  return {
    ...{ name: '16 processes writing cooldowns', unit: 'x a bare locked write' },
    ...{ figures: ratios(rates.store, rates.bare), goal: { atLeast: 0.5 } },
    details: [
      `${spread(rates.store, 0, 'a second')} against ${spread(rates.bare, 0, 'a second')}`,
      `that bare loop, when it writes to the disk as we do: ${spread(ratios(rates.durable, rates.bare), 2, 'x')}`,
    ],
  };
}

async function rateOf(writers: readonly Actor[], how: 'bare' | 'durable' | 'store', home: string) {
  const at = nanoseconds() + NOTICE * 1e6;
  for (const writer of writers) writer.tell({ type: 'count', how, home, at, length: LENGTH });
  const counted = await Promise.all(writers.map((writer) => writer.hears('counted')));
  return counted.reduce((sum, { writes }) => sum + writes, 0) / (LENGTH / 1_000);
}

async function readingRests(ground: Ground): Promise<readonly Budget[]> {
  const rows: Budget[] = [];
  for (const count of [10, 1_000, 10_000]) rows.push(await readingSoMany(ground, count));
  return rows;
}

/** Reads a state of which every record has changed, and asks the gate about one seat. */
async function readingSoMany(ground: Ground, count: number): Promise<Budget> {
  const home = join(ground.folder, `rests-${String(count)}`);
  mkdirSync(home);
  const report = ({ message }: { readonly message: string }): void => {
    throw new Error(message);
  };
  const store = openCooldowns({ home, clock: systemClock, report });
  const worker = aWorker({ id: 'x', seat: 'seat-7' });
  let round = 0;
  const decide = async (): Promise<number> => {
    const started = performance.now();
    const { type } = gate(worker, await store.readFor([worker]), systemClock.now());
    if (type !== 'resting') throw new Error('the one that rests was not found');
    return performance.now() - started;
  };
  const changed = await byTurns(ground.rounds(15), {
    read: () => {
      saveRests(home, count, (round += 1));
      return decide();
    },
  });
  // Until it has rested, a file's date says nothing, and its bytes are compared.
  await systemClock.sleep(durationMs(2_500));
  const unchanged = await byTurns(ground.rounds(15), { read: decide });
  return {
    ...{ name: `the gate over ${count.toLocaleString('en')} changed records`, unit: 'ms', digits: 2 },
    ...{ figures: changed.read, goal: { atMost: 10 } },
    details: [`${spread(unchanged.read, 2, 'ms')} while they are as they were`],
  };
}
