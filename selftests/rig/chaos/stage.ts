import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Order, Report } from './messages.ts';

/** What a scenario found. Any breach is a broken promise. */
export interface Outcome {
  readonly figures: Readonly<Record<string, number | string>>;
  readonly breaches: readonly string[];
}

/** Where scenarios play: a folder, real child processes, and the random numbers of one seed. */
export interface Stage {
  readonly folder: string;
  /** The next random number in [0, 1). */
  readonly random: () => number;
  start(order?: Order): Actor;
  /** The same stage with random numbers of its own, so that scenarios that play at once leave each other's alone. */
  forScenario(name: string): Stage;
  close(): void;
}

/** One child process of a scenario. */
export interface Actor {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly reports: readonly Report[];
  tell(order: Order): void;
  /** The next report of a type, or one that has come already and nobody has waited for; rejects when the process is gone. */
  hears<Type extends Report['type']>(type: Type): Promise<Extract<Report, { type: Type }>>;
  kill(): Promise<void>;
}

export async function openStage(seed: number): Promise<Stage> {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'secondwind-chaos-'));
  const program = join(folder, 'child.cjs');
  await build({
    entryPoints: [join(sourceFolder(), 'child.ts')],
    outfile: program,
    bundle: true,
    // CommonJS starts sooner than a module, and hundreds of these are started.
    format: 'cjs',
    platform: 'node',
    minify: true,
    logLevel: 'warning',
  });
  const actors = new Set<Actor>();
  const withSeed = (own: number): Stage => ({
    folder,
    random: randomFrom(own),
    forScenario: (name) => withSeed(own ^ hashOf(name)),
    start(order) {
      const actor = startActor(program, order);
      actors.add(actor);
      actor.process.once('exit', () => actors.delete(actor));
      return actor;
    },
    close() {
      for (const actor of actors) actor.process.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  });
  return withSeed(seed);
}

/** The script that bundles a scenario away from its folder says where that is. */
export function sourceFolder(): string {
  return process.env['CHAOS_SOURCE'] ?? import.meta.dirname;
}

/** A folder of its own for one scenario. */
export function roomFor(stage: Stage, name: string): string {
  const room = join(stage.folder, name);
  mkdirSync(room);
  return room;
}

/** Certificates that the environment names are read at each start, for a third of its time; these processes need none. */
const SLIM: NodeJS.ProcessEnv = { ...process.env, NODE_EXTRA_CA_CERTS: undefined };

function startActor(program: string, order: Order | undefined): Actor {
  const child = fork(program, order === undefined ? [] : [JSON.stringify(order)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: SLIM,
  });
  const reports: Report[] = [];
  const heard = new Map<string, number>();
  let [isGone, news, announce] = newsFlash();
  const wake = (): void => {
    announce();
    [, news, announce] = newsFlash();
  };
  child.on('message', (report: Report) => {
    reports.push(report);
    wake();
  });
  child.once('exit', () => {
    isGone = true;
    wake();
  });
  return {
    process: child,
    pid: child.pid ?? 0,
    reports,
    tell: (next) => child.send(next),
    async hears(type) {
      const wanted = heard.get(type) ?? 0;
      heard.set(type, wanted + 1);
      for (;;) {
        const found = reports.filter((report) => report.type === type)[wanted];
        if (found !== undefined) return found as never;
        if (isGone) throw new Error(`a child ended before it said '${type}'`);
        await news;
      }
    },
    async kill() {
      child.kill('SIGKILL');
      while (!isGone) await news;
    },
  };
}

/** Something to wait for, and what ends the wait. */
function newsFlash(): [isGone: boolean, news: Promise<void>, announce: () => void] {
  let announce = (): void => undefined;
  const news = new Promise<void>((resolve) => {
    announce = resolve;
  });
  return [false, news, announce];
}

/** mulberry32: small, fast, and the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** FNV-1a: a number for a name. */
function hashOf(name: string): number {
  return Buffer.from(name).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), 0x811c9dc5);
}

/** How many pairs of neighbours held at once. */
export function overlaps(held: readonly { readonly entered: number; readonly left: number }[]): number {
  const inOrder = [...held].sort((a, b) => a.entered - b.entered);
  let [count, latest] = [0, -Infinity];
  for (const { entered, left } of inOrder) {
    if (entered < latest) count += 1;
    latest = Math.max(latest, left);
  }
  return count;
}

/** The state letter of a process: `T` when it is stopped, `Z` when only its parent has not looked yet. */
export function stateOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2)[0];
  } catch {
    return undefined;
  }
}

/** Whether it is so before the time is up. */
export async function happens(isSo: () => boolean, within: number): Promise<boolean> {
  const deadline = performance.now() + within;
  while (!isSo()) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return true;
}

export async function until(isSo: () => boolean, within: number, what: string): Promise<void> {
  if (!(await happens(isSo, within))) throw new Error(`waited ${String(within)} ms in vain for ${what}`);
}

export const nanoseconds = (): number => Number(process.hrtime.bigint());
