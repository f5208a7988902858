import type { Event } from '../core/event.ts';
import type { SessionId } from '../core/ids.ts';
import type { SessionRecord } from '../core/session.ts';
import type { Worker } from '../core/worker.ts';
import type { Outcome } from '../fleet/dispatch.ts';
import { dispatch } from '../fleet/dispatch.ts';
import { effectsOf } from './effects.ts';
import type { Ending } from './endings.ts';
import { ending } from './endings.ts';
import { eventTeller } from './event-json.ts';
import { hookTeller } from './hooks.ts';
import type { Io } from './io.ts';
import { recorder } from './ledger.ts';
import { createReport } from './report.ts';
import { quotaOf, readingOf, sampler } from './quota.ts';
import type { RunPlan } from './run-plan.ts';
import { adapterOf } from './run-plan.ts';
import { runView } from './run-view.ts';
import type { Memory } from './sessions.ts';
import { style } from './style.ts';

export interface SessionRun extends Memory {
  /** A new session, or one that goes on. */
  readonly session: SessionRecord;
  readonly addition: string | undefined;
  readonly plan: RunPlan;
  readonly json: boolean;
  readonly quiet: boolean;
  /** One of many tasks at once. */
  readonly spread?: boolean;
}

/** One session from here to its end, told to whoever watches. Returns the exit code. */
export async function runSession(io: Io, run: SessionRun, abort: AbortSignal): Promise<number> {
  const { session, plan, json } = run;
  const outcome = await playSession(io, run, abort, emitter(io, run, session.id, plan.fleet));
  if (outcome.type === 'done' && !json) io.terminal.out(withLineBreak(outcome.text));
  const isKept = await run.store.saved(session.id);
  const { code, message } = endingOf(io, run, outcome, isKept ? session.id : undefined);
  if (message !== '') io.terminal.err(`secondwind: ${message}\n`);
  return code;
}

/** One session from here to its end. Every event goes to the ledger, and to `tell`. */
export async function playSession(
  io: Io,
  run: SessionRun,
  abort: AbortSignal,
  tell: (event: Event) => void,
): Promise<Outcome> {
  const { session, addition, plan, store, spread = false } = run;
  const writeDown = recorder(run.ledger, io, session.id);
  const quota = quotaOf(io);
  const isSample = sampler(io.clock);
  const runHooks = hookTeller(io, plan.hooks, { session: session.id, directory: plan.directory });
  const emit = (event: Event): void => {
    if (isSample(event)) writeDown(event);
    if (event.type === 'reading') quota.note([readingOf(event, io.clock.now())]);
    tell(event);
    runHooks(event);
  };
  const effects = {
    ...effectsOf(io, plan, abort, emit, run.unrecorded),
    readQuota: quota.read,
    saveSession: store.save,
    sessionSaved: async () => {
      await store.saved(session.id);
    },
  };
  const over = new AbortController();
  if (plan.pollMs !== undefined) {
    const every = plan.pollMs;
    void import('./polling.ts').then(({ pollEvery }) => pollEvery(io, plan, every, over.signal));
  }
  try {
    return await dispatch({ ...plan, session, addition, spread }, effects);
  } finally {
    over.abort();
  }
}

/** The exit code of a session, and the last thing a person reads about it; `session` is what a resume takes, where one can. */
export function endingOf(
  io: Io,
  { plan }: Pick<SessionRun, 'plan'>,
  outcome: Outcome,
  session?: SessionId,
): Ending {
  return ending(outcome, {
    ...{ now: io.clock.now(), zone: io.zone, onQuota: plan.policy.onQuota, session },
    setUp: (name) => adapterOf(plan, { adapter: name }),
  });
}

function emitter(
  io: Io,
  { json, quiet }: Pick<SessionRun, 'json' | 'quiet'>,
  session: SessionId,
  fleet: readonly Worker[],
): (event: Event) => void {
  if (json) return eventTeller(io, session);
  const { terminal, zone, clock } = io;
  const now = () => clock.now();
  const nameWidth = Math.max(...fleet.map(({ id }) => id.length));
  const look = style(terminal.colors.err);
  const report = createReport({ terminal, style: look, zone, now, quiet, nameWidth });
  if (quiet || !terminal.isLive) return report;
  const view = runView({ show: terminal.show, style: look, clock });
  return (event) => {
    view(event);
    report(event);
  };
}

export function withLineBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
