import type { Cooldown } from '../core/cooldown.ts';
import type { Event, RuleOutcome, RuleWeighed } from '../core/event.ts';
import type { WorkerId } from '../core/ids.ts';
import type {
  AttemptProgress,
  AttemptRecord,
  SessionRecord,
  SessionRequest,
  SessionState,
} from '../core/session.ts';
import { NOTHING_BEGUN } from '../core/session.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { after, durationMs, formatDuration } from '../core/time.ts';
import type { KnownWorker, Worker } from '../core/worker.ts';
import type { Clock } from '../system/clock.ts';
import type { EndedAttempt } from '../workers/attempt.ts';
import { outcomeOf, reasonOf } from '../workers/attempt-events.ts';
import type { Handover } from './handover.ts';
import { pauseAfter } from './pause.ts';
import type { Skipped, Spent } from './order.ts';

/** A night of refusals must not grow the saved session without end. */
const MOST_ATTEMPTS = 1_000;
const MOST_WITH_TOOLS = 20;

interface SessionEffects {
  readonly clock: Pick<Clock, 'now'>;
  readonly emit: (event: Event) => void;
  /** Takes the session as it is now; what it does with it must not hold anybody up. */
  readonly save: (record: SessionRecord) => void;
}

/** A task from its first attempt to its last: who is on it, what was begun, what was met. */
export class Session {
  readonly #effects: SessionEffects;
  readonly #spent = new Map<WorkerId, Spent>();
  readonly #refusals = new Map<WorkerId, number>();
  readonly #skipsTold = new Map<WorkerId, string>();
  readonly #rulesTold = new Map<number, RuleOutcome>();
  readonly #loginsTried = new Set<WorkerId>();
  /** What is to be told of the attempt that is about to start. */
  #handoff: Event | undefined;
  #record: SessionRecord;
  #resumed: string | undefined;
  /** Of this run alone, as its budgets are: a resumed session has new ones. */
  heldMs: DurationMs = durationMs(0);
  holdCount = 0;
  waitedMs: DurationMs = durationMs(0);

  constructor(record: SessionRecord, effects: SessionEffects) {
    this.#record = record;
    this.#effects = effects;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  get request(): SessionRequest {
    return this.#record.request;
  }

  /** The attempts in which work was begun, and those that were killed before anybody could tell. */
  get begun(): readonly AttemptRecord[] {
    return this.#record.attempts.filter(({ committed, endedAt }) => committed || endedAt === undefined);
  }

  /** The worker that the session is on, and stays on until hard evidence moves it. */
  get worker(): WorkerId | undefined {
    return this.#record.attempts.at(-1)?.worker;
  }

  get spent(): ReadonlyMap<WorkerId, Spent> {
    return this.#spent;
  }

  spend(worker: Worker, spent: Spent): void {
    this.#spent.set(worker.id, spent);
  }

  /** Notes a refusal. Until when this session is not to ask the worker again; told where that outlasts its rest. */
  refused({ id }: Worker, now: EpochMs, rest: EpochMs | undefined): EpochMs | 'for good' | undefined {
    const before = this.#refusals.get(id) ?? 0;
    this.#refusals.set(id, before + 1);
    const length = pauseAfter(before);
    if (length === undefined) return undefined;
    const pause = length === 'for good' ? length : after(now, length);
    if (pause === 'for good' || (rest !== undefined && pause > rest)) {
      const long = length === 'for good' ? 'any more' : `for ${formatDuration(length)}`;
      const text = `was refused again, so this session does not ask it ${long}`;
      this.#effects.emit({ type: 'attempt.note', worker: id, text });
    }
    return pause;
  }

