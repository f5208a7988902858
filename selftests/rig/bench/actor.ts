// What is measured from within: one process reads a child to its end, as an empty loop does or as an attempt does.
import { spawn } from 'node:child_process';
import { durationMs } from '../../../src/core/time.ts';
import { childStarter } from '../../../src/system/child.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { attempt } from '../../../src/workers/attempt.ts';
import type { EndedAttempt } from '../../../src/workers/attempt.ts';
import { loadAdapter } from '../../../src/workers/registry.ts';
import { aWorker } from '../builders.ts';

/** What an actor says on its last line. */
export interface Said {
  readonly ms: number;
  readonly cpuMs: number;
  /** Of `ours`: what the attempt came to, and how many events it told. */
  readonly outcome?: string;
  readonly events?: number;
  /** When the attempt was over, in milliseconds since the epoch. */
  readonly over?: number;
}

const [how, adapter = '', script = ''] = process.argv.slice(2);
const [started, used] = [performance.now(), process.cpuUsage()];
const result = how === 'empty' ? await emptyLoop() : await ours();
const { user, system } = process.cpuUsage(used);
const said: Said = { ms: performance.now() - started, cpuMs: (user + system) / 1_000, ...result };
process.stdout.write(`${JSON.stringify(said)}\n`);

/** An empty loop over what a child prints: no faster than it is taken, and nothing is done with it. */
async function emptyLoop(): Promise<object> {
  const child = spawn(script, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const ended = new Promise((resolve) => child.once('close', resolve));
  child.stderr.resume();
  let bytes = 0;
  for await (const chunk of child.stdout as AsyncIterable<Buffer>) bytes += chunk.length;
  await ended;
  return { bytes };
}

async function ours(): Promise<object> {
  let events = 0;
  const { ending } = await attemptOn(() => {
    events += 1;
  });
  const outcome = ending.type === 'refused' ? ending.signal.kind : ending.type;
  return { outcome, events, over: performance.timeOrigin + performance.now() };
}

async function attemptOn(emit: () => void): Promise<EndedAttempt> {
  const order = {
    ...{ adapter: await loadAdapter(adapter), worker: aWorker({ adapter, command: [script] }) },
    assignment: {
      ...{ prompt: 'x', permissions: 'edit' as const, model: undefined, extraArgs: [], resume: undefined },
    },
    ...{ directory: process.cwd(), lastResort: false, idleMs: undefined },
    patience: { patienceMs: durationMs(60_000), holdMs: durationMs(60_000) },
    ...{ abort: new AbortController().signal, onProgress: () => undefined },
  };
  const effects = {
    ...{ startChild: childStarter(systemClock), clock: systemClock, env: { PATH: process.env['PATH'] } },
    ...{ home: '/nonexistent', zone: 'UTC', newestReading: () => undefined },
  };
  return attempt(order, effects, emit);
}
