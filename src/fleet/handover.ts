import type { Event } from '../core/event.ts';
import type { Result } from '../core/result.ts';
import type { Addition, AttemptRecord, HandoverWay } from '../core/session.ts';
import type { Worker } from '../core/worker.ts';
import type { Changes } from './brief.ts';
import { brief, briefOfSince } from './brief.ts';

/** How the next attempt is told of the work. */
export interface Handover {
  readonly prompt: string;
  /** The CLI's own conversation to go on with. */
  readonly resume: string | undefined;
  readonly how: HandoverWay;
  /** The home of the worker's CLI, in which its conversation will lie. */
  readonly cliHome: string | undefined;
}

/** The work as it stands between two attempts. */
export interface Work {
  readonly task: string;
  /** What a person asked for on top of it, and when: whoever began since has been told. */
  readonly additions: readonly Addition[];
  /** The attempts in which work was begun, or may have been. */
  readonly begun: readonly AttemptRecord[];
  /** `--no-handoff`: whoever is next begins at the beginning. */
  readonly afresh: boolean;
}

export interface HandoverEffects {
  readonly emit: (event: Event) => void;
  /** The home in which a worker's CLI keeps its conversations, an absolute path. */
  readonly cliHome: (worker: Worker) => string | undefined;
  /** Brings a conversation from the home of an attempt into that of a worker. The error is the end of a sentence. */
  readonly moveConversation: (attempt: AttemptRecord, worker: Worker) => Promise<Result<unknown, string>>;
  /** What the work tree holds that its last commit does not, where that can be told. */
  readonly workTreeChanges: () => Promise<Changes | undefined>;
}

const GO_ON = 'Go on with the task where you left off.';

/** What a CLI calls its conversations: nothing that could be an option or a path. */
const CONVERSATION = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/**
 * Before any work was begun the task itself; after it never again (DESIGN 7). Best first: the newest conversation that
 * the worker's CLI can go on with, its own or one that moves to it, told what others did since; else a brief of it all.
 */
export async function handOver(work: Work, worker: Worker, effects: HandoverEffects): Promise<Handover> {
  const { task, additions, begun, afresh } = work;
  const cliHome = effects.cliHome(worker);
  const whole = [task, ...additions.map(({ text }) => text)].join('\n\n');
  if (begun.length === 0) return { prompt: whole, resume: undefined, how: 'prompt', cliHome };
  if (afresh) return { prompt: whole, resume: undefined, how: 'afresh', cliHome };
  const tried = new Set<string>();
  for (const [index, attempt] of [...begun.entries()].reverse()) {
    const { conversation } = attempt;
    if (attempt.adapter !== worker.adapter || conversation === undefined) continue;
    if (!CONVERSATION.test(conversation) || tried.has(`${conversation} ${attempt.cliHome ?? ''}`)) continue;
    tried.add(`${conversation} ${attempt.cliHome ?? ''}`);
    const how = await reach(attempt, worker, cliHome, effects);
    if (how === undefined) continue;
    const prompt = await goOn(work, attempt, begun.slice(index + 1), effects);
    return { prompt, resume: conversation, how, cliHome };
  }
  const prompt = brief(whole, begun, await effects.workTreeChanges());
  return { prompt, resume: undefined, how: 'brief', cliHome };
}

/** How the worker comes by the attempt's conversation; `undefined`: it does not, and why was told. */
async function reach(
  attempt: AttemptRecord,
  worker: Worker,
  cliHome: string | undefined,
  { emit, moveConversation }: HandoverEffects,
): Promise<'resume' | 'transcript' | undefined> {
  const tell = (text: string): void => {
    emit({ type: 'attempt.note', worker: worker.id, text: `${text}; what was done is told in a brief` });
  };
  const isSameSeat = attempt.seat === worker.seat;
  const unwilling = [attempt, worker].find(({ shareTranscripts }) => shareTranscripts === false);
  if (!isSameSeat && unwilling !== undefined) {
    tell(`seat ${unwilling.seat} does not share its conversations`);
    return undefined;
  }
  // Of an attempt of an older version it is not known which home it had.
  if (attempt.cliHome === undefined) return isSameSeat ? 'resume' : undefined;
  if (attempt.cliHome === cliHome) return isSameSeat ? 'resume' : 'transcript';
  const moved = await moveConversation(attempt, worker);
  if (moved.ok) return 'transcript';
  tell(`the conversation cannot be moved to this seat: ${moved.error}`);
  return undefined;
}

/** What is said to an agent that goes on with a conversation of its own. */
async function goOn(
  { additions }: Work,
  attempt: AttemptRecord,
  after: readonly AttemptRecord[],
  { workTreeChanges }: HandoverEffects,
): Promise<string> {
  const news = additions.filter(({ at }) => attempt.startedAt < at).map(({ text }) => text);
  if (after.length === 0) return news.length === 0 ? GO_ON : news.join('\n\n');
  const done = briefOfSince(after, await workTreeChanges());
  return news.length === 0 ? done : `${done}\n${news.join('\n\n')}\n`;
}
