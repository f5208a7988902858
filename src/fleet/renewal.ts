import type { Clearance, Cooldown } from '../core/cooldown.ts';
import { targetKey } from '../core/cooldown.ts';
import type { RestLengths } from '../core/policy.ts';
import type { Scope } from '../core/signal.ts';
import type { EpochMs } from '../core/time.ts';
import { after, durationMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { QuotaAnswer, QuotaWindow } from '../workers/quota-answer.ts';
import { isActive, targetOf } from './gate.ts';

/** What is to be written after a free look at a worker's quota. */
export interface Renewal {
  readonly clearances: readonly Clearance[];
  readonly cooldowns: readonly Cooldown[];
}

const NOTHING_TO_RENEW: Renewal = { clearances: [], cooldowns: [] };

/**
 * Bounded distrust (DESIGN 5): where a free look saw room, the rest over it is over; where the window is still closed,
 * the rest is as long as the newest word of its provider, be that longer or shorter. `askedAt` is when the look began:
 * what was met after that is newer than what it saw. What an operator added, and a look that saw nothing, change nothing.
 */
export function renewalOf(
  worker: Worker,
  answer: QuotaAnswer,
  known: readonly Cooldown[],
  { askedAt, now, rests }: { readonly askedAt: EpochMs; readonly now: EpochMs; readonly rests: RestLengths },
): Renewal {
  if (answer.type === 'unknown') return NOTHING_TO_RENEW;
  const clearances: Clearance[] = [];
  const cooldowns: Cooldown[] = [];
  // Newer than what the look disproves, whatever the clock says.
  const since = now > askedAt ? now : after(askedAt, durationMs(1));
  const base = { worker: worker.id, since, source: 'probe', evidence: '' } as const;
  const clear = (scope: Scope, kind: Cooldown['kind']): void => {
    const target = targetOf(scope, worker);
    const own = known.filter(
      (one) => one.kind === kind && targetKey(one.target) === targetKey(target) && isActive(one, now),
    );
    if (own.length === 0 || own.some(({ source }) => source === 'operator')) return;
    clearances.push({ target, kind, at: askedAt, by: 'probe' });
  };
  for (const [scope, windows] of byScope(answer.windows)) {
    const closed = windows.filter(({ isClosed }) => isClosed);
    const last = latest(closed);
    if (closed.length > 0 && last?.resetAt === undefined) continue;
    clear(scope, 'rate-limit');
    if (last?.resetAt === undefined || last.resetAt <= now) continue;
    cooldowns.push({
      ...{ ...base, target: targetOf(scope, worker), kind: 'rate-limit', until: last.resetAt },
      reason: last.name,
    });
  }
  if (answer.credits !== undefined) {
    const { isEmpty, words } = answer.credits;
    if (!isEmpty) clear('seat', 'out-of-credits');
    else
      cooldowns.push({
        ...{ ...base, target: targetOf('seat', worker), kind: 'out-of-credits', reason: words },
        until: after(now, rests['out-of-credits']),
      });
  }
  return { clearances, cooldowns };
}

function byScope(windows: readonly QuotaWindow[]): ReadonlyMap<Scope, readonly QuotaWindow[]> {
  const scopes = new Map<Scope, readonly QuotaWindow[]>();
  for (const window of windows) scopes.set(window.scope, [...(scopes.get(window.scope) ?? []), window]);
  return scopes;
}

/** Of the closed windows the one that opens last: it is the one that blocks. */
function latest(closed: readonly QuotaWindow[]): QuotaWindow | undefined {
  return closed.toSorted((a, b) => (b.resetAt ?? 0) - (a.resetAt ?? 0)).at(0);
}
