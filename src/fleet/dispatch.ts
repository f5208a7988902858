import type { EpochMs } from '../core/time.ts';
import { unreachable } from '../core/unreachable.ts';
import type { KnownWorker, Worker } from '../core/worker.ts';
import type { SessionRecord } from '../core/session.ts';
import type { EndedAttempt } from '../workers/attempt.ts';
import type { Return } from './choose.ts';
import type { Consequence } from './judge.ts';
import { healthNoteOf, heldInVain, judge } from './judge.ts';
import type { Handover, HandoverEffects } from './handover.ts';
import { handOver } from './handover.ts';
import type { Skipped } from './order.ts';
import type { RecordingEffects } from './recording.ts';
import { clearAfterCleanRun, record } from './recording.ts';
import { Session } from './session.ts';
import type { DispatchOrder, TakingEffects } from './taking.ts';
import { isStillOpen, take, waitsFor, waitsForPlace } from './taking.ts';
import { hold } from './waiting.ts';

/** What a session needs of the world: every effect is in here. */
export interface DispatchEffects extends TakingEffects, RecordingEffects, HandoverEffects {
  readonly attempt: (worker: Worker, handover: Handover, session: Session) => Promise<EndedAttempt>;
  /** `--preflight`: looks, free of tokens, whether the worker has room; what it sees is on record before this resolves. */
  readonly preflight?: (worker: Worker) => Promise<void>;
  /** Everybody rests: looks, free of tokens, whether room is back somewhere. True when a rest was ended. */
  readonly lookForRoom?: (skipped: readonly Skipped[]) => Promise<boolean>;
  /** Takes the session as it is now, to be saved without holding anybody up. */
  readonly saveSession: (record: SessionRecord) => void;
  /** Resolves when what was taken so far is saved, or cannot be. */
  readonly sessionSaved: () => Promise<void>;
}

/** How a session ended. */
export type Outcome =
  | { readonly type: 'done'; readonly worker: KnownWorker; readonly text: string }
  | {
      readonly type: 'failed';
      readonly worker: KnownWorker;
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
  const session = new Session(order.session, { clock, emit, save: effects.saveSession });
  const { request, attempts } = order.session;
  session.enter('running');
  // Whoever was told of a session finds it, whatever happens to us next.
  await effects.sessionSaved();
  emit({
    ...{ type: 'session.started', task: request.task, directory: request.directory },
    ...{ resumed: attempts.length > 0, worktree: request.worktree },
  });
  for (;;) {
    if (isStopped(effects)) return await finish(session, stopped(effects), effects);
    const choice = await take(order, session, effects);
    if (choice === undefined) continue;
    session.tellSkipped(choice.skipped);
    switch (choice.type) {
      case 'nobody':
        return finish(session, { ...choice, type: 'unavailable' }, effects);
      case 'resting':
        if ((await effects.lookForRoom?.(choice.skipped)) === true) continue;
        if ((await waitsFor(choice.earliest, order, session, effects)) || isStopped(effects)) continue;
        return finish(session, { ...choice, type: 'exhausted' }, effects);
      case 'busy':
        if ((await waitsForPlace(choice.worker, order, session, effects)) || isStopped(effects)) continue;
        return finish(session, { type: 'exhausted', skipped: choice.skipped, earliest: undefined }, effects);
      case 'worker':
        break;
      default:
        return unreachable(choice);
    }
    const { worker } = choice;
    const { task, additions = [] } = request;
    const work = { task, additions, begun: session.begun, afresh: !policy.handoff };
    const handover = await handOver(work, worker, effects);
    const { lastResort } = choice;
    session.begin(worker, handover, { model: order.model ?? worker.model, lastResort });
    // Whatever happens from here on, the session is not lost.
    await effects.sessionSaved();
    await effects.preflight?.(worker);
    if (!(await isStillOpen(worker, order, effects))) {
      session.withdraw();
      continue;
    }
    session.tellHandoff();
    const ended = await effects.attempt(worker, handover, session);
    session.attempted(ended);
    const note = healthNoteOf(ended.ending, worker, clock.now());
    if (note !== undefined) await effects.noteHealth(note);
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
      if (consequence.lost === true && session.loseConversation()) return undefined;
      return { ...consequence, worker };
    case 'stopped':
      return consequence.because === 'idle' ? { type: 'stopped', because: 'idle-timeout' } : stopped(effects);
    case 'rest': {
      const { cooldown, signal } = consequence;
      if (cooldown.kind === 'auth-failure' && session.mayTryLoginAgain(worker)) return undefined;
      // On record before anybody else may start. What cannot be recorded, or is not obeyed, this session remembers.
      const asked = order.model ?? worker.model;
      const isRecorded = order.policy.cooldowns && (await record(cooldown, worker, asked, effects));
      session.rested(worker, cooldown);
      const pause = session.refused(worker, effects.clock.now(), cooldown.until);
      if (pause === 'for good') session.spend(worker, { signal, until: undefined });
      else if (!isRecorded || order.policy.ignoreCooldowns)
        session.spend(worker, { signal, until: later(cooldown.until, pause) });
      else if (pause !== undefined) session.spend(worker, { signal, until: pause });
      return undefined;
    }
    case 'hold': {
      const { signal } = consequence;
      session.held(ended.busyMs, false);
      const held = await hold(
        session,
        worker,
        { notBefore: signal.resetAt, holdMs: order.policy.holdMs },
        effects,
      );
      if (held) return undefined;
      await effects.noteHealth(heldInVain(worker, effects.clock.now()));
      session.spend(worker, { signal, until: undefined });
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

const ENDED = {
  done: 'done',
  failed: 'failed',
  exhausted: 'exhausted',
  unavailable: 'unavailable',
  'idle-timeout': 'timeout',
  timeout: 'timeout',
  interrupted: 'interrupted',
} as const;

async function finish(session: Session, outcome: Outcome, effects: DispatchEffects): Promise<Outcome> {
  const ended = ENDED[outcome.type === 'stopped' ? outcome.because : outcome.type];
  const text = outcome.type === 'done' ? outcome.text : '';
  const retryAt = outcome.type === 'exhausted' ? outcome.earliest?.at : undefined;
  session.enter(ended, retryAt, text);
  await effects.sessionSaved();
  const { switchCount, heldMs, holdCount } = session.record;
  effects.emit({
    type: 'session.ended',
    ...{ outcome: ended, worker: session.worker, switchCount, heldMs, holdCount, text, retryAt },
    reason: outcome.type === 'failed' ? outcome.reason : undefined,
    evidence: outcome.type === 'failed' ? outcome.evidence : undefined,
  });
  return outcome;
}
