import type { SignalKind } from '../../core/signal.ts';

/**
 * What a phrase can mean, in the order in which meanings are tried: the first class with a phrase that fits decides.
 * A line may fit several ("Server is temporarily limiting requests (not your usage limit) · Rate limited"), so the
 * order is part of what we know about the vendors:
 * what never stops a worker, what never started, who may not come in, what overrules the rest of the message, a busy
 * provider, the task's own limits, money, the plan's windows, a 429 that says no more, the way there, the server.
 */
export const ORDER = [
  { name: 'notice', means: 'chatter' },
  { name: 'could-not-start', means: 'cli-unavailable' },
  { name: 'authentication', means: 'auth-failure' },
  { name: 'disclaimer', means: 'overloaded' },
  { name: 'overload', means: 'overloaded' },
  { name: 'task', means: 'task' },
  { name: 'credits', means: 'out-of-credits' },
  { name: 'plan-limit', means: 'rate-limit' },
  { name: 'throttle', means: 'rate-limit' },
  { name: 'connection', means: 'connection-failure' },
  { name: 'server-error', means: 'server-error' },
] as const satisfies readonly { readonly name: string; readonly means: SignalKind | 'task' | 'chatter' }[];

export type PhraseClass = (typeof ORDER)[number]['name'];

export interface Phrase {
  readonly class: PhraseClass;
  /** One short clause for people. `$model` stands for the model that the message names. */
  readonly reason: string;
  /**
   * Words of the vendor. Tested from the start of the message, after the vendor's own prefixes ("API Error: ") are
   * taken off, and on the `message` fields of a body; on normalised text: ASCII apostrophes, `·` for every bullet, one
   * line. A group `model` names the model concerned.
   */
  readonly says?: RegExp;
  /** A reason code that decides as words do: `MODEL_CAPACITY_EXHAUSTED`. Tested on each code whole. */
  readonly code?: RegExp;
  /** Codes and HTTP statuses that decide only when no words or reason code do: `invalid_request_error`, 401. */
  readonly failing?: { readonly code?: RegExp; readonly status?: readonly number[] };
  /** What is closed; `seat` where it is not given. `model` needs a name, from the text or the attempt; else the seat. */
  readonly scope?: 'seat' | 'workspace' | 'model';
  /** Where the class's kind is not meant: what a disclaimer says instead. */
  readonly kind?: SignalKind;
  /** `none`: what looks like a reset in the text is not one. `midnight-pacific`: Google's daily quota, when it names none. */
  readonly reset?: 'none' | 'midnight-pacific';
  /** Does not heal with time, unless the text names a reset: a spend cap, a seat without credits. */
  readonly untilCleared?: true;
  /** It was to go on with a conversation that the CLI does not have. */
  readonly lostConversation?: true;
  /** Words that anybody might write: in plain output they count only inside a frame that a CLI writes. */
  readonly framedOnly?: true;
  /** The version or document that prints it, and where it was seen. */
  readonly source: string;
}

export interface PhraseBook {
  /** In the order of `ORDER`. */
  readonly phrases: readonly Phrase[];
}

const RANK = new Map<string, number>(ORDER.map(({ name }, index) => [name, index]));

/** A book in which the classes stand in their order; within a class earlier lists come first. */
export function book(...lists: readonly (readonly Phrase[])[]): PhraseBook {
  const rank = ({ class: name }: Phrase) => RANK.get(name) ?? ORDER.length;
  return { phrases: lists.flat().toSorted((left, right) => rank(left) - rank(right)) };
}
