import type { Scope, Signal, SignalKind } from '../core/signal.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { formatDuration, MINUTE } from '../core/time.ts';
import { evidence } from './evidence.ts';
import type { Message } from './message.ts';
import { takeApart } from './message.ts';
import { normalise } from './normalise.ts';
import type { Phrase, PhraseBook } from './phrases/book.ts';
import { ORDER } from './phrases/book.ts';
import { isFramed, isQuoted, isVendorsToTheEnd, LONGEST_PLAIN } from './plain.ts';
import { believe, CEILING, nextMidnightPacific, readReset } from './reset.ts';
import { readRetryNotice } from './retry-notice.ts';

/** Something the vendor's program said about itself. Where it may be read from is the adapter's business. */
export interface Said {
  readonly text: string;
  /** HTTP status, where the stream has it. */
  readonly status?: number | undefined;
  /** The vendor's own enum: claude's assistant `error`, gemini's `reason`. */
  readonly code?: string | undefined;
  /** When it was printed. */
  readonly at: EpochMs;
  /** IANA zone of the child. */
  readonly zone: string;
  /** The model asked for: what "this model" means. */
  readonly model?: string | undefined;
}

export type Finding =
  | { readonly type: 'signal'; readonly signal: Signal }
  /**
   * The worker's own failure: context too long, bad model, turn and budget limits, a bad request. `lost`: it was to go on
   * with a conversation that its CLI does not have.
   */
  | { readonly type: 'task'; readonly reason: string; readonly lost?: true }
  /** A warning or notice, which never stops a worker. `retrying`: what the CLI meets again and again, see the watch. */
  | { readonly type: 'chatter'; readonly retrying?: Retry }
  /** Nothing we know fits. */
  | { readonly type: 'unknown' };

export interface Retry {
  /** What this is, should it not pass. Its `resetAt` is what the vendor named, never now + delay. */
  readonly signal: Signal;
  /** How long the CLI is going to wait before its next try, where it says so. */
  readonly delayMs: DurationMs | undefined;
}

/** What the vendor's words mean. Total: anything that fits nothing is `unknown`. */
export function classify(phrases: PhraseBook, said: Said): Finding {
  const notice = readRetryNotice(said.text);
  if (notice === undefined) return judge(phrases, said);
  const about = judge(phrases, { ...said, text: notice.about });
  if (about.type !== 'signal') return { type: 'chatter' };
  const signal = { ...about.signal, evidence: evidence(said.text) };
  return { type: 'chatter', retrying: { signal, delayMs: notice.delayMs } };
}

/**
 * What a plain line means, in a position where agents and tools may also write: only a line that is a refusal from its
 * first word to its last, in the vendor's own words. Text of several lines is searched for such a line, and for one that
 * a terminal wrapped; the last one counts, since what came before it was overcome.
 */
export function readPlainRefusal(phrases: PhraseBook, said: Said): Finding {
  const lines = said.text.split(/\r?\n/);
  for (let first = lines.length - 1; first >= 0; first -= 1) {
    for (let count = Math.min(MOST_WRAPPED, lines.length - first); count >= 1; count -= 1) {
      const text = lines.slice(first, first + count).join('\n');
      const finding = readWholeLine(phrases, { ...said, text });
      if (finding.type === 'signal' || finding.type === 'task') return finding;
      // A notice stays one when its lines are read singly.
      if (finding.type === 'chatter') break;
    }
  }
  return { type: 'unknown' };
}

/** How many lines a TUI makes of one refusal, hints included. */
const MOST_WRAPPED = 6;

function readWholeLine(phrases: PhraseBook, said: Said): Finding {
  if (said.text.length > LONGEST_PLAIN || isQuoted(said.text)) return { type: 'unknown' };
  if (readRetryNotice(said.text) !== undefined) return { type: 'chatter' };
  const message = takeApart(said.text);
  const decision = decide(phrases, message, said);
  if (decision === undefined) return { type: 'unknown' };
  const isWhole =
    decision.phrase.framedOnly !== true && decision.rest !== undefined && isVendorsToTheEnd(decision.rest);
  return isWhole || isFramed(normalise(said.text)) ? findingOf(decision, message, said) : { type: 'unknown' };
}

