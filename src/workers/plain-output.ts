import type { Exit, Line } from '../core/line.ts';
import type { EpochMs } from '../core/time.ts';
import { evidence } from '../signals/evidence.ts';
import type { PhraseBook } from '../signals/phrases/book.ts';
import { readPlainRefusal } from '../signals/classify.ts';
import type { Observation, ReaderContext, Verdict } from './adapter.ts';

/** How many of the last lines of each channel are kept to judge a CLI that died without an event. */
const KEPT = 40;
/** How much of each, in characters: a refusal is a sentence, and forty lines may be of 16 MiB each. */
const LONGEST_KEPT = 64 * 1_024;

/** What no retry of the CLI's own mends; the rest may be a passing notice, and is judged when the CLI has gone. */
const IS_FINAL: ReadonlySet<string> = new Set(['rate-limit', 'out-of-credits', 'auth-failure']);

/**
 * What a CLI prints before (or instead of) its JSON events: a start-up failure, an old version's plain refusal. Once
 * an event was seen, plain lines come from anywhere (hooks, MCP servers, tools) and count for nothing.
 */
export class PlainOutput {
  readonly #phrases: PhraseBook;
  readonly #last: Record<Line['channel'], string[]> = { stdout: [], stderr: [] };
  #jsonSeen = false;
  #printed = false;

  constructor(phrases: PhraseBook) {
    this.#phrases = phrases;
  }

  /** A line of stdout was no plain one: it held so many events, none when one is only begun. */
  sawEvents(count: number): void {
    this.#printed = true;
    this.#jsonSeen ||= count > 0;
  }

  /** From now on a plain line counts for nothing but, as the last one, how it ended. */
  get isOver(): boolean {
    return this.#jsonSeen;
  }

  push(line: Line, context: ReaderContext): readonly Observation[] {
    const kept = this.#last[line.channel];
    const text = beginning(line);
    kept.push(text);
    if (kept.length > KEPT) kept.shift();
    if (this.#jsonSeen || line.channel === 'stderr') return [];
    const { zone, model } = context;
    const finding = readPlainRefusal(this.#phrases, { text, at: line.at, zone, model });
    return finding.type === 'signal' && IS_FINAL.has(finding.signal.kind)
      ? [{ type: 'refused', signal: finding.signal }]
      : [];
  }

  /** Judges a CLI that ended without a terminal event. */
  verdict(exit: Exit, at: EpochMs, context: ReaderContext): Verdict {
    const { stdout, stderr } = this.#last;
    const lines = this.#jsonSeen ? [] : [...stderr, ...stdout];
    const texts = [...lines, stderr.join('\n'), stdout.join('\n')];
    for (const text of this.#jsonSeen || exit.code === 0 ? [] : texts) {
      const { zone, model } = context;
      const finding = readPlainRefusal(this.#phrases, { text, at, zone, model });
      if (finding.type === 'signal') return { type: 'refused', signal: finding.signal };
      if (finding.type === 'task') {
        const { reason, lost } = finding;
        return { type: 'failed', reason, evidence: evidence(text), recognised: true, ...(lost && { lost }) };
      }
    }
    const last = [...stdout, ...stderr].findLast((text) => text.trim() !== '') ?? '';
    return {
      type: 'failed',
      reason:
        last === '' && !this.#printed
          ? `it ${howItEnded(exit)} and said nothing`
          : `it ${howItEnded(exit)} without a result`,
      evidence: evidence(last),
      recognised: false,
      // Plain words before any event are a refusal that we do not know, of an option or of a limit: it did not die of the machinery.
      ...(this.#jsonSeen || exit.signal !== undefined || last === '' ? { died: true } : {}),
    };
  }
}

/** Of a long line only so much is decoded: a piece cut from its text would keep all of that. */
function beginning(line: Line): string {
  return isLong(line) ? (line.bytes?.slice(0, LONGEST_KEPT) ?? line.text.slice(0, LONGEST_KEPT)) : line.text;
}

function isLong(line: Line): boolean {
  return (line.bytes ?? line.text).length > LONGEST_KEPT;
}

/** Known from its bytes: a long line that holds no event, nor the beginning of one. */
export function isLongPlain(line: Line): boolean {
  return isLong(line) && line.bytes?.indexOf('{') === -1;
}

export function howItEnded({ code, signal }: Exit): string {
  if (signal !== undefined) return `was ended by ${signal}`;
  return code === undefined ? 'ended' : `exited with ${String(code)}`;
}
