import type { Event } from '../core/event.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { after, between, durationMs, SECOND } from '../core/time.ts';
import type { KnownWorker, Worker } from '../core/worker.ts';
import type { Clock } from '../system/clock.ts';
import type { Session } from './session.ts';

export interface WaitingEffects {
  readonly clock: Clock;
  /** 0 to 1, like `Math.random`. */
  readonly random: () => number;
  readonly abort: AbortSignal;
  readonly emit: (event: Event) => void;
}

const FIRST_HOLD = durationMs(500);
const LONGEST_HOLD = durationMs(30_000);

/** Exponential from 0.5 s to 30 s, and of each the upper half at random, so that waiting runs do not come back as one. */
export function holdDelay(holdCount: number, random: number): DurationMs {
  const full = Math.min(FIRST_HOLD * 2 ** holdCount, LONGEST_HOLD);
  return durationMs(Math.round(full / 2 + (full / 2) * random));
}

/**
 * Gives a busy provider time, within what is left of the session's budget. False when it would not fit: nothing is
 * waited for then.
 */
export async function hold(
  session: Session,
  worker: Worker,
  { notBefore, holdMs }: { readonly notBefore: EpochMs | undefined; readonly holdMs: DurationMs },
  { clock, random, abort, emit }: WaitingEffects,
): Promise<boolean> {
  const named = notBefore === undefined ? 0 : between(clock.now(), notBefore);
  const delayMs = durationMs(Math.max(holdDelay(session.holdCount, random()), named));
  if (session.heldMs + delayMs > holdMs) return false;
  emit({ type: 'hold.started', worker: worker.id, delayMs, holdCount: session.holdCount + 1 });
  session.enter('holding', after(clock.now(), delayMs));
  const since = clock.monotonic();
  await clock.sleep(delayMs, abort);
  session.held(durationMs(clock.monotonic() - since), true);
  session.enter('running');
  emit({ type: 'hold.ended', worker: worker.id, heldMs: session.heldMs });
  return true;
}

/** How often a waiting run looks whether somebody cleared what it waits for. */
const LOOK_EVERY = SECOND;
/** Waiting runs start spread over so long after a reset. */
const SPREAD = durationMs(5_000);

/**
 * Waits until `at` and a little more, or until `isBack` says that somebody may run already. False when what is left of
 * the session's budget ends first, or would: then nothing is waited for. The budget runs on the monotonic clock; the reset is an instant of
 * the wall clock, so a laptop that slept over it wakes to the right thing.
 */
export async function waitFor(
  session: Session,
  { worker, at }: { readonly worker: KnownWorker; readonly at: EpochMs },
  maxWaitMs: DurationMs | undefined,
  isBack: () => Promise<boolean>,
  { clock, random, abort, emit }: WaitingEffects,
): Promise<boolean> {
  const budget = maxWaitMs === undefined ? Infinity : maxWaitMs - session.waitedMs;
  const spare = budget - (at - clock.now());
  if (spare < 0) return false;
  const until = (at + Math.round(Math.min(SPREAD * random(), spare))) as EpochMs;
  emit({ type: 'wait.started', worker: worker.id, until });
  session.enter('waiting', until);
  const since = clock.monotonic();
  const waited = (): DurationMs => durationMs(clock.monotonic() - since);
  let back = false;
  while (!back && !abort.aborted && waited() < budget) {
    const left = until - clock.now();
    if (left > 0) await clock.sleep(durationMs(Math.min(LOOK_EVERY, left, budget - waited())), abort);
    // From the reset on it is back for every waiting run: only the spread keeps them from starting as one.
    back = clock.now() >= until || (clock.now() < at && (await isBack()));
  }
  session.waited(waited());
  session.enter('running');
  emit({ type: 'wait.ended', waitedMs: waited() });
  return back;
}

/** How often a run that waits for a place on a busy seat looks for one. */
const LOOK_FOR_PLACE = durationMs(250);

/** Waits until `isFree`. False when what is left of the session's budget ends first. */
export async function waitForPlace(
  session: Session,
  worker: KnownWorker,
  maxWaitMs: DurationMs | undefined,
  isFree: () => Promise<boolean>,
  { clock, abort, emit }: WaitingEffects,
): Promise<boolean> {
  const budget = maxWaitMs === undefined ? Infinity : maxWaitMs - session.waitedMs;
  emit({ type: 'wait.started', worker: worker.id, until: undefined });
  session.enter('waiting');
  const since = clock.monotonic();
  const waited = (): DurationMs => durationMs(clock.monotonic() - since);
  let free = false;
  while (!free && !abort.aborted && waited() < budget) {
    await clock.sleep(durationMs(Math.min(LOOK_FOR_PLACE, budget - waited())), abort);
    free = await isFree();
  }
  session.waited(waited());
  session.enter('running');
  emit({ type: 'wait.ended', waitedMs: waited() });
  return free;
}
