import type { Clearance, Cooldown, CooldownTarget } from '../core/cooldown.ts';
import { targetKey } from '../core/cooldown.ts';
import type { WorkerId } from '../core/ids.ts';
import type { Policy } from '../core/policy.ts';
import type { Result } from '../core/result.ts';
import type { EpochMs } from '../core/time.ts';
import { unreachable } from '../core/unreachable.ts';
import type { Worker } from '../core/worker.ts';
import type { EndedAttempt } from '../workers/attempt.ts';
import type { Choice, Return } from './choose.ts';
import { choose } from './choose.ts';
import { isActive, rests } from './gate.ts';
import type { Consequence } from './judge.ts';
import { judge } from './judge.ts';
import type { Skipped } from './order.ts';
import { Session } from './session.ts';
import type { WaitingEffects } from './waiting.ts';
import { hold, waitFor } from './waiting.ts';

export interface DispatchOrder {
  readonly task: string;
  readonly directory: string;
  readonly fleet: readonly Worker[];
  readonly model: string | undefined;
  readonly policy: Policy;
}

/** What a session needs of the world: every effect is in here. */
export interface DispatchEffects extends WaitingEffects {
  readonly readCooldowns: () => Promise<readonly Cooldown[]>;
  readonly recordCooldown: (cooldown: Cooldown) => Promise<Result<void, string>>;
  readonly clearCooldowns: (clearance: Clearance) => Promise<Result<readonly Cooldown[], string>>;
  /** Why a worker's program cannot be run at this moment, of those for which that is so. */
  readonly missing: () => ReadonlyMap<WorkerId, string>;
  readonly attempt: (worker: Worker, session: Session) => Promise<EndedAttempt>;
}

/** How a session ended. */
export type Outcome =
  | { readonly type: 'done'; readonly worker: Worker; readonly text: string }
  | {
      readonly type: 'failed';
      readonly worker: Worker;
      readonly reason: string;
      readonly evidence: string;
      readonly recognised: boolean;
    }
  | {
      readonly type: 'exhausted';
      readonly skipped: readonly Skipped[];
      readonly earliest: Return | undefined;
    }
  | { readonly type: 'unavailable'; readonly skipped: readonly Skipped[] }
  | { readonly type: 'stopped'; readonly because: 'idle-timeout' | 'timeout' | 'interrupted' };

/**
 * What secondwind does with one task, on one screen: choose (through the gate) → attempt → judge → act → again.
 * Every decision is a pure function; every effect is handed in.
 */
export async function dispatch(order: DispatchOrder, effects: DispatchEffects): Promise<Outcome> {
  const { policy } = order;
  const { emit, clock } = effects;
  const session = new Session(order.task, emit);
  emit({ type: 'session.started', task: order.task, directory: order.directory });
  for (;;) {
    if (isStopped(effects)) return finish(session, stopped(effects), effects);
    const choice = await look(order, session, effects);
    session.tellSkipped(choice.skipped);
    switch (choice.type) {
      case 'nobody':
        return finish(session, { ...choice, type: 'unavailable' }, effects);
      case 'resting':
        if ((await waitsFor(choice.earliest, order, session, effects)) || isStopped(effects)) continue;
        return finish(session, { ...choice, type: 'exhausted' }, effects);
      case 'worker':
        break;
      default:
        return unreachable(choice);
    }
    const { worker } = choice;
    session.moveTo(worker);
    const ended = await effects.attempt(worker, session);
    session.attempted(worker, ended);
    const consequence = judge(ended.ending, worker, policy.rests, clock.now());
    const outcome = await act(consequence, worker, ended, order, session, effects);
    if (outcome !== undefined) return finish(session, outcome, effects);
  }
}

/** What the signal was aborted with: `timeout`, or the name of a signal from outside. */
function stopped({ abort }: DispatchEffects): Outcome {
  return { type: 'stopped', because: abort.reason === 'timeout' ? 'timeout' : 'interrupted' };
}

function isStopped({ abort }: DispatchEffects): boolean {
  return abort.aborted;
}

async function look(order: DispatchOrder, session: Session, effects: DispatchEffects): Promise<Choice> {
  const { fleet, model, policy } = order;
  const cooldowns = await effects.readCooldowns();
  const { onQuota, ignoreCooldowns } = policy;
  const seen = { now: effects.clock.now(), missing: effects.missing(), spent: session.spent };
  return choose({ fleet, model, cooldowns, onQuota, ignoreCooldowns, ...seen }, session.worker);
}

/** `--on-quota wait`: whether somebody came back, by itself or because a person cleared it, within the budget. */
async function waitsFor(
  earliest: Return | undefined,
  order: DispatchOrder,
  session: Session,
  effects: DispatchEffects,
): Promise<boolean> {
  if (order.policy.onQuota !== 'wait' || earliest === undefined) return false;
  const isBack = async (): Promise<boolean> => (await look(order, session, effects)).type === 'worker';
  return waitFor(session, earliest, order.policy.maxWaitMs, isBack, effects);
}

