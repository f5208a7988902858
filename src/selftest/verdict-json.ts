import type { EpochMs } from '../core/time.ts';
import { toIso } from '../core/time.ts';
import type { ReplayVerdict } from '../fleet/replay.ts';

/** The verdict as JSON: instants as ISO 8601, what is not known as `null`. */
export function verdictJson(verdict: ReplayVerdict): Record<string, unknown> {
  const { outcome, signal, cooldown, actedAt, killed, reason, unknown } = verdict;
  const instant = (at: EpochMs | undefined): string | null => (at === undefined ? null : toIso(at));
  return {
    outcome,
    signal: signal === null ? null : { ...signal, resetAt: instant(signal.resetAt) },
    cooldown:
      cooldown === null
        ? null
        : { ...cooldown, since: toIso(cooldown.since), until: instant(cooldown.until) },
    actedAt,
    killed,
    reason,
    unknown,
  };
}
