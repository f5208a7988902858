import type { Event, Reading } from '../core/event.ts';
import type { QuotaReading } from '../core/quota.ts';
import { windowKey } from '../core/quota.ts';
import type { EpochMs } from '../core/time.ts';
import { durationMs, MINUTE } from '../core/time.ts';
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