/** Does what an attempt's end calls for; `undefined` when the session goes on. */
async function act(
  consequence: Consequence,
  worker: Worker,
  ended: EndedAttempt,
  order: DispatchOrder,
  session: Session,
  effects: DispatchEffects,
): Promise<Outcome | undefined> {
  switch (consequence.type) {
    case 'done':
      await clearAfterCleanRun(worker, order.model, ended.startedAt, effects);
      return { ...consequence, worker };
    case 'failed':
      return { ...consequence, worker };
    case 'stopped':
      return consequence.because === 'idle' ? { type: 'stopped', because: 'idle-timeout' } : stopped(effects);
    case 'rest': {
      const { cooldown, signal } = consequence;
      // On record before anybody else may start. What cannot be recorded, or is not obeyed, this session remembers.
      const asked = order.model ?? worker.model;
      const isRecorded = order.policy.cooldowns && (await record(cooldown, worker, asked, effects));
      session.rested(worker, cooldown);
      const pause = session.refused(worker, effects.clock.now());
      if (!isRecorded || order.policy.ignoreCooldowns)
        session.spend(worker, { signal, until: later(cooldown.until, pause) });
      else if (pause !== undefined) session.spend(worker, { signal, until: pause });
      return undefined;
    }
    case 'hold': {
      const { signal } = consequence;
      session.held(ended.busyMs);
      const held = await hold(
        session,
        worker,
        { notBefore: signal.resetAt, holdMs: order.policy.holdMs },
        effects,
      );
      if (!held) session.spend(worker, { signal, until: undefined });
      return undefined;
    }
    case 'pass-on':
      session.spend(worker, { signal: consequence.signal, until: undefined });
      return undefined;
    default:
      return unreachable(consequence);
  }
}

function later(until: EpochMs | undefined, pause: EpochMs | undefined): EpochMs | undefined {
  return until !== undefined && pause !== undefined && pause > until ? pause : until;
}

/**
 * A limit may be on a model by another name than was asked for (`auto`, `opusplan`): then what was asked for rests too,
 * or the next to ask would be let through to the same limit.
 */
async function record(
  cooldown: Cooldown,
  worker: Worker,
  asked: string | undefined,
  effects: DispatchEffects,
): Promise<boolean> {
  const { kind, until, source, reason, target } = cooldown;
  let recorded = await effects.recordCooldown(cooldown);
  if (recorded.ok && asked !== undefined && !rests(cooldown, worker, asked)) {
    const alias: CooldownTarget = { type: 'model', seat: worker.seat, model: asked };
    recorded = await effects.recordCooldown({ ...cooldown, target: alias });
  }
  if (!recorded.ok) {
    effects.emit({ type: 'cooldown.not-recorded', worker: worker.id, kind, reason: recorded.error });
    return false;
  }
  const model = target.type === 'model' ? target.model : undefined;
  effects.emit({
    type: 'cooldown.recorded',
    ...{ worker: worker.id, seat: worker.seat, model, kind, until, source, reason },
  });
  return true;
}

/**
 * A clean run is evidence that room is back, for cooldowns that were there before it began (DESIGN 5). What an operator
 * added was not about room.
 */
async function clearAfterCleanRun(
  worker: Worker,
  model: string | undefined,
  startedAt: EpochMs,
  effects: DispatchEffects,
): Promise<void> {
  const known = await effects.readCooldowns();
  const disproved = known.filter(
    (cooldown) =>
      cooldown.since <= startedAt &&
      isActive(cooldown, startedAt) &&
      rests(cooldown, worker, model ?? worker.model),
  );
  const targets = new Map(disproved.map(({ target }) => [targetKey(target), target]));
  for (const { target, source } of disproved) if (source === 'operator') targets.delete(targetKey(target));
  let wasAny = false;
  for (const target of targets.values()) {
    const cleared = await effects.clearCooldowns({ target, kind: undefined, at: startedAt, by: 'clean-run' });
    wasAny ||= cleared.ok && cleared.value.length > 0;
  }
  if (wasAny) effects.emit({ type: 'cooldown.cleared', worker: worker.id, by: 'clean-run' });
}

const ENDED = {
  done: 'done',
  failed: 'failed',
  exhausted: 'exhausted',
  unavailable: 'unavailable',
  'idle-timeout': 'timeout',
  timeout: 'timeout',
  interrupted: 'interrupted',
} as const;

function finish(session: Session, outcome: Outcome, { emit }: DispatchEffects): Outcome {
  emit({
    type: 'session.ended',
    outcome: ENDED[outcome.type === 'stopped' ? outcome.because : outcome.type],
    worker: session.worker?.id,
    switchCount: session.switchCount,
    heldMs: session.heldMs,
    text: outcome.type === 'done' ? outcome.text : '',
    reason: outcome.type === 'failed' ? outcome.reason : undefined,
    evidence: outcome.type === 'failed' ? outcome.evidence : undefined,
    retryAt: outcome.type === 'exhausted' ? outcome.earliest?.at : undefined,
  });
  return outcome;
}
