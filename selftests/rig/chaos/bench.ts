// The two figures of the shared state: how fast sixteen processes write it, and how fast one reads a huge one.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seatId } from '../../../src/core/ids.ts';
import { durationMs } from '../../../src/core/time.ts';
import { toSaved } from '../../../src/store/cooldown-json.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { render } from '../../../src/store/state-text.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { aCooldown } from '../a-cooldown.ts';
import type { Actor, Stage } from './stage.ts';
import { nanoseconds, openStage, roomFor } from './stage.ts';

const PROCESSES = 16;
/** Many short rounds by turns rather than a few long ones: what else the machine does then falls on all alike. */
const ROUNDS = 11;
const LENGTH = 1_500;
/** For sixteen processes to hear the order. */
const NOTICE = 150;
const RECORDS = 10_000;

const stage = await openStage(1);
await writing(stage);
await reading(stage);
stage.close();

async function writing(on: Stage): Promise<void> {
  const writers = Array.from({ length: PROCESSES }, () => on.start());
  const rates = { bare: [] as number[], durable: [] as number[], store: [] as number[] };
  const homes = { bare: roomFor(on, 'bare'), durable: roomFor(on, 'durable'), store: roomFor(on, 'store') };
  // The first round only starts the processes and has them load and compile what they run.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const how of ['bare', 'durable', 'store'] as const) {
      const rate = await rateOf(writers, how, homes[how]);
      if (round > 0) rates[how].push(rate);
    }
  }
  await Promise.all(writers.map((writer) => writer.kill()));
  const ratios = { durable: over(rates.durable, rates.bare), store: over(rates.store, rates.bare) };
  say(
    '16 processes writing',
    `${spread(ratios.store, 2)} x a bare lock-write-unlock loop (goal >= 0.5)`,
    middle(ratios.store) >= 0.5,
  );
  console.log(`     ${spread(rates.store, 0)} writes/s against ${spread(rates.bare, 0)}`);
  console.log(`     ${spread(ratios.durable, 2)} x for that loop when it writes to the disk as we do`);
}

async function rateOf(writers: readonly Actor[], how: 'bare' | 'durable' | 'store', home: string) {
  const at = nanoseconds() + NOTICE * 1e6;
  for (const writer of writers) writer.tell({ type: 'count', how, home, at, length: LENGTH });
  const counted = await Promise.all(writers.map((writer) => writer.hears('counted')));
  return counted.reduce((sum, { writes }) => sum + writes, 0) / (LENGTH / 1_000);
}

async function reading(on: Stage): Promise<void> {
  const home = join(roomFor(on, 'reading'), 'home');
  mkdirSync(home);
  const report = ({ message }: { readonly message: string }): void => {
    throw new Error(message);
  };
  const store = openCooldowns({ home, clock: systemClock, report });
  const [changed, unchanged]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    replaceAll(home, round);
    const time = await timeToRead(store);
    if (round > 0) changed.push(time);
  }
  // Until it has rested, a file's date says nothing, and its bytes are compared.
  await systemClock.sleep(durationMs(2_500));
  await timeToRead(store);
  for (let round = 1; round <= ROUNDS; round += 1) unchanged.push(await timeToRead(store));
  say(
    'reading 10,000 cooldowns',
    `${spread(changed, 1)} ms when all have changed (goal <= 10 ms)`,
    middle(changed) <= 10,
  );
  console.log(`     ${spread(unchanged, 1)} ms while unchanged`);
}

/** Puts a state in place of which no record is like one of the round before. */
function replaceAll(home: string, round: number): void {
  const now = systemClock.now();
  const cooldowns = Array.from({ length: RECORDS }, (_, n) =>
    aCooldown({
      target: { type: 'seat', seat: seatId(`seat-${String(n)}`) },
      since: now,
      until: undefined,
      reason: `round ${String(round)}`,
    }),
  );
  const saved = toSaved({ cooldowns, clearances: [] }, { cooldowns: [], clearances: [] });
  writeFileSync(join(home, 'next'), render(saved, 1, undefined).bytes);
  renameSync(join(home, 'next'), join(home, 'cooldowns.json'));
}

async function timeToRead(store: ReturnType<typeof openCooldowns>): Promise<number> {
  const started = performance.now();
  const resting = (await store.read()).filter(
    ({ target, until }) => target.type === 'seat' && target.seat === 'seat-7' && until === undefined,
  );
  if (resting.length !== 1) throw new Error('the one that rests was not found');
  return performance.now() - started;
}

function over(some: readonly number[], others: readonly number[]): readonly number[] {
  return some.map((value, round) => value / (others[round] ?? NaN));
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** Median, least and most. */
function spread(values: readonly number[], digits: number): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return `${middle(values).toFixed(digits)} (${least.toFixed(digits)}-${most.toFixed(digits)})`;
}

function say(name: string, figure: string, isMet: boolean): void {
  console.log(`${isMet ? 'ok  ' : 'MISS'} ${name.padEnd(26)} ${figure}`);
  if (!isMet) process.exitCode = 1;
}