  /**
   * A refused login is tried once more before it is believed, with the credentials read again: another process that has
   * just renewed the same login leaves exactly such a refusal behind.
   */
  mayTryLoginAgain({ id }: Worker): boolean {
    if (this.#loginsTried.has(id)) return false;
    this.#loginsTried.add(id);
    const text = 'its login was refused; it may have been renewed meanwhile, so it is tried once more';
    this.#effects.emit({ type: 'attempt.note', worker: id, text });
    return true;
  }

  /** Whether the attempt that runs is one for want of anybody healthy. */
  get isLastResort(): boolean {
    return this.#record.attempts.at(-1)?.lastResort ?? false;
  }

  /** An attempt is about to start. */
  begin(
    worker: Worker,
    { how, cliHome, resume }: Handover,
    of: Pick<AttemptRecord, 'model' | 'lastResort'>,
  ): void {
    this.#resumed = resume;
    const from = this.worker;
    const isSwitch = from !== undefined && from !== worker.id;
    const { id, adapter, seat, shareTranscripts } = worker;
    const attempt: AttemptRecord = {
      ...NOTHING_BEGUN,
      ...{ worker: id, adapter, seat, how, cliHome, shareTranscripts, ...of },
      startedAt: this.#effects.clock.now(),
      ...{ endedAt: undefined, outcome: undefined, reason: undefined, signal: undefined },
    };
    this.#change({
      attempts: bounded([...this.#record.attempts, attempt]),
      switchCount: this.#record.switchCount + (isSwitch ? 1 : 0),
    });
    this.#handoff = isSwitch ? { type: 'handoff', from, to: id, how } : undefined;
  }

  /** The attempt starts indeed. */
  tellHandoff(): void {
    if (this.#handoff !== undefined) this.#effects.emit(this.#handoff);
    this.#handoff = undefined;
  }

  /** The attempt that was about to start does not. */
  withdraw(): void {
    const { attempts, switchCount } = this.#record;
    const isSwitch = this.#handoff !== undefined;
    this.#handoff = undefined;
    this.#change({ attempts: attempts.slice(0, -1), switchCount: switchCount - (isSwitch ? 1 : 0) });
  }

  /**
   * The CLI does not have the conversation that it was to go on with: nobody is sent to it again, so that the next attempt
   * is told of the work. False: it was sent to none.
   */
  loseConversation(): boolean {
    const lost = this.#resumed;
    if (lost === undefined) return false;
    const attempts = this.#record.attempts.map((attempt) =>
      attempt.conversation === lost ? { ...attempt, conversation: undefined } : attempt,
    );
    this.#change({ attempts });
    return true;
  }

  /** What is known of the attempt that runs. */
  progressed(progress: AttemptProgress): void {
    this.#changeLast(progress);
  }

  attempted({ ending, progress, startedAt, endedAt }: EndedAttempt): void {
    const signal = ending.type === 'refused' ? ending.signal : undefined;
    this.#changeLast({
      ...progress,
      // From when it ran, as its events tell: not from when it was about to.
      ...{ startedAt, endedAt },
      outcome: outcomeOf(ending),
      reason: reasonOf(ending, undefined),
      signal: signal && {
        ...{ kind: signal.kind, scope: signal.scope, resetAt: signal.resetAt, source: signal.source },
      },
    });
  }

  /** A hold or a wait begins, or is over; or the whole session is, with its final answer. */
  enter(state: SessionState, until?: EpochMs, text = ''): void {
    this.#change({ state, until, text });
  }

  /** Time was spent holding: by our own wait (`isHold`), or by its CLI, which counts against the same budget. */
  held(duration: DurationMs, isHold: boolean): void {
    const count = isHold ? 1 : 0;
    this.heldMs = durationMs(this.heldMs + duration);
    this.holdCount += count;
    const { heldMs, holdCount } = this.#record;
    this.#change({ heldMs: durationMs(heldMs + duration), holdCount: holdCount + count });
  }

  waited(duration: DurationMs): void {
    this.waitedMs = durationMs(this.waitedMs + duration);
    this.#change({ waitedMs: durationMs(this.#record.waitedMs + duration) });
  }

  /** Tells who was passed over, each once per reason. */
  tellSkipped(skipped: readonly Skipped[]): void {
    for (const { worker, reason, kind, until } of skipped) {
      if (this.#knows(worker, reason, until)) continue;
      this.#effects.emit({ type: 'worker.skipped', worker: worker.id, reason, kind, until });
    }
  }

  /** Tells how a rule stands when that is news; it is re-read before every choice. */
  tellRule(event: RuleWeighed): void {
    if (this.#rulesTold.get(event.rule) === event.outcome) return;
    this.#rulesTold.set(event.rule, event.outcome);
    this.#effects.emit(event);
  }

  /** This session has just said itself that the worker rests: its being skipped from now on is no news. */
  rested({ id }: Worker, { reason, until }: Pick<Cooldown, 'reason' | 'until'>): void {
    this.#skipsTold.set(id, `${reason} ${String(until)}`);
  }

  /** Whether a skip was told before in these words; it counts as told from now on. */
  #knows({ id }: KnownWorker, reason: string, until: EpochMs | undefined): boolean {
    const words = `${reason} ${String(until)}`;
    const known = this.#skipsTold.get(id) === words;
    this.#skipsTold.set(id, words);
    return known;
  }

  #changeLast(news: Partial<AttemptRecord>): void {
    const { attempts } = this.#record;
    const last = attempts.at(-1);
    if (last !== undefined) this.#change({ attempts: [...attempts.slice(0, -1), { ...last, ...news }] });
  }

  #change(news: Partial<SessionRecord>): void {
    this.#record = { ...this.#record, ...news, updatedAt: this.#effects.clock.now() };
    this.#effects.save(this.#record);
  }
}

/** Of the oldest attempts first the tools are forgotten, then all. */
function bounded(attempts: readonly AttemptRecord[]): readonly AttemptRecord[] {
  const kept = attempts.slice(-MOST_ATTEMPTS);
  return kept.map((attempt, index) =>
    index >= kept.length - MOST_WITH_TOOLS || attempt.tools.length === 0
      ? attempt
      : { ...attempt, tools: [], droppedTools: attempt.droppedTools + attempt.tools.length },
  );
}
