import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { Scenario } from '../../src/upstream/scenario.ts';
import type { Upstream } from '../../src/upstream/upstream.ts';
import { startUpstream } from '../../src/upstream/upstream.ts';
import type { FoundProcess } from './live-processes.ts';
import { killAll, processesWith } from './live-processes.ts';
import type { WorkerConfig, WorkerOptions } from './live-workers.ts';
import { privateEnvironment } from '../../src/selftest/live/environment.ts';
import { STARTS_FILE } from '../../src/selftest/live/launcher.ts';
import { liveWorker } from './live-workers.ts';

/** Real CLIs as workers, an upstream that plays a scenario for each, and a private home for all of it. */
export interface LiveFleet<Name extends string> {
  readonly upstream: Upstream<Name>;
  readonly workers: Readonly<Record<Name, WorkerConfig>>;
  /** `secondwind run --json ARGS… TASK` in the work tree, to its end. */
  run(task: string, options?: RunOptions): Promise<LiveRun>;
  /** `secondwind ARGS…` in the work tree, to its end. */
  product(args: readonly string[]): Promise<LiveRun>;
  /** Where its state lies. */
  readonly state: string;
  /** Where its agents work. */
  readonly worktree: string;
  /** What `secondwind cooldown list --json` says. */
  cooldowns(): Promise<readonly Cooldown[]>;
  /** A worker's CLI alone, as the product would start it, without the product. */
  bare(name: Name, args: readonly string[], until?: RegExp): Promise<LiveRun>;
  /** How often a worker's CLI was started, as its own launcher notes it. */
  starts(name: Name): number;
  /** Which processes of a worker are alive, or of everybody. */
  alive(name?: Name): readonly FoundProcess[];
}

export interface RunOptions {
  readonly args?: readonly string[];
  readonly zone?: string;
  /** Called at each event as it arrives, while the run goes on. */
  readonly onEvent?: (event: LiveEvent) => void;
}

/** A program that was run to its end. */
export interface LiveRun {
  readonly exitCode: number | null;
  readonly ms: number;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout line by line where it is JSON, in order, each with the time at which it arrived here. */
  readonly events: readonly LiveEvent[];
}

export interface LiveEvent {
  readonly type: string;
  readonly arrivedAt: number;
  readonly [field: string]: unknown;
}

export interface Cooldown {
  readonly worker: string;
  readonly model: string | null;
  readonly kind: string;
  readonly until: string | null;
  readonly source: string;
}

const PRODUCT = join(import.meta.dirname, '..', '..', 'bin', 'secondwind.js');

/** The names of the scenarios become the workers, in their order. */
export async function aFleet<Name extends string>(
  scenarios: Readonly<Record<Name, Scenario>>,
  options?: Readonly<Partial<Record<Name, WorkerOptions>>>,
): Promise<LiveFleet<Name>> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'secondwind-live-')));
  const [home, state, worktree, tmp] = ['home', 'state', 'worktree', 'tmp'].map((name) =>
    join(root, name),
  ) as [string, string, string, string];
  for (const folder of [home, state, worktree, tmp]) mkdirSync(folder, { mode: 0o700 });
  const started = await startUpstream({ scenarios });
  if (!started.ok) throw new Error(started.error);
  const upstream = started.value;
  onTestFinished(async () => {
    killAll(processesWith(root));
    await upstream.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });

  const names = Object.keys(scenarios) as Name[];
  const workers = Object.fromEntries(
    names.map((name) => {
      const wiring = {
        url: upstream.url(name),
        folder: root,
        ...(options?.[name] && { options: options[name] }),
      };
      return [name, liveWorker(name, scenarios[name].wire, wiring)];
    }),
  ) as Record<Name, WorkerConfig>;
  writeFileSync(join(state, 'config.json'), JSON.stringify({ workers: names.map((name) => workers[name]) }));

  /** Everything a child knows of this machine. Whoever wants out of it is led to the upstream's proxy, and noted there. */
  const environment = (zone: string): Record<string, string> =>
    privateEnvironment({ path: process.env['PATH'] ?? '', home, tmp, zone, proxy: upstream.proxy });
  const product = (args: readonly string[], { zone = 'UTC', onEvent }: RunOptions = {}): Promise<LiveRun> =>
    runToEnd([process.execPath, PRODUCT, ...args], {
      cwd: worktree,
      env: { ...environment(zone), SECONDWIND_HOME: state },
      ...(onEvent && { onEvent }),
    });

  return {
    ...{ upstream, workers, product, state, worktree },
    run: (task, options = {}) => product(['run', '--json', ...(options.args ?? []), task], options),
    async cooldowns() {
      const listed = await product(['cooldown', 'list', '--json']);
      return JSON.parse(listed.stdout) as Cooldown[];
    },
    bare: (name, args, until) =>
      runToEnd([...workers[name].command, ...args, ...workers[name].args], {
        cwd: worktree,
        env: { ...environment('UTC'), ...workers[name].env },
        ...(until && { until }),
      }),
    starts(name) {
      const noted = join(root, name, STARTS_FILE);
      return existsSync(noted) ? readFileSync(noted, 'utf8').length : 0;
    },
    alive: (name) => processesWith(name === undefined ? root : join(root, name)),
  };
}

/** Runs a program to its end, or until it printed a line that matches `until`: its whole group is then killed. */
function runToEnd(
  [program, ...args]: readonly string[],
  {
    cwd,
    env,
    until,
    onEvent,
  }: {
    cwd: string;
    env: Readonly<Record<string, string>>;
    until?: RegExp;
    onEvent?: (event: LiveEvent) => void;
  },
): Promise<LiveRun> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(program ?? '', args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const printed = { stdout: [] as string[], stderr: [] as string[] };
    const events: LiveEvent[] = [];
    for (const channel of ['stdout', 'stderr'] as const) {
      createInterface({ input: child[channel], crlfDelay: Infinity }).on('line', (line) => {
        printed[channel].push(line);
        if (channel === 'stdout' && line.startsWith('{')) {
          const event = { ...(JSON.parse(line) as LiveEvent), arrivedAt: Date.now() };
          events.push(event);
          onEvent?.(event);
        }
        if (until?.test(line) === true && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      });
    }
    child.on('error', reject);
    child.on('close', (exitCode) => {
      const [stdout, stderr] = [printed.stdout.join('\n'), printed.stderr.join('\n')];
      resolve({ exitCode, ms: performance.now() - start, stdout, stderr, events });
    });
  });
}
