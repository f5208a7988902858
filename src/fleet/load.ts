import type { Cooldown } from '../core/cooldown.ts';
import type { SeatId } from '../core/ids.ts';
import type { EpochMs } from '../core/time.ts';
import { after, durationMs, MINUTE } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import { rests } from './gate.ts';

/** What runs on a seat now, of all secondwinds of this home. */
export interface SeatLoad {
  readonly running: number;
  /** Of these, how many the provider has let begin their work. */
  readonly proven: number;
}

export type Loads = ReadonlyMap<SeatId, SeatLoad>;

const IDLE: SeatLoad = { running: 0, proven: 0 };

/** For how long after its reset a window counts as just opened. */
const JUST_OPENED = durationMs(10 * MINUTE);

function loadOf({ seat }: Worker, loads: Loads): SeatLoad {
  return loads.get(seat) ?? IDLE;
}

/**
 * Why a worker's seat takes no attempt more at this moment; `undefined` when it does. Besides the user's own limit there
 * is one on a window that has just opened: only one attempt goes ahead to see whether it is really open, then as many
 * more as have been let in, so that a night's waiting runs do not all hit it as one. `model` is the one asked for on the
 * command line, which wins over the worker's own.
 */
export function whyFull(
  worker: Worker,
  loads: Loads,
  cooldowns: readonly Cooldown[],
  now: EpochMs,
  model?: string,
): string | undefined {
  const { running, proven } = loadOf(worker, loads);
  const limit = worker.maxConcurrent;
  if (limit !== undefined && running >= limit)
    return `its seat runs ${String(running)} of ${String(limit)} attempts at once (maxConcurrent)`;
  const isAhead = running - proven >= Math.max(1, proven);
  if (isAhead && hasJustOpened(worker, cooldowns, now, model))
    return 'its window has just opened, and others are seeing whether it lets them in';
  return undefined;
}

/** Whether a place on the worker's seat has to be asked for: there may be fewer of them than of those who want one. */
export function isLimited(
  worker: Worker,
  cooldowns: readonly Cooldown[],
  now: EpochMs,
  model?: string,
): boolean {
  return worker.maxConcurrent !== undefined || hasJustOpened(worker, cooldowns, now, model);
}

function hasJustOpened(
  worker: Worker,
  cooldowns: readonly Cooldown[],
  now: EpochMs,
  model: string | undefined,
): boolean {
  return cooldowns.some(
    (cooldown) =>
      cooldown.kind === 'rate-limit' &&
      cooldown.until !== undefined &&
      cooldown.until <= now &&
      after(cooldown.until, JUST_OPENED) > now &&
      rests(cooldown, worker, model ?? worker.model),
  );
}

/** The least loaded seats first; otherwise as they were. */
export function byLoad(workers: readonly Worker[], loads: Loads): readonly Worker[] {
  return workers.toSorted((a, b) => loadOf(a, loads).running - loadOf(b, loads).running);
}
