import type { Exit, Line, LineBytes } from '../core/line.ts';
import type { EpochMs } from '../core/time.ts';
import type { Unknown } from '../core/unknown.ts';
import type { PhraseBook } from '../signals/phrases/book.ts';
import type { Observation, ReaderContext, Verdict } from './adapter.ts';
import type { JsonEvent } from './json-lines.ts';
import { JsonLines } from './json-lines.ts';
import { longEvent } from './long-event.ts';
import { isLongPlain, PlainOutput } from './plain-output.ts';
import { Unknowns } from './unknowns.ts';
import type { Vocabulary } from './vocabulary.ts';
import { strangersTo } from './vocabulary.ts';

const NOTHING: readonly Observation[] = [];

/** What every CLI prints: JSON events on stdout, and plain lines beside or instead of them. */
export class CliOutput {
  readonly #context: ReaderContext;
  readonly #json = new JsonLines();
  readonly #plain: PlainOutput;
  readonly #strangersIn: ReturnType<typeof strangersTo>;
  readonly #unknowns = new Unknowns();

  constructor(phrases: PhraseBook, vocabulary: Vocabulary, context: ReaderContext) {
    this.#plain = new PlainOutput(phrases);
    this.#strangersIn = strangersTo(vocabulary);
    this.#context = context;
  }

  /** Only what holds an event, or goes on with one, tells anything once events were seen. */
  get telling(): string | undefined {
    return this.#plain.isOver && !this.#json.isBroken ? '{' : undefined;
  }

  /** Reads a line of stdout: `read` is given each event that it holds; `brief` may say a long one shorter. */
  stdout(
    line: Line,
    read: (event: JsonEvent) => readonly Observation[],
    brief: (event: LineBytes) => JsonEvent | undefined,
  ): readonly Observation[] {
    if (!this.#json.isBroken) {
      if (isLongPlain(line)) return this.plain(line);
      const long = longEvent(line);
      const event = long && brief(long);
      if (event !== undefined) return this.#events([event], line, read);
    }
    const parsed = this.#json.push(line.text);
    if (parsed.type === 'events') return this.#events(parsed.events, line, read);
    const { channel, at, monotonic } = line;
    return this.plain({ channel, at, monotonic, text: parsed.text });
  }

  #events(
    events: readonly JsonEvent[],
    line: Line,
    read: (event: JsonEvent) => readonly Observation[],
  ): readonly Observation[] {
    this.#plain.sawEvents(events.length);
    for (const event of events) {
      for (const { what, name } of this.#strangersIn(event)) this.strange(what, name, line);
    }
    const [first] = events;
    if (first === undefined) return NOTHING;
    return events.length === 1 ? read(first) : events.flatMap(read);
  }

  plain(line: Line): readonly Observation[] {
    return this.#plain.push(line, this.#context);
  }

  /** Counts what nothing we know fits, in a position where only the vendor writes. */
  strange(what: Unknown['what'], name: string, line: Line): void {
    this.#unknowns.add(what, name, line.text);
  }

  unknown(): readonly Unknown[] {
    return this.#unknowns.list();
  }

  /** Judges a CLI that ended without a terminal event. */
  verdict(exit: Exit, at: EpochMs): Verdict {
    return this.#plain.verdict(exit, at, this.#context);
  }
}
