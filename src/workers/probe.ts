import type { Line } from '../core/line.ts';
import type { DurationMs } from '../core/time.ts';
import { durationMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { StartChild } from '../system/child.ts';
import type { Clock } from '../system/clock.ts';
import type { Variables } from '../system/environment.ts';
import type { Adapter } from './adapter.ts';
import { childEnvironment, expandHome } from './child-environment.ts';

export interface ProbeEffects {
  readonly startChild: StartChild;
  readonly clock: Clock;
  readonly env: Variables;
  readonly home: string;
}

/** Gemini CLI 0.61 takes 1.8 s to say its version on an idle machine. */
const LONGEST_START: DurationMs = durationMs(10_000);

/** Whether a worker's program can be started at all: it says its version, offline, within ten seconds. */
export async function canStart(
  adapter: Adapter,
  worker: Worker,
  directory: string,
  { startChild, clock, env, home }: ProbeEffects,
): Promise<boolean> {
  const [named, ...leading] = worker.command ?? [adapter.program];
  const program = expandHome(named, home);
  const started = await startChild({
    ...{ program, args: [...leading, '--version'], cwd: directory, stdin: undefined },
    env: childEnvironment(env, {}, worker.env, home),
  });
  if (!started.ok) return false;
  const child = started.value;
  const over = new AbortController();
  void clock.sleep(LONGEST_START, over.signal).then(() => child.end());
  // What it says does not matter, but a full pipe would keep it from ending.
  await drain(child.lines);
  over.abort();
  return (await child.exited).code === 0;
}

async function drain(lines: AsyncIterable<Line>): Promise<void> {
  const iterator = lines[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}