function judge(phrases: PhraseBook, said: Said): Finding {
  const message = takeApart(said.text);
  const decision = decide(phrases, message, said);
  return decision === undefined ? { type: 'unknown' } : findingOf(decision, message, said);
}

function findingOf({ phrase, model }: Decision, message: Message, said: Said): Finding {
  const means = phrase.kind ?? MEANS[phrase.class];
  if (means === 'chatter') return { type: 'chatter' };
  if (means === 'task') {
    return { type: 'task', reason: phrase.reason, ...(phrase.lostConversation && { lost: true }) };
  }
  return { type: 'signal', signal: signalOf(phrase, means, model ?? message.model ?? said.model, said) };
}

const MEANS = Object.fromEntries(ORDER.map(({ name, means }) => [name, means])) as Readonly<
  Record<Phrase['class'], SignalKind | 'task' | 'chatter'>
>;

interface Decision {
  readonly phrase: Phrase;
  readonly model: string | undefined;
  /** What stands after the vendor's words in the line; `undefined` when a body or a code decided. */
  readonly rest: string | undefined;
}

/** Words and reason codes decide before the codes and statuses that many causes share. */
function decide({ phrases }: PhraseBook, message: Message, said: Said): Decision | undefined {
  const codes = said.code === undefined ? message.codes : [said.code, ...message.codes];
  for (const phrase of phrases) {
    if (codes.some((code) => phrase.code?.test(code))) return { phrase, model: undefined, rest: undefined };
    for (const [index, wording] of message.wordings.entries()) {
      const match = phrase.says?.exec(wording);
      if (!match) continue;
      const rest = index < message.own ? wording.slice(match[0].length) : undefined;
      return { phrase, model: match.groups?.['model'], rest };
    }
  }
  const failing = (matches: (when: NonNullable<Phrase['failing']>) => boolean) =>
    phrases.find((phrase) => phrase.failing !== undefined && matches(phrase.failing));
  const status = said.status ?? message.status;
  const found = [
    failing((when) => said.code !== undefined && when.code?.test(said.code) === true),
    status === undefined ? undefined : failing((when) => when.status?.includes(status) === true),
    failing((when) => message.codes.some((code) => when.code?.test(code))),
  ].filter((phrase) => phrase !== undefined);
  const [first] = found;
  // What wraps a refusal over quota calls it its own failure: the cause inside is what it is (seen of gateways' streams).
  const phrase = first?.class === 'server-error' ? (found.find(isQuota) ?? first) : first;
  return phrase === undefined ? undefined : { phrase, model: undefined, rest: undefined };
}

function isQuota(phrase: Phrase): boolean {
  return phrase.class === 'throttle' || phrase.class === 'credits';
}

function signalOf(phrase: Phrase, kind: SignalKind, model: string | undefined, said: Said): Signal {
  const resetAt = resetOf(phrase, said);
  const belief = resetAt === undefined ? undefined : believe(resetAt, said.at);
  const words = phrase.reason.replace('$model', model ?? 'model');
  return {
    kind,
    scope: scopeOf(phrase, model),
    resetAt: belief === undefined || belief.type === 'past' ? undefined : belief.resetAt,
    // A cap that stands beside a window which opens again (claude 2.1.239) does not keep the work waiting.
    untilCleared: phrase.untilCleared === true && resetAt === undefined,
    source: 'text',
    reason:
      belief?.type === 'clamped'
        ? `${words} (named reset beyond ${formatDuration(CEILING)}, cut short)`
        : words,
    evidence: evidence(said.text),
  };
}

/** Google sends "retry in 34s" with a spent daily quota too; only something longer is its reset. */
const SHORTEST_DAILY_REST = 10 * MINUTE;

function resetOf({ reset }: Phrase, { text, at, zone }: Said): EpochMs | undefined {
  if (reset === 'none') return undefined;
  const named = readReset(text, at, zone);
  if (reset !== 'midnight-pacific') return named;
  return named !== undefined && named - at > SHORTEST_DAILY_REST ? named : nextMidnightPacific(at);
}

function scopeOf({ scope = 'seat' }: Phrase, model: string | undefined): Scope {
  if (scope !== 'model') return scope;
  return model === undefined ? 'seat' : `model:${model.toLowerCase()}`;
}
