import type { EpochMs } from '../core/time.ts';
import { between, formatDuration, toIso } from '../core/time.ts';
import type { Standing } from '../fleet/standing.ts';
import { formatInstant, harmless } from './format.ts';
import { KIND_WORDS } from './kind-words.ts';

/** What a worker's standing is called: the same words in `workers`, `status`, `explain`, `doctor` and their JSON. */
export type State =
  'ready' | 'last-resort' | 'resting' | 'unhealthy' | 'busy' | 'missing' | 'reserve' | 'spent';

export function stateOf(standing: Standing): State {
  if (standing.type === 'skipped') return standing.why.because;
  return standing.lastResort ? 'last-resort' : 'ready';
}

/** `until 23:16`, `until cleared`, or nothing where time is not what ends it. */
export function untilWords(standing: Standing, now: EpochMs, zone: string): string {
  if (standing.type === 'candidate') return '';
  const { until, because } = standing.why;
  if (until !== undefined) return formatInstant(until, now, zone);
  return because === 'resting' ? 'until cleared' : '';
}

/** `1h 59m`. */
export function leftWords(standing: Standing, now: EpochMs): string {
  if (standing.type === 'candidate' || standing.why.until === undefined) return '';
  return formatDuration(between(now, standing.why.until));
}

/** Why it is not asked, or what is to be known of one that is. */
export function whyWords(standing: Standing): string {
  if (standing.type === 'candidate')
    return standing.lastResort ? 'it has been failing, and so has everybody else' : '';
  const { kind, reason, because } = standing.why;
  const said = harmless(reason);
  if (because === 'missing' || because === 'unhealthy' || kind === undefined || KIND_WORDS[kind] === said)
    return said;
  return `${KIND_WORDS[kind]} (${said})`;
}

/** One worker as JSON: stable, and documented in the README. */
export function standingJson(standing: Standing, now: EpochMs): Record<string, unknown> {
  const { worker } = standing;
  const { id, adapter, seat, model, billing } = worker;
  const why = standing.type === 'skipped' ? standing.why : undefined;
  return {
    ...{ worker: id, adapter, seat, model: model ?? null, billing: billing ?? null },
    state: stateOf(standing),
    place: standing.type === 'candidate' ? standing.place : null,
    ...{ kind: why?.kind ?? null, reason: why?.reason ?? null },
    until: why?.until === undefined ? null : toIso(why.until),
    remainingMs: why?.until === undefined ? null : between(now, why.until),
  };
}
