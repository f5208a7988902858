import type { Cooldown } from '../core/cooldown.ts';
import type { Health } from '../core/health.ts';
import type { WorkerId } from '../core/ids.ts';
import type { Policy } from '../core/policy.ts';
import type { QuotaReading } from '../core/quota.ts';
import type { Rule } from '../core/rule.ts';
import type { SessionRecord } from '../core/session.ts';
import { durationMs } from '../core/time.ts';
import type { KnownWorker, Worker } from '../core/worker.ts';
import type { Choice, Return } from './choose.ts';
import { choose } from './choose.ts';
import { gate } from './gate.ts';
import type { Loads } from './load.ts';
import { isLimited, whyFull } from './load.ts';
import type { WeighedRule } from './rules.ts';
import { movedBy, ruleEvent, weighRules } from './rules.ts';
import type { Session } from './session.ts';
import type { WaitingEffects } from './waiting.ts';
import { waitFor, waitForPlace } from './waiting.ts';

export interface DispatchOrder {
  /** A new session, or one that goes on. */
  readonly session: SessionRecord;
  readonly fleet: readonly Worker[];
  readonly model: string | undefined;
  readonly policy: Policy;
  /** One of many tasks at once: they spread over the seats. */
  readonly spread: boolean;
  /** What the operator wants to happen before a window is full. */
  readonly rules?: readonly Rule[] | undefined;
}

/** What choosing needs of the world. */
export interface TakingEffects extends WaitingEffects {
  readonly readCooldowns: () => Promise<readonly Cooldown[]>;
  readonly readHealth: () => Promise<readonly Health[]>;
  /** Why a worker's program cannot be run at this moment, of those for which that is so. */
  readonly missing: () => ReadonlyMap<WorkerId, string>;
  /** What runs on each seat now. */
  readonly loads: () => Loads;
  /** How full windows were when they were last seen; asked only where there are rules. */
  readonly readQuota?: () => Promise<readonly QuotaReading[]>;
  /**
   * Takes a place on the worker's seat for the next attempt: at once, or, where `isFree` is given, while no other
   * process takes one and only if it says so. False: somebody was quicker.
   */
  readonly reserve: (worker: Worker, isFree: (() => boolean) | undefined) => Promise<boolean>;
  /** Gives the place back that was taken last: nobody starts there. */
  readonly giveBack: () => void;
}

/** Chooses, and takes the place of who is chosen before anybody else can; `undefined` when somebody was quicker. */
export async function take(
  order: DispatchOrder,
  session: Session,
  effects: TakingEffects,
): Promise<Choice | undefined> {
  const seen = await see(order, effects);
  for (const rule of seen.rules)
    session.tellRule(ruleEvent(rule, movedBy(rule, order.fleet, order.model, session.worker)));
  // From the look at the seats to the taking of a place nothing may come between.
  const choice = decide(order, session, seen, effects);
  if (choice.type !== 'worker') return choice;
  const { worker } = choice;
  const now = effects.clock.now();
  const cooldowns = order.policy.ignoreCooldowns ? [] : seen.cooldowns;
  const isFree = (): boolean => whyFull(worker, effects.loads(), cooldowns, now, order.model) === undefined;
  const isTaken = effects.reserve(
    worker,
    isLimited(worker, cooldowns, now, order.model) ? isFree : undefined,
  );
  return (await isTaken) ? choice : undefined;
}

/**
 * Whether the gate is still open for who was chosen. What was to be done before the start takes its time, and a seat that
 * was refused meanwhile is not asked: the place is given back.
 */
export async function isStillOpen(
  worker: Worker,
  { model, policy }: DispatchOrder,
  { clock, readCooldowns, giveBack }: TakingEffects,
): Promise<boolean> {
  if (policy.ignoreCooldowns) return true;
  const isOpen = gate(worker, await readCooldowns(), clock.now(), model).type === 'open';
  if (!isOpen) giveBack();
  return isOpen;
}

interface Seen {
  readonly cooldowns: readonly Cooldown[];
  readonly health: readonly Health[];
  readonly rules: readonly WeighedRule[];
}

async function see(order: DispatchOrder, effects: TakingEffects): Promise<Seen> {
  const cooldowns = await effects.readCooldowns();
  const health = await effects.readHealth();
  return { cooldowns, health, rules: await rulesNow(order, effects) };
}

/** Advice is not waited for: what is not there in a moment is not there. */
const A_MOMENT = durationMs(500);

async function rulesNow(
  { rules = [] }: DispatchOrder,
  { readQuota, clock }: TakingEffects,
): Promise<readonly WeighedRule[]> {
  if (rules.length === 0) return [];
  const over = new AbortController();
  const none = clock.sleep(A_MOMENT, over.signal).then((): readonly QuotaReading[] => []);
  const readings = await Promise.race([readQuota?.() ?? none, none]);
  over.abort();
  return weighRules(rules, readings, clock.now());
}

function decide(order: DispatchOrder, session: Session, seen: Seen, effects: TakingEffects): Choice {
  const { fleet, model, policy, spread } = order;
  const { onQuota, ignoreCooldowns } = policy;
  const now = {
    ...{ now: effects.clock.now(), missing: effects.missing(), spent: session.spent },
    ...{ loads: effects.loads(), hasBegun: session.worker !== undefined },
  };
  return choose({ fleet, model, spread, onQuota, ignoreCooldowns, ...seen, ...now }, session.worker);
}

/** `--on-quota wait`: whether somebody came back, by itself or because a person cleared it, within the budget. */
export async function waitsFor(
  earliest: Return | undefined,
  order: DispatchOrder,
  session: Session,
  effects: TakingEffects,
): Promise<boolean> {
  if (order.policy.onQuota !== 'wait' || earliest === undefined) return false;
  const isBack = async (): Promise<boolean> => {
    const { type } = decide(order, session, await see(order, effects), effects);
    return type === 'worker' || type === 'busy';
  };
  return waitFor(session, earliest, order.policy.maxWaitMs, isBack, effects);
}

/** Everybody who could take the task is at work: whether a place became free within the budget. */
export async function waitsForPlace(
  worker: KnownWorker,
  order: DispatchOrder,
  session: Session,
  effects: TakingEffects,
): Promise<boolean> {
  const isFree = async (): Promise<boolean> =>
    decide(order, session, await see(order, effects), effects).type !== 'busy';
  return waitForPlace(session, worker, order.policy.maxWaitMs, isFree, effects);
}
