import type { Cooldown } from '../../src/core/cooldown.ts';
import type { Event } from '../../src/core/event.ts';
import type { Health } from '../../src/core/health.ts';
import { noted } from '../../src/core/health.ts';
import { isCovered } from '../../src/core/merge.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { Rule } from '../../src/core/rule.ts';
import type { Signal } from '../../src/core/signal.ts';
import type { SessionRecord } from '../../src/core/session.ts';
import { epochMs, HOUR } from '../../src/core/time.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Worker } from '../../src/core/worker.ts';
import type { DispatchEffects, Outcome } from '../../src/fleet/dispatch.ts';
import { dispatch } from '../../src/fleet/dispatch.ts';
import type { Handover, HandoverEffects } from '../../src/fleet/handover.ts';
import type { Session } from '../../src/fleet/session.ts';
import { NOW } from './a-cooldown.ts';
import { aPolicy, anEndedAttempt, aSession, aSignal } from './builders.ts';
import { FakeClock } from './fake-clock.ts';

/** What happened, in order: who was started and told what, what was written, how long was slept. */
export type Step =
  | { readonly type: 'attempt'; readonly worker: string; readonly handover: Handover }
  | { readonly type: 'recorded'; readonly cooldown: Cooldown }
  | { readonly type: 'not-recorded' };

export type PlayedAttempt = (
  worker: Worker,
  session: Session,
) => NonNullable<Parameters<typeof anEndedAttempt>[0]>;

export interface Stage {
  readonly fleet: readonly Worker[];
  /** The attempts in order; once there are no more, the last one is played again. */
  readonly attempts: readonly PlayedAttempt[];
  readonly policy?: Partial<Policy>;
  readonly model?: string;
  readonly cooldowns?: readonly Cooldown[];
  readonly health?: readonly Health[];
  /** The disk is full: nothing can be recorded. */
  readonly isFull?: boolean;
  readonly random?: number;
  readonly missing?: DispatchEffects['missing'];
  readonly abort?: AbortController;
  /** A session that goes on, and what a person adds to it. */
  readonly session?: SessionRecord;
  readonly addition?: string;
  readonly rules?: readonly Rule[];
  readonly readQuota?: NonNullable<DispatchEffects['readQuota']>;
  /** Where the CLIs have their homes, and what moves between them; nothing does by itself. */
  readonly handover?: Partial<Omit<HandoverEffects, 'emit'>>;
}

/** The instant so many hours after the beginning. */
export const inHours = (hours: number) => epochMs(NOW + hours * HOUR);

export const done: PlayedAttempt = () => ({
  ending: { type: 'done', text: 'All done.' },
  progress: { committed: true },
});
export const refused =
  (signal: Partial<Signal> = {}, committed = false): PlayedAttempt =>
  () => ({ ending: { type: 'refused', signal: aSignal(signal) }, progress: { committed } });

/**
 * How many attempts any session may take here: whoever needs more would go on for ever. A day of waiting on four
 * workers, each asked once in half an hour at the end, takes 212.
 */
const TOO_MANY = 500;

/** A session over made-up attempts, a store in memory and a clock of its own. */
export class Play {
  readonly clock = new FakeClock();
  readonly steps: Step[] = [];
  readonly events: Event[] = [];
  /** The session as it was saved, each time. */
  readonly saved: SessionRecord[] = [];
  cooldowns: readonly Cooldown[];
  health: readonly Health[];
  readonly #stage: Stage;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.cooldowns = stage.cooldowns ?? [];
    this.health = stage.health ?? [];
  }

  run(): Promise<Outcome> {
    const { fleet, policy, model, session = aSession(), addition, rules = [] } = this.#stage;
    const additions = [
      ...(session.request.additions ?? []),
      ...(addition === undefined ? [] : [{ text: addition, at: this.clock.now() }]),
    ];
    const asked = { ...session, request: { ...session.request, additions } };
    return dispatch(
      { session: asked, fleet, model, policy: aPolicy(policy), spread: false, rules },
      this.#effects(),
    );
  }

  /** Who was started, in order. */
  get started(): readonly string[] {
    return this.steps.flatMap((step) => (step.type === 'attempt' ? [step.worker] : []));
  }

  get handovers(): readonly Handover['how'][] {
    return this.steps.flatMap((step) => (step.type === 'attempt' ? [step.handover.how] : []));
  }

  eventsOf<Type extends Event['type']>(type: Type): readonly Extract<Event, { readonly type: Type }>[] {
    return this.events.filter(
      (event): event is Extract<Event, { readonly type: Type }> => event.type === type,
    );
  }

  #effects(): DispatchEffects {
    const { isFull, random = 0, missing = () => new Map(), abort, attempts, handover } = this.#stage;
    return {
      clock: this.clock,
      random: () => random,
      abort: (abort ?? new AbortController()).signal,
      emit: (event) => this.events.push(event),
      readCooldowns: () => Promise.resolve(this.cooldowns),
      recordCooldown: (cooldown) => {
        this.steps.push(isFull === true ? { type: 'not-recorded' } : { type: 'recorded', cooldown });
        if (isFull === true) return Promise.resolve(err('the disk is full'));
        this.cooldowns = [...this.cooldowns, cooldown];
        return Promise.resolve(ok(undefined));
      },
      clearCooldowns: (clearance) => {
        const ends = (one: Cooldown): boolean => isCovered(one, clearance) && one.since <= clearance.at;
        const ended = this.cooldowns.filter(ends);
        this.cooldowns = this.cooldowns.filter((one) => !ends(one));
        return Promise.resolve(ok(ended));
      },
      readHealth: () => Promise.resolve(this.health),
      readQuota: this.#stage.readQuota ?? (() => Promise.resolve([])),
      noteHealth: (note) => {
        this.health = noted(this.health, note);
        return Promise.resolve();
      },
      missing,
      loads: () => new Map(),
      reserve: () => Promise.resolve(true),
      giveBack: () => undefined,
      cliHome: ({ adapter, seat }) => `/homes/${adapter}-${seat}`,
      moveConversation: () => Promise.resolve(err('nothing moves here')),
      workTreeChanges: () => Promise.resolve(undefined),
      ...handover,
      saveSession: (record) => this.saved.push(record),
      sessionSaved: () => Promise.resolve(),
      attempt: (worker, handover, session) => {
        const number = this.started.length;
        if (number >= TOO_MANY) throw new Error('this session goes on for ever');
        this.steps.push({ type: 'attempt', worker: worker.id, handover });
        const startedAt = this.clock.now();
        const ended = (attempts[number] ?? attempts.at(-1))?.(worker, session);
        return Promise.resolve(anEndedAttempt({ startedAt, endedAt: this.clock.now(), ...ended }));
      },
    };
  }
}
