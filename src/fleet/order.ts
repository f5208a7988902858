import type { Cooldown } from '../core/cooldown.ts';
import type { Health, HealthCause, Unhealthy } from '../core/health.ts';
import { describeHealth, leastUnhealthyFirst, unhealthy } from '../core/health.ts';
import type { WorkerId } from '../core/ids.ts';
import type { OnQuota } from '../core/policy.ts';
import type { Signal, SignalKind } from '../core/signal.ts';
import type { EpochMs } from '../core/time.ts';
import type { KnownWorker, Worker } from '../core/worker.ts';
import { gate } from './gate.ts';
import type { Loads } from './load.ts';
import { byLoad, whyFull } from './load.ts';
import type { WeighedRule } from './rules.ts';
import { putBehind } from './rules.ts';

/** Why a worker is not a candidate now. */
export interface Skipped {
  readonly worker: KnownWorker;
  readonly kind: SignalKind | HealthCause | undefined;
  readonly reason: string;
  /** When it may be one again by itself; `undefined`: not before something else changes. */
  readonly until: EpochMs | undefined;
  readonly because: 'missing' | 'resting' | 'spent' | 'reserve' | 'unhealthy' | 'busy';
  /** It rests because somebody wanted it to, and met no limit. */
  readonly byHand?: true;
}

/** Who may take the task now, in order, and everybody else with why not. */
export interface Order {
  readonly candidates: readonly Worker[];
  /** Of the candidates the unhealthy, who stand after the healthy ones of their group. */
  readonly ill: ReadonlyMap<WorkerId, Unhealthy>;
  /** Of these the ones whose group has nobody healthy. */
  readonly lastResorts: ReadonlySet<WorkerId>;
  readonly skipped: readonly Skipped[];
}

export interface Situation {
  readonly fleet: readonly Worker[];
  readonly cooldowns: readonly Cooldown[];
  readonly health: readonly Health[];
  /** What runs on each seat now. */
  readonly loads: Loads;
  /** The least loaded seats first, instead of the fleet's own order: for many tasks at once. */
  readonly spread: boolean;
  readonly now: EpochMs;
  readonly model: string | undefined;
  readonly onQuota: OnQuota;
  readonly ignoreCooldowns: boolean;
  /** Why a worker's program cannot be run, for those of which that is so. */
  readonly missing: ReadonlyMap<WorkerId, string>;
  /** Workers that met something in this session which no cooldown on record says: they are not asked twice. */
  readonly spent: ReadonlyMap<WorkerId, Spent>;
  /** The operator's rules as they stand now. They put workers behind others, and leave nobody out. */
  readonly rules?: readonly WeighedRule[] | undefined;
  /** The session that asks has begun, and is not to be steered as a new one. */
  readonly hasBegun?: boolean | undefined;
}

export interface Spent {
  readonly signal: Signal;
  /** When the worker may be asked again; `undefined`: not in this session. */
  readonly until: EpochMs | undefined;
}

/**
 * Orders the fleet. Workers billed per use are a reserve as long as there are others: they come last, and only
 * with `--on-quota api`. The unhealthy stand after the healthy ones of their group, the least unhealthy first: a provider
 * that may answer is asked rather than nobody, and money is not spent over a hiccup. Health moves nobody who rests, and makes nobody wait. An operator's rules move
 * workers to the end of their group, and change nothing of who is in it.
 */
export function order(situation: Situation): Order {
  const { fleet, onQuota, spread, loads } = situation;
  const own: Worker[] = [];
  const reserve: Worker[] = [];
  const skipped: Skipped[] = [];
  const hasReserve = fleet.some(({ billing }) => billing !== 'api');
  for (const worker of spread ? byLoad(fleet, loads) : fleet) {
    const why = whyNot(worker, situation);
    if (why !== undefined) skipped.push(why);
    else if (hasReserve && worker.billing === 'api') reserve.push(worker);
    else own.push(worker);
  }
  const behind = putBehind(situation.rules ?? [], fleet, situation.model, situation.hasBegun !== true);
  const ranked = (group: readonly Worker[]) => byHealth(lastOf(group, behind), situation);
  const groups = [ranked(own)];
  if (onQuota === 'api') groups.push(ranked(reserve));
  else skipped.push(...reserve.map(keptInReserve));
  return {
    candidates: groups.flatMap(({ healthy, ill }) => [...healthy, ...ill.map(({ worker }) => worker)]),
    ill: new Map(groups.flatMap(({ ill }) => ill.map(({ worker, trouble }) => [worker.id, trouble]))),
    lastResorts: new Set(
      groups.flatMap(({ healthy, ill }) => (healthy.length > 0 ? [] : ill.map(({ worker }) => worker.id))),
    ),
    skipped,
  };
}

