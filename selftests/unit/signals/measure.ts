import type { SignalKind } from '../../../src/core/signal.ts';
import { after } from '../../../src/core/time.ts';
import type { EpochMs } from '../../../src/core/time.ts';
import { durationMs } from '../../../src/core/time.ts';
import type { Adapter } from '../../../src/workers/adapter.ts';
import { claude } from '../../../src/workers/adapters/claude.ts';
import { codex } from '../../../src/workers/adapters/codex.ts';
import { gemini } from '../../../src/workers/adapters/gemini.ts';
import { readAnthropic } from '../../../src/signals/providers/anthropic.ts';
import { readOpenAi } from '../../../src/signals/providers/openai.ts';
import { parseObject } from '../../../src/signals/json.ts';
import { readRollout } from '../../../src/signals/rollout.ts';
import { classify, readPlainRefusal } from '../../../src/signals/classify.ts';
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

const BOOKS: Readonly<Record<string, PhraseBook>> = {
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

/** Judges a message where it stands: headers as the answer they came with, stream lines by the adapter, words as words. */
function judgeReported(message: Reported, printedAt: EpochMs): Finding {
  if (message.channel === 'http-header') return judgeHeaders(message, printedAt);
  if (message.channel === 'file' && message.cli === 'codex') {
    const record = readRollout(message.text);
    if (record !== undefined) return record.closed === undefined ? { type: 'chatter' } : { type: 'unknown' };
  }
  return judgeStreamLine(message, printedAt) ?? judgeText(message, printedAt);
}

function judgeHeaders(message: Reported, at: EpochMs): Finding {
  const headers = Object.fromEntries(
    message.text.split('\n').flatMap((line) => {
      const colon = line.indexOf(': ');
      return colon === -1 ? [] : [[line.slice(0, colon), line.slice(colon + 2)]];
    }),
  ) as Record<string, string>;
  const status = message.kind === 'not-a-quota-event' ? 200 : 429;
  const read = message.cli === 'claude' ? readAnthropic : readOpenAi;
  return read({ status, headers, body: '', at }).finding;
}

const READERS: Readonly<Record<string, Adapter>> = { claude, codex, gemini };

/** A whole line of a CLI's stream goes through the CLI's own adapter, as in a run that ends in failure there. */
function judgeStreamLine(message: Reported, at: EpochMs): Finding | undefined {
  const adapter = READERS[message.cli];
  if (message.channel !== 'stdout-json' || adapter === undefined || !isStreamLine(message.text))
    return undefined;
  const reader = adapter.reader({ zone: HOST_ZONE, model: MODELS[message.cli] });
  for (const seen of reader.push({ channel: 'stdout', text: message.text, at, monotonic: durationMs(0) })) {
    if (seen.type === 'refused') return { type: 'signal', signal: seen.signal };
    if (seen.type === 'retrying') return { type: 'chatter', retrying: seen };
  }
  const verdict = reader.end({ code: 1, signal: undefined }, at);
  if (verdict.type === 'refused') return { type: 'signal', signal: verdict.signal };
  return verdict.type === 'failed' && verdict.recognised
    ? { type: 'task', reason: verdict.reason }
    : { type: 'unknown' };
}

function isStreamLine(text: string): boolean {
  return typeof parseObject(text)?.['type'] === 'string';
}

/** As `judgeText`, but with the strictness that plain output asks for. */
export function judgePlain(message: Reported, printedAt: EpochMs): Finding {
  const said = { text: message.text, at: printedAt, zone: HOST_ZONE, model: MODELS[message.cli] };
  return readPlainRefusal(BOOKS[message.cli] ?? genericPhrases, said);
}

function judgeText(message: Reported, printedAt: EpochMs): Finding {
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
  'server-error': 'server-error',
};

export type Judge = (message: Reported, printedAt: EpochMs) => Finding | undefined;

/** Judges one reported message, and compares with what those who reported it know of it. */
export function measure(message: Reported, line: number, judge: Judge = judgeReported): Measured | undefined {
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
