import type { Exit, Line } from '../core/line.ts';
import type { Signal, SignalKind } from '../core/signal.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { after, durationMs, MINUTE } from '../core/time.ts';
import type { Unknown } from '../core/unknown.ts';
import { unreachable } from '../core/unreachable.ts';
import type { Observation, Reader, Retrying, Verdict } from './adapter.ts';

/** How long an attempt may sit in its CLI's own retries. */
export interface Patience {
  /** For throttles and lost connections (`--patience`, 60 s). Zero: the first retry over a 429 is the last. */
  readonly patienceMs: DurationMs;
  /** For a provider that is merely busy or broken: what is left of `--hold` (20 min), which the CLI's retries may sit out. */
  readonly holdMs: DurationMs;
}

/** What one line meant, and whether the attempt is to be ended at it. */
export interface Watched {
  readonly observations: readonly Observation[];
  /** A sure sign: end the child now. */
  readonly end: Signal | undefined;
}

/**
 * Decides at which line an attempt is ended; the same code for `run`, `replay` and the fixtures. No timers: a CLI
 * announces how long it is going to wait, so what will outlast patience is known at the line that says so, and a
 * model that thinks in silence after a retry that worked is never taken for one that sleeps.
 */
export class Watch {
  readonly #reader: Reader;
  readonly #patience: Patience;
  /**
   * When the present series of retries began, by kind: ten minutes of a busy provider, which hold allows, must not
   * use up the patience with a throttle that follows. Any answer of the model ends them all.
   */
  readonly #troubleSince = new Map<SignalKind, DurationMs>();
  #authRefusals = 0;
  #trouble: Signal | undefined;
  #ended: Signal | undefined;
  #committed = false;
  #finished = false;

  constructor(reader: Reader, patience: Patience) {
    this.#reader = reader;
    this.#patience = patience;
  }

  /** Whether content or a tool use was seen: from then on the same prompt must not be sent again. */
  get committed(): boolean {
    return this.#committed;
  }

  /** Whether the CLI said that the task is done: from then on nothing ends the attempt as anything else. */
  get finished(): boolean {
    return this.#finished;
  }

  /** What was met so far that nobody here knows. */
  get unknown(): readonly Unknown[] {
    return this.#reader.unknown();
  }

  /** Without which letter a line of stdout tells nothing from here on; `undefined`: any line may. */
  get telling(): string | undefined {
    return this.#reader.telling;
  }

  /** For how long, at this moment, the provider has been too busy to answer: the CLI's own waits are a part of the hold. */
  busyMs(monotonic: DurationMs): DurationMs {
    const since = this.#troubleSince.get('overloaded');
    return durationMs(since === undefined ? 0 : monotonic - since);
  }

  /** What its CLI is retrying over, and has not overcome. */
  get trouble(): Signal | undefined {
    return this.#trouble;
  }

  push(line: Line): Watched {
    const observations = this.#reader.push(line);
    let end: Signal | undefined;
    for (const observation of observations) end ??= this.#weigh(observation, line);
    this.#ended ??= end;
    return { observations, end };
  }

  /** The attempt judged: by what it was ended for, else by its own end. */
  end(exit: Exit, at: EpochMs): Verdict {
    if (this.#ended !== undefined) return { type: 'refused', signal: this.#ended };
    const verdict = this.#reader.end(exit, at);
    if (verdict.type !== 'failed' || verdict.died !== true || verdict.recognised) return verdict;
    if (this.#trouble === undefined) return verdict;
    // It gave up over what it was retrying, without another word: that is the cause, and no death of its own. One that was
    // killed from outside meanwhile says nothing about either.
    if (exit.signal === undefined) return { type: 'refused', signal: this.#trouble };
    const { type, reason, evidence, recognised } = verdict;
    return { type, reason, evidence, recognised };
  }

  #weigh(observation: Observation, line: Line): Signal | undefined {
    if (this.#finished) return undefined;
    switch (observation.type) {
      case 'finished':
        this.#finished = true;
        return undefined;
      case 'refused':
        return observation.signal;
      case 'retrying':
        return this.#weighRetry(observation, line);
      case 'text':
      case 'tool':
        this.#committed = true;
        this.#recovered();
        return undefined;
      case 'progress':
        this.#recovered();
        return undefined;
      case 'conversation':
      case 'cost':
      case 'reading':
      case 'note':
        return undefined;
      default:
        return unreachable(observation);
    }
  }

  #recovered(): void {
    // Nearly every line says so, and nearly never was there any trouble: to clear a map makes a new one.
    if (this.#troubleSince.size > 0) this.#troubleSince.clear();
    this.#trouble = undefined;
    this.#authRefusals = 0;
  }

  #weighRetry({ delayMs, signal }: Retrying, { at, monotonic }: Line): Signal | undefined {
    this.#trouble = signal;
    const since = this.#troubleSince.get(signal.kind) ?? monotonic;
    this.#troubleSince.set(signal.kind, since);
    // Refusals of a login count when they come in a row: a provider that says 503 in between does not know its own mind.
    if (signal.kind !== 'auth-failure') this.#authRefusals = 0;
    const outlasts = (budget: DurationMs): boolean => monotonic - since + (delayMs ?? 0) > budget;
    const { patienceMs, holdMs } = this.#patience;
    switch (signal.kind) {
      case 'rate-limit': {
        if (!outlasts(patienceMs) && patienceMs > 0) return undefined;
        const shortest = durationMs(Math.min(patienceMs, LONGEST_OWN_BACKOFF));
        const named = [signal.resetAt, delayMs === undefined ? undefined : after(at, delayMs)];
        return {
          ...signal,
          resetAt: named.find((resetAt) => resetAt !== undefined && resetAt - at > shortest),
        };
      }
      case 'connection-failure':
        return outlasts(patienceMs) ? signal : undefined;
      case 'auth-failure':
        this.#authRefusals += 1;
        return this.#authRefusals >= 2 ? signal : undefined;
      case 'overloaded':
      case 'server-error':
        return outlasts(holdMs) ? signal : undefined;
      case 'out-of-credits':
      case 'cli-unavailable':
        return signal;
      default:
        return unreachable(signal.kind);
    }
  }
}

/**
 * The longest wait that the CLIs choose by themselves between retries (Claude Code 2.1.197: 40 s, Gemini CLI 0.61:
 * 36 s, in our captures). What is longer, or beyond patience at once, comes from the provider or is as good as its word.
 * What is shorter, said again and again ("Please retry in 2.3s"), is the pace of a throttle and no reset.
 */
const LONGEST_OWN_BACKOFF = MINUTE;
