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
  },
});

const SCENARIOS: readonly (readonly [name: string, run: (stage: Stage) => Promise<Outcome>])[] = [
  ['killed writers', (stage) => killedWriters(stage, { writers: 16, kills: 200 })],
  ['dead holder', (stage) => deadHolder(stage, { contenders: 16, rounds: 300 })],
  ['odd locks', (stage) => oddLocks(stage, { patience: 300 })],
  ['killed at each step', killedAtStep],
  ['full disk', fullDisk],
  ['truncated file', (stage) => truncated(stage, { every: 1 })],
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
// It mostly waits, so it plays beside all the others.
const paused = play('paused holder', (on) => pausedHolder(on, { pause: 15_000 }));
for (const [name, run] of SCENARIOS) await play(name, run);
await paused;
clearTimeout(late);
stage.close();
console.log(
  `chaos: ${broken === 0 ? 'every promise kept' : `${String(broken)} broken`} in ${seconds(started)}`,
);
process.exitCode = broken === 0 ? 0 : 1;

async function play(name: string, run: (stage: Stage) => Promise<Outcome>): Promise<void> {
  const begun = performance.now();
  const { figures, breaches } = await run(stage);
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
