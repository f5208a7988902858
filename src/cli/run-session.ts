import type { Event } from '../core/event.ts';
import type { SessionId } from '../core/ids.ts';
import type { SessionWorktree } from '../core/session.ts';
import type { Worker } from '../core/worker.ts';
import type { Outcome } from '../fleet/dispatch.ts';
import { eventLine } from '../library/event-json.ts';
import type { ToldEvent } from '../library/event.ts';
import type { Plan } from '../library/plan.ts';
import type { Run } from '../library/run.ts';
import type { Ending } from './endings.ts';
import { ending } from './endings.ts';
import type { Io } from './io.ts';
import { refuse } from './io.ts';
import { createReport } from './report.ts';
import { runView } from './run-view.ts';
import { style } from './style.ts';
import { setUpOf } from './login-command.ts';
import { lookAt, sayWhere, worktreeReport } from './worktree-report.ts';

export interface Told {
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Tells whoever watches of a run until its end. Returns the exit code. */
export async function runInSight(io: Io, run: Run, plan: Plan, told: Told): Promise<number> {
  const tell = told.json ? jsonTeller(io) : teller(io, plan.fleet, told);
  let worktree: SessionWorktree | undefined;
  /** The same, once somebody has started in it. */
  let place: SessionWorktree | undefined;
  for await (const event of run) {
    if (event.type === 'session.started') ({ worktree } = event);
    if (event.type === 'attempt.started' && worktree !== undefined && place === undefined)
      sayWhere(io, (place = worktree));
    tell(event);
  }
  const outcome = await run.outcome;
  if (outcome.type === 'refused') return refuse(io, outcome.refusal);
  if (outcome.type === 'done' && !told.json) io.terminal.out(withLineBreak(outcome.text));
  const isSaved = await run.isSaved();
  const { code, message } = endingOf(io, plan, outcome, isSaved ? run.session : undefined);
  if (message !== '') io.terminal.err(`secondwind: ${message}\n`);
  if (place !== undefined) io.terminal.err(worktreeReport(place, await lookAt(io, place)));
  return code;
}

/** The exit code of a session, and the last thing a person reads about it; `session` is what a resume takes, where one can. */
export function endingOf(io: Io, plan: Plan, outcome: Outcome, session?: SessionId): Ending {
  return ending(outcome, {
    ...{ now: io.clock.now(), onQuota: plan.policy.onQuota, session },
    get zone() {
      return io.zone;
    },
    setUp: setUpOf(plan),
  });
}

/** Tells events on stdout, as `--json` promises. */
export function jsonTeller({ terminal }: Pick<Io, 'terminal'>): (event: ToldEvent) => void {
  return (event) => {
    terminal.out(eventLine(event));
  };
}

function teller(io: Io, fleet: readonly Worker[], { quiet }: Pick<Told, 'quiet'>): (event: Event) => void {
  const { terminal, clock } = io;
  const now = () => clock.now();
  const nameWidth = Math.max(...fleet.map(({ id }) => id.length));
  const look = style(terminal.colors.err);
  const report = createReport({
    ...{ terminal, style: look, now, quiet, nameWidth },
    get zone() {
      return io.zone;
    },
  });
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
