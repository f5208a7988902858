import type { DurationMs } from '../../core/time.ts';
import { durationMs } from '../../core/time.ts';

/** What a block of Gemini CLI's stderr says. Formats: our captures of 0.61.0, google-gemini/gemini-cli `retry.ts`. */
export type StderrFinding =
  /** "Attempt 2 failed …": it retries by itself. */
  | {
      readonly type: 'retry';
      readonly text: string;
      readonly status: number | undefined;
      readonly delayMs: DurationMs;
    }
  /** The dump of the error it gave up on: the only place where the typed reason survives. */
  | {
      readonly type: 'gave-up';
      readonly text: string;
      readonly code: string | undefined;
      readonly status: number | undefined;
      /** How long the provider asked to wait. */
      readonly delayMs: DurationMs | undefined;
    }
  /** It begins as a retry notice does, and does not go on as one. */
  | { readonly type: 'strange'; readonly text: string };

export type GaveUp = Extract<StderrFinding, { readonly type: 'gave-up' }>;

const ATTEMPT = /^Attempt (?<attempt>\d+) failed(?: with status (?<status>\d{3}))?(?:: |\. )(?<text>[^]*)$/;
const RETRYING_AFTER = /^(?<text>[^]*?)\.? Retrying after (?<delay>\d+(?:\.\d+)?)ms\.\.\.$/;
const GAVE_UP = /^Error when talking to Gemini API .*?\.json (?<class>\w+): (?<text>[^]*)$/;
const PROPERTY = /^ {2}(?<key>reason|status|retryDelayMs): '?(?<value>[\w.]+)'?,?$/;

/** Its own pauses: 5 s, doubling to 30 s, before jitter of up to 30 % (retry.ts). */
const FIRST_PAUSE = 5_000;
const LONGEST_PAUSE = 30_000;

/** A message of several lines is put together again for as long as this many lines. */
const LONGEST_MESSAGE = 12;

interface Dump {
  readonly text: string;
  code: string | undefined;
  status: number | undefined;
  delayMs: DurationMs | undefined;
}

/** Puts lines of stderr together into what they say. Only lines that begin as Gemini CLI's own count. */
export class GeminiStderr {
  #open: { readonly kind: 'attempt' | 'gave-up'; readonly lines: string[] } | undefined;
  #dump: Dump | undefined;

  push(line: string): readonly StderrFinding[] {
    if (!ATTEMPT.test(line) || this.#open === undefined) return this.#read(line);
    // The one before was never finished: it went on in a way that is not known here.
    const lost: StderrFinding = { type: 'strange', text: this.#open.lines.join('\n') };
    this.#open = undefined;
    return [lost, ...this.#read(line)];
  }

  #read(line: string): readonly StderrFinding[] {
    const found = this.#find(line);
    return found === undefined ? [] : [found];
  }

  #find(line: string): StderrFinding | undefined {
    if (ATTEMPT.test(line)) {
      this.#dump = undefined;
      this.#open = { kind: 'attempt', lines: [] };
    } else if (GAVE_UP.test(line)) {
      this.#open = undefined;
      const text = GAVE_UP.exec(line)?.groups?.['text'] ?? '';
      this.#dump = { text, code: undefined, status: undefined, delayMs: undefined };
      return undefined;
    }
    if (this.#dump !== undefined) return this.#readDump(line, this.#dump);
    if (this.#open === undefined) return undefined;
    this.#open.lines.push(line);
    const text = this.#open.lines.join('\n');
    const retry = readAttempt(text);
    const isLost = retry === undefined && this.#open.lines.length >= LONGEST_MESSAGE;
    if (retry !== undefined || isLost) this.#open = undefined;
    return isLost ? { type: 'strange', text } : retry;
  }

  #readDump(line: string, dump: Dump): StderrFinding | undefined {
    const property = PROPERTY.exec(line)?.groups;
    const value = property?.['value'] === 'undefined' ? undefined : property?.['value'];
    if (property?.['key'] === 'reason') dump.code = value;
    if (property?.['key'] === 'status') dump.status = numberOf(value);
    if (property?.['key'] === 'retryDelayMs') dump.delayMs = numberOf(value) as DurationMs | undefined;
    if (line !== '}') return undefined;
    this.#dump = undefined;
    return { type: 'gave-up', ...dump };
  }
}

function numberOf(text: string | undefined): number | undefined {
  const value = Number(text ?? NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** A whole retry notice, or `undefined` while its end has not come yet. */
function readAttempt(text: string): StderrFinding | undefined {
  const groups = ATTEMPT.exec(text)?.groups;
  const attempt = Number(groups?.['attempt']);
  const said = groups?.['text'] ?? '';
  const status = groups?.['status'] === undefined ? undefined : Number(groups['status']);
  const named = RETRYING_AFTER.exec(said)?.groups;
  if (named !== undefined) {
    return { type: 'retry', text: named['text'] ?? '', status, delayMs: durationMs(Number(named['delay'])) };
  }
  const backoff = /^Retrying with backoff\.\.\. (?<text>[^]*)$/.exec(said)?.groups;
  if (backoff === undefined) return undefined;
  const delayMs = durationMs(Math.min(FIRST_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE));
  return { type: 'retry', text: backoff['text'] ?? '', status, delayMs };
}
