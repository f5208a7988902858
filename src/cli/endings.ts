import type { OnQuota } from '../core/policy.ts';
import type { SessionId } from '../core/ids.ts';
import type { EpochMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { Outcome } from '../fleet/dispatch.ts';
import { choose } from '../fleet/choose.ts';
import type { Situation, Skipped } from '../fleet/order.ts';
import { EXIT } from './exit-codes.ts';
import { harmlessFields } from '../core/harmless.ts';
import { formatBack, formatUntil } from './format.ts';
import { BY_HAND, KIND_WORDS, kindWords } from './kind-words.ts';

/** How a worker's CLI is installed, and logged in to as that worker. */
export interface SetUp {
  readonly title: string;
  readonly install: string;
  readonly login: string;
}

export interface EndingContext {
  readonly now: EpochMs;
  readonly zone: string;
  readonly onQuota: OnQuota;
  readonly setUp: (worker: Pick<Worker, 'id' | 'adapter'>) => SetUp;
  /** What `resume` takes; `undefined` where nothing was started. */
  readonly session: SessionId | undefined;
}

export interface Ending {
  readonly code: number;
  /** What stderr says last; empty when nothing is left to say. */
  readonly message: string;
}

/** The exit code of a session and the last thing a person reads about it. */
export function ending(outcome: Outcome, context: EndingContext): Ending {
  // An answer is not told here, and may be long.
  return endingOf(outcome.type === 'done' ? outcome : harmlessFields(outcome), context);
}

function endingOf(outcome: Outcome, context: EndingContext): Ending {
  switch (outcome.type) {
    case 'done':
      return { code: EXIT.done, message: '' };
    case 'failed':
      return { code: EXIT.failed, message: failed(outcome, context) };
    case 'exhausted':
      return { code: EXIT.exhausted, message: exhausted(outcome, context) };
    case 'unavailable':
      return { code: EXIT.unavailable, message: unavailable(outcome.skipped, context) };
    case 'stopped':
      return stopped(outcome.because, context);
  }
}

/** The same where nothing was started, because nobody can be. */
export function nobodyStarts(situation: Situation, context: EndingContext): Ending {
  const choice = choose(situation, undefined);
  const { skipped } = choice;
  return choice.type === 'nobody'
    ? ending({ type: 'unavailable', skipped }, context)
    : ending(
        { type: 'exhausted', skipped, earliest: choice.type === 'resting' ? choice.earliest : undefined },
        context,
      );
}

function stopped(because: Extract<Outcome, { type: 'stopped' }>['because'], context: EndingContext): Ending {
  const goOn = resumeWith(context);
  switch (because) {
    case 'idle-timeout':
      return {
        code: EXIT.timeout,
        message: `the worker printed nothing for longer than --idle-timeout allows.${goOn}`,
      };
    case 'timeout':
      return { code: EXIT.timeout, message: `the task took longer than --timeout allows.${goOn}` };
    case 'interrupted':
      return {
        code: EXIT.interrupted,
        message: `interrupted; the worker and all it started are gone.${goOn}`,
      };
  }
}

function failed(
  { worker, reason, evidence, recognised }: Extract<Outcome, { type: 'failed' }>,
  context: EndingContext,
): string {
  const said = evidence === '' || evidence === reason ? '' : `\n  ${evidence}`;
  const unknown = recognised
    ? ''
    : '\nNothing we know fits this, so nobody rests for it. If it was a limit, save the output and see ' +
      "'secondwind replay --help': it becomes a fixture.";
  return `${worker.id} failed: ${reason}${said}${unknown}${resumeBelow(context)}`;
}

function exhausted(
  { skipped, earliest }: Extract<Outcome, { type: 'exhausted' }>,
  context: EndingContext,
): string {
  const { now, zone } = context;
  const rows = skipped.map((one) => `  ${one.worker.id}: ${state(one, now, zone)}`);
  const told = `${advice(skipped, earliest, context)}${resumeWith(context)}`;
  return ['no worker can take the task now.', ...rows, told].join('\n');
}

/** Behind a sentence. */
function resumeWith({ session }: EndingContext): string {
  return session === undefined ? '' : ` It goes on with: secondwind resume ${session}`;
}

/** Below what may be several lines. */
function resumeBelow(context: EndingContext): string {
  return resumeWith(context).replace(' ', '\n');
}

/** What to do about it, for whoever reads this in the morning. */
function advice(
  skipped: readonly Skipped[],
  earliest: Extract<Outcome, { type: 'exhausted' }>['earliest'],
  { now, zone, onQuota }: EndingContext,
): string {
  const reserve = skipped.some(({ because }) => because === 'reserve') ? ' Or pass --on-quota api.' : '';
  if (earliest !== undefined) {
    const back = `The first back is ${earliest.worker.id}, ${formatBack(earliest.at, now, zone)}`;
    const then =
      onQuota === 'wait'
        ? 'that is longer than --max-wait allows.'
        : 'try again then, or pass --on-quota wait.';
    return `${back}; ${then}${reserve}`;
  }
  if (skipped.some(({ because }) => because === 'busy'))
    return 'No place became free for as long as --max-wait allows; try again later.';
  return skipped.some(({ because }) => because === 'spent')
    ? `The provider failed or is too busy; try again in a few minutes.${reserve}`
    : `None of them comes back by itself: see secondwind cooldown list.${reserve}`;
}

/** `out of quota, until 21:53 (in 32m): usage limit`. */
function state(one: Skipped, now: EpochMs, zone: string): string {
  const { kind, reason, byHand = false } = one;
  if (kind === undefined) return `${reason}${when(one, now, zone)}`;
  const why = byHand && reason === BY_HAND ? '' : `: ${reason}`;
  return `${kindWords(kind, byHand)}${when(one, now, zone)}${why}`;
}

function when({ until, because }: Skipped, now: EpochMs, zone: string): string {
  if (until !== undefined) return `, ${formatUntil(until, now, zone)}`;
  return because === 'resting' ? ', until cleared' : '';
}

function unavailable(skipped: readonly Skipped[], context: EndingContext): string {
  const rows = skipped.map(({ worker, because, reason, kind }) => {
    const { title, install, login } = context.setUp(worker);
    if (because === 'missing') return `  ${worker.id}: ${reason}. ${title} is installed with: ${install}`;
    const mend =
      kind === 'cli-unavailable' ? `${title} is installed with: ${install}` : `Log in with: ${login}`;
    return `  ${worker.id}: ${kind === undefined ? '' : `${KIND_WORDS[kind]}: `}${reason}. ${mend}; then: secondwind cooldown clear ${worker.id}`;
  });
  const lines = ['no worker can run at all: none is installed, or none is logged in.', ...rows];
  return `${lines.join('\n')}${resumeBelow(context)}`;
}