/** Otherwise as they were. */
function lastOf(workers: readonly Worker[], behind: ReadonlySet<WorkerId>): readonly Worker[] {
  if (behind.size === 0) return workers;
  return workers.toSorted((a, b) => Number(behind.has(a.id)) - Number(behind.has(b.id)));
}

function keptInReserve(worker: Worker): Skipped {
  const reason = 'it is billed per use, and --on-quota api was not asked for';
  return { worker, kind: undefined, reason, until: undefined, because: 'reserve' };
}

interface ByHealth {
  readonly healthy: readonly Worker[];
  /** The least unhealthy first. */
  readonly ill: readonly { readonly worker: Worker; readonly trouble: Unhealthy }[];
}

/** Orders workers whose gates are open. */
function byHealth(workers: readonly Worker[], { health, now }: Situation): ByHealth {
  const healthy: Worker[] = [];
  const ill: { readonly worker: Worker; readonly trouble: Unhealthy }[] = [];
  for (const worker of workers) {
    const known = health.find((one) => one.worker === worker.id);
    const trouble = unhealthy(known, now);
    if (trouble === undefined) healthy.push(worker);
    else ill.push({ worker, trouble });
  }
  return { healthy, ill: ill.sort((a, b) => leastUnhealthyFirst(a.trouble, b.trouble)) };
}

/** What is said of a worker in whose place another is asked, as this one is unhealthy. */
export function passedOver(worker: Worker, trouble: Unhealthy): Skipped {
  const { cause, until } = trouble;
  return { worker, kind: cause, reason: describeHealth(trouble), until, because: 'unhealthy' };
}

function whyNot(worker: Worker, situation: Situation): Skipped | undefined {
  const { cooldowns, now, model, ignoreCooldowns, missing, spent, loads } = situation;
  const reason = missing.get(worker.id);
  if (reason !== undefined)
    return { worker, kind: 'cli-unavailable', reason, until: undefined, because: 'missing' };
  const met = spent.get(worker.id);
  // Whoever is not asked again in this session is not to be waited for, however short its rest.
  if (met !== undefined && met.until === undefined) return spentBy(worker, met);
  const answer = ignoreCooldowns ? ({ type: 'open' } as const) : gate(worker, cooldowns, now, model);
  if (answer.type === 'resting') {
    const { cooldown, until } = answer;
    const byHand = cooldown.source === 'operator' ? ({ byHand: true } as const) : {};
    return { worker, kind: cooldown.kind, reason: cooldown.reason, until, because: 'resting', ...byHand };
  }
  if (met?.until !== undefined && met.until > now) return spentBy(worker, met);
  const full = whyFull(worker, loads, ignoreCooldowns ? [] : cooldowns, now, model);
  return full === undefined
    ? undefined
    : { worker, kind: undefined, reason: full, until: undefined, because: 'busy' };
}

function spentBy(worker: Worker, { signal, until }: Spent): Skipped {
  return { worker, kind: signal.kind, reason: signal.reason, until, because: 'spent' };
}

/** The first instant at which a skipped worker is back by itself. */
export function earliest(skipped: readonly Skipped[]): Skipped | undefined {
  return skipped
    .filter(({ until }) => until !== undefined)
    .reduce<Skipped | undefined>(
      (first, next) => ((next.until ?? 0) < (first?.until ?? Infinity) ? next : first),
      undefined,
    );
}
