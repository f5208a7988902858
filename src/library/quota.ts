import type { AttemptStarted, Event, Reading } from '../core/event.ts';
import type { QuotaReading } from '../core/quota.ts';
import { isFull, modelOf, windowKey } from '../core/quota.ts';
import type { EpochMs } from '../core/time.ts';
import { durationMs, MINUTE } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import { isSameModel } from '../fleet/gate.ts';
import type { QuotaStore } from '../store/quota.ts';
import { openQuota } from '../store/quota.ts';
import type { Host } from './host.ts';
import { stateTeller } from './host.ts';

/** What is known of quota windows in this home; what is wrong with its file is said once, and stops nothing. */
export function quotaOf(host: Pick<Host, 'stateHome' | 'clock' | 'report'>): QuotaStore {
  return openQuota({
    ...{ home: host.stateHome, clock: host.clock },
    report: stateTeller(host),
  });
}

/** The reading that an event tells of. */
export function readingOf(event: Reading, now: EpochMs): QuotaReading {
  const { seat, window, usedPercent, resetAt, source, observedAt } = event;
  return { seat, window, usedPercent, resetAt, source, observedAt: observedAt ?? now };
}

/** Keeps what a session's events tell of quotas: how full windows are, and, where work went through, that they are not full. */
export function quotaNoter(
  quota: Pick<QuotaStore, 'note' | 'read'>,
  fleet: readonly Worker[],
): (event: Event, at: EpochMs) => void {
  let began: { readonly with: AttemptStarted; readonly at: EpochMs } | undefined;
  return (event, at) => {
    if (event.type === 'reading') quota.note([readingOf(event, at)]);
    if (event.type === 'attempt.started') began = { with: event, at };
    if (event.type !== 'attempt.ended' || event.outcome !== 'done' || began === undefined) return;
    const worker = fleet.find(({ id }) => id === event.worker);
    // Whatever is billed per use goes through beside the windows of a plan.
    if (worker === undefined || worker.billing === 'api') return;
    const passed = { seat: worker.seat, model: began.with.model, startedAt: began.at };
    void quota.read().then((known) => {
      quota.note(disproved(known, passed));
    });
  };
}

/** In place of readings that a run, which began after them and went through, shows to be over: the same windows with room. */
function disproved(
  known: readonly QuotaReading[],
  {
    seat,
    model,
    startedAt,
  }: { readonly seat: Worker['seat']; readonly model: string | undefined; readonly startedAt: EpochMs },
): readonly QuotaReading[] {
  return known
    .filter((one) => one.seat === seat && one.observedAt <= startedAt && isFull(one))
    .filter(({ window }) => {
      const limited = modelOf(window);
      return limited === undefined || (model !== undefined && isSameModel(limited, model));
    })
    .map((one) => ({
      ...one,
      ...{ usedPercent: undefined, resetAt: undefined, source: 'run', observedAt: startedAt },
    }));
}

/** The same is written down again after so long: it says that the window was seen, and not that nobody looked. */
export const SAMPLE_EVERY = durationMs(15 * MINUTE);

/** Whether an event belongs into the ledger: of readings, those that say something else than the last. */
export function sampler(clock: Pick<Host['clock'], 'now'>): (event: Event) => boolean {
  const last = new Map<string, { readonly said: string; readonly at: EpochMs }>();
  return (event) => {
    if (event.type !== 'reading') return true;
    const { usedPercent, resetAt, warning } = event;
    const said = JSON.stringify([usedPercent, resetAt, warning]);
    const before = last.get(windowKey(event));
    const now = clock.now();
    if (before?.said === said && now - before.at < SAMPLE_EVERY) return false;
    last.set(windowKey(event), { said, at: now });
    return true;
  };
}
