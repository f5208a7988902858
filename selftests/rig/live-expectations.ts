import { expect } from 'vitest';
import { durationMs, HOUR, SECOND } from '../../src/core/time.ts';
import type { LiveEvent, LiveFleet, LiveRun } from './live-fleet.ts';
import type { WorkerOptions } from './live-workers.ts';

export const TASK = 'Say hello to the crew.';
/** Claude Code waits for a closed window to open again. */
export const SLEEPS: WorkerOptions = { env: { CLAUDE_CODE_RETRY_WATCHDOG: '1' } };
/** Claude Code gives root every permission only where it is told that it is shut in. */
export const SHUT_IN: WorkerOptions = { env: { IS_SANDBOX: '1' } };
export const FULL = { args: ['--permissions', 'full'] };
export const hours = (count: number) => durationMs(count * HOUR);

export function eventsOf(run: LiveRun, type: string): readonly LiveEvent[] {
  return run.events.filter((event) => event.type === type);
}

export function instant(value: unknown): number {
  return Date.parse(String(value));
}

/** The reset that a lane's provider named in its last answer, which counts in whole seconds from then. */
export function resetNamed<Name extends string>(
  fleet: LiveFleet<Name>,
  name: Name,
  resetsIn: number,
): number {
  const last = fleet.upstream.calls(name).at(-1);
  if (last === undefined) throw new Error(`${name} was never asked`);
  return Math.floor(last.at / SECOND) * SECOND + resetsIn;
}

/** How far off the rest of a worker ends from `reset`, in milliseconds. */
export async function restMissesBy<Name extends string>(
  fleet: LiveFleet<Name>,
  worker: Name,
  reset: number,
): Promise<number> {
  const found = (await fleet.cooldowns()).filter((cooldown) => cooldown.worker === worker);
  expect(found).toMatchObject([{ kind: 'rate-limit' }]);
  return Math.abs(instant(found[0]?.until) - reset);
}

/** Nobody was ended, nobody rests, and nothing was taken for a refusal. */
export async function expectHealthy(fleet: LiveFleet<string>, run: LiveRun): Promise<void> {
  expect(run).toMatchObject({ exitCode: 0 });
  expect(eventsOf(run, 'signal')).toEqual([]);
  expect(eventsOf(run, 'attempt.ended')).toMatchObject([{ outcome: 'done', exitCode: 0 }]);
  expect(eventsOf(run, 'attempt.ended')[0]).not.toHaveProperty('killedBecause');
  expect(await fleet.cooldowns()).toEqual([]);
  expectClean(fleet);
}

/** Nothing that the run started is left, and nobody tried to leave this machine. */
export function expectClean(fleet: LiveFleet<string>): void {
  expect(fleet.alive()).toEqual([]);
  expect(fleet.upstream.strays).toEqual([]);
}
