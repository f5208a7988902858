import type { Event } from '../../src/core/event.ts';
import { sessionId } from '../../src/core/ids.ts';
import type { SessionId } from '../../src/core/ids.ts';
import type { SessionRecord } from '../../src/core/session.ts';
import { afterKill, newSession } from '../../src/core/session.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Worker } from '../../src/core/worker.ts';
import { recorder } from '../../src/library/ledger.ts';
import { placesOf } from '../../src/library/places.ts';
import type { DispatchEffects } from '../../src/fleet/dispatch.ts';
import { dispatch } from '../../src/fleet/dispatch.ts';
import { openCooldowns } from '../../src/store/cooldowns.ts';
import { openHealth } from '../../src/store/health.ts';
import { openLedger } from '../../src/store/ledger.ts';
import { openSessions } from '../../src/store/sessions.ts';
import type { StoreProblem } from '../../src/store/problem.ts';
import type { Lease } from '../../src/system/lease-folder.ts';
import { aPolicy, aSession } from './builders.ts';
import type { NightClock } from './night-clock.ts';

/** How a played CLI attempts a task; what it tells goes where a real one's goes. */
export type NightAttempt = (
  task: string,
  order: {
    readonly worker: Worker;
    readonly handover: Parameters<DispatchEffects['attempt']>[1];
    readonly session: Parameters<DispatchEffects['attempt']>[2];
    readonly lease: Lease;
    readonly emit: (event: Event) => void;
  },
) => ReturnType<DispatchEffects['attempt']>;

interface NightOptions {
  readonly home: string;
  readonly clock: NightClock;
  readonly fleet: readonly Worker[];
  readonly tasks: readonly string[];
  readonly random: () => number;
  readonly attempt: NightAttempt;
  readonly report: (problem: StoreProblem) => void;
}

/** One secondwind over a list of tasks: real stores, leases and decisions, with a played world. */
export class NightProcess {
  readonly #options: NightOptions;
  readonly #leases = new Set<Lease>();
  readonly #store: ReturnType<typeof openSessions>;
  readonly #ledger: ReturnType<typeof openLedger>;
  readonly #saving = new Set<SessionId>();
  #isAlive = true;

  constructor(options: NightOptions) {
    const { home, clock, report } = options;
    this.#options = options;
    this.#store = openSessions({ home, clock: clock.ofFiles, report });
    this.#ledger = openLedger({ home, report });
  }

  /** Works through what is not done, so many at once. */
  async run(concurrency: number): Promise<void> {
    const known = await this.#store.list();
    const queue = this.#options.tasks.flatMap((task) => {
      const before = known.find(({ record }) => record.request.batch?.key === task)?.record;
      return before?.state === 'done' ? [] : [{ task, before }];
    });
    const work = async (): Promise<void> => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift())
        await this.#play(await this.#sessionOf(next.task, next.before));
    };
    const { clock } = this.#options;
    await Promise.all(Array.from({ length: concurrency }, () => clock.play(this, work)));
  }

  /** As `kill -9` does: what was not saved is forgotten, and nobody does anything more. */
  async kill(): Promise<void> {
    this.#isAlive = false;
    this.#options.clock.kill(this);
    this.#ledger.close();
    // What was under way to the disk gets there, or not: here it does.
    await Promise.all([...this.#saving].map((id) => this.#store.saved(id)));
    // The next start ends who was left running.
    for (const lease of this.#leases) lease.release();
  }

  async #sessionOf(task: string, before: SessionRecord | undefined): Promise<SessionRecord> {
    if (before !== undefined) {
      const claimed = await this.#store.claim(before.id);
      if (!claimed.ok || claimed.value === undefined) throw new Error(`could not go on with ${before.id}`);
      return afterKill(claimed.value);
    }
    const request = { ...aSession().request, task, batch: { file: '/tasks', key: task } };
    return newSession(sessionId(`20261129-200000-${task}`), request, this.#options.clock.now());
  }

  async #play(session: SessionRecord): Promise<void> {
    const { fleet } = this.#options;
    const policy = aPolicy({ onQuota: 'wait' });
    await dispatch({ session, fleet, model: undefined, policy, spread: true }, this.#effects(session));
  }

  #effects(session: SessionRecord): DispatchEffects {
    const { home, clock, random, report, attempt } = this.#options;
    const own = clock.of(this);
    const cooldowns = openCooldowns({ home, clock: clock.ofFiles, report });
    const health = openHealth({ home, clock: clock.ofFiles, report });
    const places = placesOf({ stateHome: home, clock: clock.ofFiles });
    const writeDown = recorder(this.#ledger);
    const emit = (event: Event): void => {
      writeDown({ ...event, at: own.now(), session: session.id });
    };
    return {
      ...{ clock: own, random, emit, abort: new AbortController().signal },
      readCooldowns: () => cooldowns.read(),
      recordCooldown: async (cooldown) => {
        const recorded = await cooldowns.record(cooldown);
        return recorded.ok ? ok(undefined) : err(recorded.error.message);
      },
      clearCooldowns: async (clearance) => {
        const cleared = await cooldowns.clear(clearance);
        return cleared.ok ? cleared : err(cleared.error.message);
      },
      readHealth: () => health.read(),
      noteHealth: async (note) => {
        await health.note(note);
      },
      missing: () => new Map(),
      ...{ loads: places.loads, reserve: places.reserve, giveBack: places.giveBack },
      cliHome: ({ seat }) => `/homes/${seat}`,
      moveConversation: () => Promise.resolve(ok(undefined)),
      workTreeChanges: () => Promise.resolve(undefined),
      saveSession: (record) => {
        if (!this.#isAlive) return;
        this.#saving.add(record.id);
        this.#store.save(record);
      },
      sessionSaved: async () => {
        await this.#store.saved(session.id);
      },
      attempt: async (worker, handover, live) => {
        const lease = places.lease();
        this.#leases.add(lease);
        const ended = await attempt(session.request.task, { worker, handover, session: live, lease, emit });
        lease.release();
        return ended;
      },
    };
  }
}
