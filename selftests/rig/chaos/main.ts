// `npm run chaos`: the scenarios of the shared state at full size, for which two processors and a minute are enough; with
// `--all` also those that take minutes.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { deadHolder } from './dead-holder.ts';
import { fullDisk } from './full-disk.ts';
import { killedAtStep, truncated } from './killed-at-step.ts';
import { killedSecondwinds } from './killed-secondwinds.ts';
import { killedWriters } from './killed-writers.ts';
import { oddLocks } from './odd-locks.ts';
import { pausedHolder } from './paused-holder.ts';
import type { Outcome, Stage } from './stage.ts';
import { openStage } from './stage.ts';

type Scenario = readonly [name: string, run: (on: Stage) => Promise<Outcome>];

/**
 * What plays at once, for it mostly waits: for locks, for the disk, for time to pass. Each lane is a process with a
 * folder of its own, as starting a child stops its parent for a while, and each scenario has random numbers of its own.
 */
const LANES: readonly (readonly Scenario[])[] = [
  [['paused holder', (on) => pausedHolder(on, { pause: 15_000 })]],
  [['killed secondwinds', (on) => killedSecondwinds(on, { kills: 100, sessions: 25 })]],
  [['dead holder', (on) => deadHolder(on, { contenders: 16, rounds: 300 })]],
  [
    ['killed writers', (on) => killedWriters(on, { writers: 16, kills: 200 })],
    ['odd locks', (on) => oddLocks(on, { patience: 300 })],
    ['killed at each step', killedAtStep],
    ['full disk', fullDisk],
    ['truncated file', (on) => truncated(on, { every: 1 })],
  ],
];

/** They start the whole product again and again, and take minutes: played when they are named, or with `--all`. */
const LONG: readonly string[] = ['killed secondwinds'];

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    seconds: { type: 'string' },
    all: { type: 'boolean', default: false },
    /** The name of the one scenario to play. */
    only: { type: 'string' },
    lane: { type: 'string' },
  },
});
const isWanted = ([name]: Scenario): boolean =>
  values.only === undefined ? values.all || !LONG.includes(name) : values.only === name;
const limit = Number(values.seconds ?? (values.all || LONG.includes(values.only ?? '') ? 300 : 60));
await (values.lane === undefined ? playAll() : playLane(LANES[Number(values.lane)] ?? []));

async function playAll(): Promise<void> {
  const started = performance.now();
  console.log(`chaos: seed ${values.seed}, at most ${String(limit)} s`);
  const lanes = LANES.flatMap((lane, n) => (lane.some(isWanted) ? [startLane(n)] : []));
  const late = setTimeout(() => {
    console.log(`late: not done after ${String(limit)} s`);
    for (const lane of lanes) lane.kill('SIGTERM');
  }, limit * 1_000);
  const codes = await Promise.all(
    lanes.map(async (lane) => {
      const [code, signal] = (await once(lane, 'exit')) as [number | null, NodeJS.Signals | null];
      if (signal !== null) console.log(`a lane was ended by ${signal}`);
      return code;
    }),
  );
  clearTimeout(late);
  const isKept = lanes.length > 0 && codes.every((code) => code === 0);
  console.log(`chaos: ${isKept ? 'every promise kept' : 'broken'} in ${seconds(started)}`);
  process.exitCode = isKept ? 0 : 1;
}

function startLane(n: number) {
  const which = values.only === undefined ? (values.all ? ['--all'] : []) : ['--only', values.only];
  return fork(fileURLToPath(import.meta.url), ['--lane', String(n), '--seed', values.seed, ...which]);
}

async function playLane(lane: readonly Scenario[]): Promise<void> {
  const stage = await openStage(Number(values.seed));
  const stop = (): void => {
    stage.close();
    process.exit(1);
  };
  process.once('SIGTERM', stop);
  process.once('disconnect', stop);
  for (const [name, run] of lane.filter(isWanted)) await play(name, run, stage.forScenario(name));
  process.off('disconnect', stop);
  stage.close();
  process.disconnect();
}

async function play(name: string, run: Scenario[1], stage: Stage): Promise<void> {
  const begun = performance.now();
  const { figures, breaches } = await run(stage);
  const text = Object.entries(figures)
    .map(([figure, value]) => `${figure} ${String(value)}`)
    .join(', ');
  console.log(`${breaches.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(20)} ${text} (${seconds(begun)})`);
  for (const breach of breaches.slice(0, 5)) console.log(`       ${breach}`);
  if (breaches.length > 0) process.exitCode = 1;
}

function seconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}
