import type { Exit, Line } from '../core/line.ts';
import type { EpochMs } from '../core/time.ts';
import type { PhraseBook } from '../signals/phrases/book.ts';
import type { Observation, ReaderContext, Verdict } from './adapter.ts';
import type { JsonEvent } from './json-lines.ts';
import { JsonLines } from './json-lines.ts';
import { PlainOutput } from './plain-output.ts';

/** What every CLI prints: JSON events on stdout, and plain lines beside or instead of them. */
export class CliOutput {
  readonly #context: ReaderContext;
  readonly #json = new JsonLines();
  readonly #plain: PlainOutput;

  constructor(phrases: PhraseBook, context: ReaderContext) {
    this.#plain = new PlainOutput(phrases);
    this.#context = context;
  }

  /** Reads a line of stdout: `read` is given each event that it holds. */
  stdout(line: Line, read: (event: JsonEvent) => readonly Observation[]): readonly Observation[] {
    const parsed = this.#json.push(line.text);
    if (parsed.type === 'plain') return this.plain({ ...line, text: parsed.text });
    this.#plain.sawEvents(parsed.events.length);
    return parsed.events.flatMap(read);
  }

  plain(line: Line): readonly Observation[] {
    return this.#plain.push(line, this.#context);
  }

  /** Judges a CLI that ended without a terminal event. */
  verdict(exit: Exit, at: EpochMs): Verdict {
    return this.#plain.verdict(exit, at, this.#context);
  }
}
