import type { Cooldown } from '../core/cooldown.ts';
import type { HealthCause, HealthNote } from '../core/health.ts';
import { causeOf } from '../core/health.ts';
import type { RestLengths } from '../core/policy.ts';
import type { CooldownKind, Signal, SignalKind } from '../core/signal.ts';
import { isCooldownKind } from '../core/signal.ts';
import type { EpochMs } from '../core/time.ts';
import { after, MINUTE } from '../core/time.ts';
import { unreachable } from '../core/unreachable.ts';
import type { Worker } from '../core/worker.ts';
import { believe } from '../signals/reset.ts';
import type { Ending } from '../workers/ending.ts';
import { targetOf } from './gate.ts';

/** What follows from the end of an attempt. */
export type Consequence =
  | { readonly type: 'done'; readonly text: string }
  /** The worker's own failure: nobody else is tried. */
  | {
      readonly type: 'failed';
      readonly reason: string;
      readonly evidence: string;
      readonly recognised: boolean;
      readonly lost?: true;
    }
  /** The seat rests, and the next worker goes on. */
  | { readonly type: 'rest'; readonly signal: Signal; readonly cooldown: Cooldown }
  /** The provider is busy: the same worker is given time. */
  | { readonly type: 'hold'; readonly signal: Signal }
  /** The provider's machinery failed: the next worker goes on, and no seat rests for it. */
  | { readonly type: 'pass-on'; readonly signal: Signal }
  | { readonly type: 'stopped'; readonly because: 'idle' | 'aborted' };

export function judge(ending: Ending, worker: Worker, rests: RestLengths, now: EpochMs): Consequence {
  if (ending.type !== 'refused') return ending;
  const { signal } = ending;
  if (isCooldownKind(signal.kind)) {
    return { type: 'rest', signal, cooldown: cooldownFor(signal, signal.kind, worker, rests, now) };
  }
  switch (signal.kind) {
    case 'overloaded':
      return { type: 'hold', signal };
    case 'server-error':
      return { type: 'pass-on', signal };
    default:
      return unreachable(signal.kind);
  }
}

/**
 * What an attempt's end says about the machinery behind its worker; `undefined` where it says nothing, as with every
 * refusal over quota, credits or a login. An overloaded provider is held first: see `heldInVain`.
 */
export function healthNoteOf(ending: Ending, worker: Worker, at: EpochMs): HealthNote | undefined {
  switch (ending.type) {
    case 'done':
      return { type: 'clean-run', worker: worker.id, at };
    case 'stopped':
      return ending.because === 'idle' ? stalled(ending.trouble, worker, at) : undefined;
    case 'failed':
      return ending.died === true && !ending.recognised ? timeout('died', worker, at) : undefined;
    case 'refused': {
      const { kind } = ending.signal;
      return isCooldownKind(kind) || kind === 'overloaded' ? undefined : failure(causeOf(kind), worker, at);
    }
    default:
      return unreachable(ending);
  }
}

function stalled(over: SignalKind | undefined, worker: Worker, at: EpochMs): HealthNote | undefined {
  if (over === undefined) return timeout('silent', worker, at);
  return isCooldownKind(over) ? undefined : failure(causeOf(over), worker, at);
}

/** A provider that was too busy for as long as `--hold` gave it. */
export function heldInVain(worker: Worker, at: EpochMs): HealthNote {
  return failure(causeOf('overloaded'), worker, at);
}

function timeout(how: 'silent' | 'died', { id }: Worker, at: EpochMs): HealthNote {
  return { type: 'failure', worker: id, cause: 'timeout', how, at };
}

function failure(cause: HealthCause, { id }: Worker, at: EpochMs): HealthNote {
  return { type: 'failure', worker: id, cause, at };
}

/**
 * A reset that has only just passed is believed and due now: vendors print no seconds, so the window may open within the
 * minute. Trying at once would only be refused with the same words.
 */
const DUE_NOW = MINUTE;

function cooldownFor(
  signal: Signal,
  kind: CooldownKind,
  worker: Worker,
  rests: RestLengths,
  now: EpochMs,
): Cooldown {
  const { reason, evidence, source, resetAt } = signal;
  const record = { target: targetOf(signal.scope, worker), worker: worker.id, kind, since: now, evidence };
  if (signal.untilCleared) return { ...record, until: undefined, source, reason };
  const byDefault = { ...record, until: after(now, rests[kind]), source: 'default' as const, reason };
  if (resetAt === undefined) return byDefault;
  const belief = believe(resetAt, now);
  switch (belief.type) {
    case 'believed':
      return {
        ...record,
        until: belief.resetAt > now ? belief.resetAt : after(now, DUE_NOW),
        source,
        reason,
      };
    case 'clamped':
      return {
        ...record,
        until: belief.resetAt,
        source,
        reason: `${reason}; its reset is over 8 days away, so cut to that`,
      };
    case 'past':
      return byDefault;
    default:
      return unreachable(belief);
  }
}
