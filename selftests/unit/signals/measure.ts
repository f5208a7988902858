import type { SignalKind } from '../../../src/core/signal.ts';
import { after } from '../../../src/core/time.ts';
import type { EpochMs } from '../../../src/core/time.ts';
import { classify } from '../../../src/signals/classify.ts';
import type { Finding } from '../../../src/signals/classify.ts';
import type { PhraseBook } from '../../../src/signals/phrases/book.ts';
import { claudePhrases } from '../../../src/signals/phrases/claude.ts';
import { codexPhrases } from '../../../src/signals/phrases/codex.ts';
import { geminiPhrases } from '../../../src/signals/phrases/gemini.ts';
import { genericPhrases } from '../../../src/signals/phrases/generic.ts';
import { CEILING } from '../../../src/signals/reset.ts';
import { expectedReset, HOST_ZONE } from './expected.ts';

/** One reported message: `selftests/data/messages.jsonl`, with its source and a note. */
export interface Reported {
  readonly cli: string;
  readonly version: string;
  readonly channel: string;
  readonly text: string;
  readonly kind: string;
  readonly scope: string;
  readonly reset: string;
  readonly source: string;
  readonly note: string;
}

/** Why a message cannot be held against a reader of text, by line of the corpus. */
export interface Undecided {
  readonly line: number;
  readonly what: 'kind' | 'reset';
  readonly reason: string;
}

export interface Measured {
  readonly line: number;
  readonly message: Reported;
  readonly got: string;
  readonly kindRight: boolean;
  readonly falseAlarm: boolean;
  /** `undefined` where no reset is asked for. */
  readonly resetRight: boolean | undefined;
  readonly resetGot: EpochMs | undefined;
  readonly resetWanted: EpochMs | undefined;
}

export const BOOKS: Readonly<Record<string, PhraseBook>> = {
  claude: claudePhrases,
  codex: codexPhrases,
  gemini: geminiPhrases,
};

/** A model of each CLI, as an attempt would name it: what "this model" means. */
const MODELS: Readonly<Record<string, string>> = {
  gemini: 'gemini-2.5-pro',
  codex: 'gpt-5.1',
  claude: 'opus',
  opencode: 'grok-code',
  other: 'gemini-3-pro',
};

export function judgeText(message: Reported, printedAt: EpochMs): Finding {
  const said = { text: message.text, at: printedAt, zone: HOST_ZONE, model: MODELS[message.cli] };
  return classify(BOOKS[message.cli] ?? genericPhrases, said);
}

const WANTED: Readonly<Record<string, SignalKind>> = {
  'rate-limit': 'rate-limit',
  capacity: 'overloaded',
  'out-of-credits': 'out-of-credits',
  'auth-failure': 'auth-failure',
  'connection-failure': 'connection-failure',
  'cli-unavailable': 'cli-unavailable',
};

export type Judge = (message: Reported, printedAt: EpochMs) => Finding | undefined;

/** Judges one reported message, and compares with what those who reported it know of it. */
export function measure(message: Reported, line: number, judge: Judge = judgeText): Measured | undefined {
  const expected = expectedReset(message.text.includes('daily quota') ? 'none (daily)' : message.reset);
  const finding = judge(message, expected.printedAt);
  if (finding === undefined) return undefined;
  const stops = finding.type === 'signal';
  const signal = stops ? finding.signal : finding.type === 'chatter' ? finding.retrying?.signal : undefined;
  const wanted = WANTED[message.kind];
  const mustGoOn =
    wanted === undefined ? message.kind === 'not-a-quota-event' : message.note.includes('[non-terminal]');
  const falseAlarm = stops && mustGoOn;
  const kindRight = !falseAlarm && (wanted === undefined || signal?.kind === wanted);
  const ceiling = expected.printedAt + CEILING;
  const asked = kindRight && wanted !== undefined && expected.type !== 'open' && isAboutQuota(wanted);
  const resetWanted = expected.type === 'at' ? (Math.min(expected.resetAt, ceiling) as EpochMs) : undefined;
  // What a CLI sleeps for is all that a retry notice says of the reset.
  const delay = finding.type === 'chatter' ? finding.retrying?.delayMs : undefined;
  const resetGot = signal?.resetAt ?? (delay === undefined ? undefined : after(expected.printedAt, delay));
  const near =
    expected.type === 'midnight-pacific' ||
    (resetWanted === undefined ? resetGot === undefined : Math.abs((resetGot ?? 0) - resetWanted) <= 60_000);
  return {
    line,
    message,
    got: describe(finding),
    kindRight,
    falseAlarm,
    resetRight: asked ? near : undefined,
    resetGot,
    resetWanted,
  };
}

function isAboutQuota(kind: SignalKind): boolean {
  return kind === 'rate-limit' || kind === 'out-of-credits';
}

function describe(finding: Finding): string {
  switch (finding.type) {
    case 'signal':
      return `${finding.signal.kind} ${finding.signal.scope}${finding.signal.untilCleared ? ' until cleared' : ''} (${finding.signal.reason})`;
    case 'chatter':
      return `chatter${finding.retrying === undefined ? '' : `, retrying ${finding.retrying.signal.kind}`}`;
    case 'task':
      return `task (${finding.reason})`;
    case 'unknown':
      return 'unknown';
  }
}
