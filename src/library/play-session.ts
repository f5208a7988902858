import type { Event } from '../core/event.ts';
import type { SessionRecord } from '../core/session.ts';
import type { Outcome } from '../fleet/dispatch.ts';
import { dispatch } from '../fleet/dispatch.ts';
import { effectsOf } from './effects.ts';
import type { ToldEvent } from './event.ts';
import type { Home } from './home.ts';
import { recorder } from './ledger.ts';
import type { Plan } from './plan.ts';
import { quotaNoter, quotaOf, sampler } from './quota.ts';
import { inWorktree } from './worktree.ts';
import { inItsPlace } from './worktree-session.ts';

/** A session with everything that it takes to run it. */
export interface SessionRun {
  /** A new session, or one that goes on. */
  readonly session: SessionRecord;
  readonly plan: Plan;
  /** One of many tasks at once. */
  readonly spread: boolean;
}

/** One session from here to its end. Every event goes to the ledger, and to `tell`. */
export async function playSession(
  { host: outer, hooks, memory }: Home,
  { session, plan, spread }: SessionRun,
  abort: AbortSignal,
  tell: (event: ToldEvent) => void,
): Promise<Outcome> {
  const host = session.request.worktree === undefined ? outer : inWorktree(outer);
  const { clock } = host;
  const writeDown = recorder(memory.ledger);
  const quota = quotaOf(host);
  const noteQuota = quotaNoter(quota, plan.fleet);
  const isSample = sampler(clock);
  const runHooks = hooks.teller(host, plan.hooks, plan.directory);
  const emit = (event: Event): void => {
    const told: ToldEvent = { ...event, at: clock.now(), session: session.id };
    if (isSample(event)) writeDown(told);
    noteQuota(event, told.at);
    tell(told);
    runHooks(told);
  };
  const own = effectsOf(host, plan, abort, emit, memory.unrecorded);
  const effects = {
    ...own,
    attempt: inItsPlace(host, session, abort, own.attempt),
    readQuota: quota.read,
    saveSession: memory.store.save,
    sessionSaved: async () => {
      await memory.store.saved(session.id);
    },
  };
  const over = new AbortController();
  if (plan.pollMs !== undefined) {
    const every = plan.pollMs;
    void import('./polling.ts').then(({ pollEvery }) => pollEvery(host, plan, every, over.signal));
  }
  try {
    return await dispatch({ ...plan, session, spread }, effects);
  } finally {
    over.abort();
  }
}
