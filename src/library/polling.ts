import type { Reading } from '../core/event.ts';
import type { SeatId } from '../core/ids.ts';
import type { Poll } from '../core/poll.ts';
import { pausedUntil, polled } from '../core/poll.ts';
import { windowKey } from '../core/quota.ts';
import type { Result } from '../core/result.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { between, durationMs, MINUTE, SECOND } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import { whileAlone } from '../store/alone.ts';
import type { QuotaStore } from '../store/quota.ts';
import { childStarter } from '../system/child.ts';
import { getJson } from '../system/http.ts';
import type { QuotaAnswer } from '../workers/quota-answer.ts';
import { askQuota, canBeAsked } from '../workers/quota-probe.ts';
import { answerReadings } from '../workers/quota-readings.ts';
import { eventLine } from './event-json.ts';
import type { Host } from './host.ts';
import { ledgerOf } from './ledger.ts';
import { quotaOf, readingOf, SAMPLE_EVERY } from './quota.ts';
import type { Plan } from './plan.ts';
import { adapterOf } from './plan.ts';

/** What became of asking one seat. */
export type Polled = { readonly worker: Worker } & (
  | { readonly type: 'seen'; readonly readings: readonly Reading[] }
  /** No answer; `until`: whoever was asked does not want to be asked before. Nothing else follows from it. */
  | { readonly type: 'unknown'; readonly why: string; readonly until: EpochMs | undefined }
  /** It was not asked: it got no answer lately, and is left alone until then. */
  | { readonly type: 'paused'; readonly why: string; readonly until: EpochMs }
  /** It was asked less than the interval ago. */
  | { readonly type: 'recent' }
  /** Its CLI has no free way to say. */
  | { readonly type: 'cannot' }
);

type PollPlan = Pick<Plan, 'fleet' | 'adapters' | 'directory'>;

export interface PollOptions {
  /** Nobody is asked who was asked less than this ago; `undefined`: everybody is. */
  readonly every: DurationMs | undefined;
  /** How long to wait for another process that polls. */
  readonly waitAtMost: DurationMs;
  readonly signal: AbortSignal;
  /** Asks one worker; handed in by tests. */
  readonly ask?: (worker: Worker) => Promise<QuotaAnswer>;
}

/**
 * Asks every seat once how full its windows are, one after the other, while no other process does. What comes of it is
 * kept as readings, and its failures as pauses of its own: cooldowns and health never hear of either.
 */
export async function pollAll(
  host: Host,
  plan: PollPlan,
  options: PollOptions,
): Promise<Result<readonly Polled[], string>> {
  const { clock, stateHome } = host;
  const { waitAtMost, signal } = options;
  return whileAlone(`${stateHome}/quota-poll`, { clock, waitAtMost }, async () => {
    const store = quotaOf(host);
    const results: Polled[] = [];
    for (const worker of onePerSeat(plan)) {
      if (signal.aborted) break;
      results.push(await pollOne(host, plan, worker, store, options));
    }
    await store.saved();
    return results;
  });
}

/** Workers on one seat share its quota: of each seat one is asked, one that can be. */
function onePerSeat(plan: PollPlan): readonly Worker[] {
  const chosen = new Map<SeatId, Worker>();
  for (const worker of plan.fleet) {
    const before = chosen.get(worker.seat);
    const isBetter = before !== undefined && !canAsk(plan, before) && canAsk(plan, worker);
    if (before === undefined || isBetter) chosen.set(worker.seat, worker);
  }
  return [...chosen.values()];
}

function canAsk(plan: PollPlan, worker: Worker): boolean {
  return canBeAsked(adapterOf(plan, worker), worker);
}

async function pollOne(
  host: Host,
  plan: PollPlan,
  worker: Worker,
  store: QuotaStore,
  { every, signal, ask = asking(host, plan, signal) }: PollOptions,
): Promise<Polled> {
  if (!canAsk(plan, worker)) return { type: 'cannot', worker };
  const before = (await store.polls()).find(({ seat }) => seat === worker.seat);
  const now = host.clock.now();
  const until = pausedUntil(before, now, every === undefined);
  if (until !== undefined) return { type: 'paused', worker, why: before?.why ?? '', until };
  if (every !== undefined && wasAskedWithin(before, every, now)) return { type: 'recent', worker };
  const answer = await ask(worker);
  const answeredAt = host.clock.now();
  // Cut short by us: that says nothing of whoever was asked.
  if (signal.aborted && answer.type === 'unknown')
    return { type: 'unknown', worker, why: answer.why, until: undefined };
  if (answer.type === 'unknown') {
    const poll = polled(before, worker.seat, answer, answeredAt);
    await store.notePoll(poll);
    return { type: 'unknown', worker, why: answer.why, until: poll.notBefore };
  }
  const readings = answerReadings(worker, answer);
  await keep(host, store, readings, answeredAt);
  await store.notePoll(polled(before, worker.seat, undefined, answeredAt));
  return { type: 'seen', worker, readings };
}

/** Timers are not exact, and a poll takes a while: without some slack every second one would be left out. */
function wasAskedWithin(poll: Poll | undefined, every: DurationMs, now: EpochMs): boolean {
  return poll !== undefined && poll.at <= now && between(poll.at, now) < every - every / 10;
}

/** The ledger gets what differs from the last reading, and what is the same once in a quarter of an hour. */
async function keep(
  host: Host,
  store: QuotaStore,
  readings: readonly Reading[],
  now: EpochMs,
): Promise<void> {
  const known = new Map((await store.read()).map((reading) => [windowKey(reading), reading]));
  const ledger = ledgerOf(host);
  for (const event of readings) {
    const before = known.get(windowKey(event));
    const isSame = before?.usedPercent === event.usedPercent && before?.resetAt === event.resetAt;
    if (isSame && before !== undefined && between(before.observedAt, now) < SAMPLE_EVERY) continue;
    ledger.append(eventLine({ ...event, at: now }).trimEnd(), now);
  }
  ledger.close();
  store.note(readings.map((event) => readingOf(event, now)));
}

function asking(host: Host, plan: PollPlan, signal: AbortSignal): (worker: Worker) => Promise<QuotaAnswer> {
  const { clock, env, home } = host;
  // Whoever is asked is let go as soon as nobody wants to know any more.
  const impatient = {
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    sleep: (length: DurationMs, over?: AbortSignal) =>
      clock.sleep(length, over === undefined ? signal : AbortSignal.any([signal, over])),
  };
  const effects = { clock: impatient, env, home, startChild: childStarter(clock), getJson };
  return (worker) => askQuota(adapterOf(plan, worker), worker, plan.directory, effects);
}

const MOMENT = durationMs(2 * SECOND);

/** Polls every so long until `signal`: beside a run, which never waits for it and does not learn how it went. */
export async function pollEvery(
  host: Host,
  plan: PollPlan,
  every: DurationMs,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pollAll(host, plan, { every, waitAtMost: MOMENT, signal });
    await host.clock.sleep(every, signal);
  }
}

/** How long `quota poll` waits for another process that polls. */
export const POLL_WAIT = MINUTE;
