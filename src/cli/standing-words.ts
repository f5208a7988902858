import { describeHealth } from '../core/health.ts';
import type { EpochMs } from '../core/time.ts';
import { between, formatDuration, toIso } from '../core/time.ts';
import type { Skipped } from '../fleet/order.ts';
import type { Standing } from '../fleet/standing.ts';
import { harmlessLine } from '../core/harmless.ts';
import { formatInstant } from './format.ts';
import { restWords } from './kind-words.ts';

/** What a worker's standing is called: the same words in `workers`, `status`, `explain`, `doctor` and their JSON. */
export type State =
  'ready' | 'last-resort' | 'resting' | 'unhealthy' | 'busy' | 'missing' | 'reserve' | 'spent';

export function stateOf(standing: Standing): State {
  if (standing.type === 'skipped') return standing.why.because;
  if (standing.lastResort) return 'last-resort';
  return standing.trouble === undefined ? 'ready' : 'unhealthy';
}

/** When what is said of it is over by itself. */
export function untilOf(standing: Standing): EpochMs | undefined {
  return standing.type === 'skipped' ? standing.why.until : standing.trouble?.until;
}

/** `23:16`, `until cleared`, or nothing where time is not what ends it. */
export function untilWords(standing: Standing, now: EpochMs, zone: string): string {
  const until = untilOf(standing);
  if (until !== undefined) return formatInstant(until, now, zone);
  return stateOf(standing) === 'resting' ? 'until cleared' : '';
}

/** `1h 59m`. */
export function leftWords(standing: Standing, now: EpochMs): string {
  const until = untilOf(standing);
  return until === undefined ? '' : formatDuration(between(now, until));
}

/** Why it is not asked, or what is to be known of one that is. */
export function whyWords(standing: Standing): string {
  if (standing.type === 'candidate')
    return standing.trouble === undefined ? '' : describeHealth(standing.trouble);
  return skippedWords(standing.why);
}

/** Why a worker is not asked. */
export function skippedWords({ kind, reason, because, byHand }: Skipped): string {
  const said = harmlessLine(reason);
  return because === 'missing' || kind === undefined ? said : restWords(kind, said, byHand === true);
}

/** One worker as JSON: stable, and documented in the README. */
export function standingJson(standing: Standing, now: EpochMs): Record<string, unknown> {
  const { id, adapter, seat, model, billing } = standing.worker;
  const until = untilOf(standing);
  const kind = standing.type === 'skipped' ? standing.why.kind : standing.trouble?.cause;
  const why = standing.type === 'skipped' ? standing.why.reason : whyWords(standing);
  return {
    ...{ worker: id, adapter, seat, model: model ?? null, billing: billing ?? null },
    state: stateOf(standing),
    place: standing.type === 'candidate' ? standing.place : null,
    ...{ kind: kind ?? null, reason: why === '' ? null : why },
    until: until === undefined ? null : toIso(until),
    remainingMs: until === undefined ? null : between(now, until),
  };
}
