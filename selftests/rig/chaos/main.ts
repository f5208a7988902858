// `npm run chaos`: every scenario at full size. Two processors and a minute are enough for all of them.
import { parseArgs } from 'node:util';
import { deadHolder } from './dead-holder.ts';
import { fullDisk } from './full-disk.ts';
import { killedAtStep, truncated } from './killed-at-step.ts';
import { killedWriters } from './killed-writers.ts';
import { oddLocks } from './odd-locks.ts';
import { pausedHolder } from './paused-holder.ts';
import type { Outcome, Stage } from './stage.ts';
import { openStage } from './stage.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string', default: '60' },
    only: { type: 'string' },
  },
});

type Scenario = readonly [name: string, run: (on: Stage) => Promise<Outcome>];

/**
 * What is played at once: each lane mostly waits, for locks, for the disk or for time to pass. They share nothing but
 * the machine, and each scenario has random numbers of its own.
 */
const LANES: readonly (readonly Scenario[])[] = [
  [['paused holder', (on) => pausedHolder(on, { pause: 15_000 })]],
  [['killed writers', (on) => killedWriters(on, { writers: 16, kills: 200 })]],
  [
    ['odd locks', (on) => oddLocks(on, { patience: 300 })],
    ['killed at each step', killedAtStep],
    ['full disk', fullDisk],
    ['truncated file', (on) => truncated(on, { every: 1 })],
    ['dead holder', (on) => deadHolder(on, { contenders: 16, rounds: 300 })],
  ],
];

const stage = await openStage(Number(values.seed));
const started = performance.now();
let broken = 0;

console.log(`chaos: seed ${values.seed}, at most ${values.seconds} s`);
const late = setTimeout(
  () => {
    console.log(`late: not done after ${values.seconds} s`);
    stage.close();
    process.exit(1);
  },
  Number(values.seconds) * 1_000,
);
await Promise.all(
  LANES.map(async (lane) => {
    for (const [name, run] of lane) if (values.only === undefined || values.only === name) await play(name, run);
  }),
);
clearTimeout(late);
stage.close();
console.log(
  `chaos: ${broken === 0 ? 'every promise kept' : `${String(broken)} broken`} in ${seconds(started)}`,
);
process.exitCode = broken === 0 ? 0 : 1;

async function play(name: string, run: Scenario[1]): Promise<void> {
  const begun = performance.now();
  const { figures, breaches } = await run(stage.forScenario(name));
  const text = Object.entries(figures)
    .map(([figure, value]) => `${figure} ${String(value)}`)
    .join(', ');
  console.log(`${breaches.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(20)} ${text} (${seconds(begun)})`);
  for (const breach of breaches.slice(0, 5)) console.log(`       ${breach}`);
  broken += breaches.length;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}
