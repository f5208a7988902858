import type { Cooldown } from '../core/cooldown.ts';
import type { WorkerId } from '../core/ids.ts';
import type { Event } from '../core/event.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { after, durationMs, MINUTE } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { EndedAttempt } from '../workers/attempt.ts';
import { brief } from './brief.ts';
import type { Skipped, Spent } from './order.ts';

/** How the next attempt is told of the work. */
export interface Handover {
  readonly prompt: string;
  /** The CLI's own conversation to go on with. */
  readonly resume: string | undefined;
  readonly how: 'prompt' | 'brief' | 'resume';
}

const FIRST_PAUSE = MINUTE;
const LONGEST_PAUSE = durationMs(30 * MINUTE);

const GO_ON = 'Go on with the task where you left off.';

/** A task from its first attempt to its last: who is on it, what was begun, what was met. */
export class Session {
  readonly task: string;
  readonly #emit: (event: Event) => void;
  readonly #spent = new Map<WorkerId, Spent>();
  readonly #refusals = new Map<WorkerId, number>();
  readonly #skipsTold = new Map<WorkerId, string>();
  /** The attempts in which work was begun. After the first of them the same prompt is never sent again. */
  readonly #begun: { readonly worker: Worker; readonly attempt: EndedAttempt }[] = [];
  #worker: Worker | undefined;
  switchCount = 0;
  holdCount = 0;
  heldMs: DurationMs = durationMs(0);
  waitedMs: DurationMs = durationMs(0);

  constructor(task: string, emit: (event: Event) => void) {
    this.task = task;
    this.#emit = emit;
  }

  /** The worker that the session is on, and stays on until hard evidence moves it. */
  get worker(): Worker | undefined {
    return this.#worker;
  }

  get spent(): ReadonlyMap<WorkerId, Spent> {
    return this.#spent;
  }

  spend(worker: Worker, spent: Spent): void {
    this.#spent.set(worker.id, spent);
  }

  /**
   * Notes a refusal. Until when this session is not to ask the worker again, whatever reset was named: `undefined` the
   * first time; then a pause that doubles. Two seats that name a second each would else be asked in turn for ever.
   */
  refused({ id }: Worker, now: EpochMs): EpochMs | undefined {
    const before = this.#refusals.get(id) ?? 0;
    this.#refusals.set(id, before + 1);
    if (before === 0) return undefined;
    return after(now, durationMs(Math.min(FIRST_PAUSE * 2 ** (before - 1), LONGEST_PAUSE)));
  }

  moveTo(worker: Worker): void {
    const from = this.#worker;
    this.#worker = worker;
    if (from === undefined || from.id === worker.id) return;
    this.switchCount += 1;
    this.#emit({ type: 'handoff', from: from.id, to: worker.id, how: this.handover(worker).how });
  }

  /** Before any work was begun the task itself; after it never again (DESIGN 7). */
  handover(worker: Worker): Handover {
    const last = this.#begun.at(-1);
    if (last === undefined) return { prompt: this.task, resume: undefined, how: 'prompt' };
    const { worker: from, attempt } = last;
    if (from.adapter === worker.adapter && from.seat === worker.seat && attempt.conversation !== undefined) {
      return { prompt: GO_ON, resume: attempt.conversation, how: 'resume' };
    }
    const begun = this.#begun.map((one) => ({ by: one.worker.adapter, transcript: one.attempt.transcript }));
    return { prompt: brief(this.task, begun), resume: undefined, how: 'brief' };
  }

  attempted(worker: Worker, attempt: EndedAttempt): void {
    if (attempt.committed) this.#begun.push({ worker, attempt });
  }

  /** What its CLI waited for a busy provider counts against the same budget as our own waits. */
  held(busyMs: DurationMs): void {
    this.heldMs = durationMs(this.heldMs + busyMs);
  }

  /** Tells who was passed over, each once per reason. */
  tellSkipped(skipped: readonly Skipped[]): void {
    for (const { worker, reason, kind, until } of skipped) {
      if (this.#knows(worker, reason, until)) continue;
      this.#emit({ type: 'worker.skipped', worker: worker.id, reason, kind, until });
    }
  }

  /** This session has just said itself that the worker rests: its being skipped from now on is no news. */
  rested({ id }: Worker, { reason, until }: Pick<Cooldown, 'reason' | 'until'>): void {
    this.#skipsTold.set(id, `${reason} ${String(until)}`);
  }

  /** Whether a skip was told before in these words; it counts as told from now on. */
  #knows({ id }: Worker, reason: string, until: EpochMs | undefined): boolean {
    const words = `${reason} ${String(until)}`;
    const known = this.#skipsTold.get(id) === words;
    this.#skipsTold.set(id, words);
    return known;
  }
}
