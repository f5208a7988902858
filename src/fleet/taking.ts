import type { Cooldown } from '../core/cooldown.ts';
import type { Health } from '../core/health.ts';
import type { WorkerId } from '../core/ids.ts';
import type { Policy } from '../core/policy.ts';
import type { SessionRecord } from '../core/session.ts';
import type { Worker } from '../core/worker.ts';
import type { Choice, Return } from './choose.ts';
import { choose } from './choose.ts';
import type { Loads } from './load.ts';
import { isLimited, whyFull } from './load.ts';
import type { Session } from './session.ts';
import type { WaitingEffects } from './waiting.ts';
import { waitFor, waitForPlace } from './waiting.ts';

export interface DispatchOrder {
  /** A new session, or one that goes on. */
  readonly session: SessionRecord;
  /** What a person adds to a session that goes on. */
  readonly addition: string | undefined;
  readonly fleet: readonly Worker[];
  readonly model: string | undefined;
  readonly policy: Policy;
  /** One of many tasks at once: they spread over the seats. */
  readonly spread: boolean;
}

/** What choosing needs of the world. */
export interface TakingEffects extends WaitingEffects {
  readonly readCooldowns: () => Promise<readonly Cooldown[]>;
  readonly readHealth: () => Promise<readonly Health[]>;
  /** Why a worker's program cannot be run at this moment, of those for which that is so. */
  readonly missing: () => ReadonlyMap<WorkerId, string>;
  /** What runs on each seat now. */
  readonly loads: () => Loads;
  /**
   * Takes a place on the worker's seat for the next attempt: at once, or, where `isFree` is given, while no other
   * process takes one and only if it says so. False: somebody was quicker.
   */
  readonly reserve: (worker: Worker, isFree: (() => boolean) | undefined) => Promise<boolean>;
}

/** Chooses, and takes the place of who is chosen before anybody else can; `undefined` when somebody was quicker. */
export async function take(
  order: DispatchOrder,
  session: Session,
  effects: TakingEffects,
): Promise<Choice | undefined> {
  const { choice, cooldowns } = await look(order, session, effects);
  if (choice.type !== 'worker') return choice;
  const { worker } = choice;
  const now = effects.clock.now();
  const isFree = (): boolean => whyFull(worker, effects.loads(), cooldowns, now) === undefined;
  const limit = isLimited(worker, cooldowns, now) && !order.policy.ignoreCooldowns ? isFree : undefined;
  return (await effects.reserve(worker, limit)) ? choice : undefined;
}

interface Look {
  readonly choice: Choice;
  readonly cooldowns: readonly Cooldown[];
}

async function look(order: DispatchOrder, session: Session, effects: TakingEffects): Promise<Look> {
  const { fleet, model, policy, spread } = order;
  const cooldowns = await effects.readCooldowns();
  const health = await effects.readHealth();
  const { onQuota, ignoreCooldowns } = policy;
  const seen = {
    ...{ now: effects.clock.now(), missing: effects.missing(), spent: session.spent },
    ...{ cooldowns, health, loads: effects.loads() },
  };
  const situation = { fleet, model, spread, onQuota, ignoreCooldowns, ...seen };
  return { choice: choose(situation, session.worker), cooldowns };
}

/** `--on-quota wait`: whether somebody came back, by itself or because a person cleared it, within the budget. */
export async function waitsFor(
  earliest: Return | undefined,
  order: DispatchOrder,
  session: Session,
  effects: TakingEffects,
): Promise<boolean> {
  if (order.policy.onQuota !== 'wait' || earliest === undefined) return false;
  const isBack = async (): Promise<boolean> => (await look(order, session, effects)).choice.type === 'worker';
  return waitFor(session, earliest, order.policy.maxWaitMs, isBack, effects);
}

/** Everybody who could take the task is at work: whether a place became free within the budget. */
export async function waitsForPlace(
  worker: Worker,
  order: DispatchOrder,
  session: Session,
  effects: TakingEffects,
): Promise<boolean> {
  const isFree = async (): Promise<boolean> => (await look(order, session, effects)).choice.type !== 'busy';
  return waitForPlace(session, worker, order.policy.maxWaitMs, isFree, effects);
}
