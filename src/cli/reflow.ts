import { widthOf } from './width.ts';
import { wrap } from './wrap.ts';

/**
 * Breaks the lines of a help text that are wider than `columns`, so that it can be written without a thought of any
 * width: one line for each thing that is said. What stands in the last column of a line (behind two spaces or more)
 * goes on in that column; a shell command goes on behind a backslash, so that it can be copied as it is.
 */
export function reflow(text: string, columns: number): string {
  let areExamples = false;
  return text
    .split('\n')
    .flatMap((line) => {
      if (/^\S/.test(line)) areExamples = /^Examples?:$/.test(line);
      return areExamples && line.startsWith(' ') ? command(line, columns) : prose(line, columns);
    })
    .join('\n');
}

/** What is narrower than this stands below what it belongs to, not beside it. */
const NARROWEST = 26;
const FURTHER_IN = 2;
const USAGE = 'Usage: ';

function prose(line: string, columns: number): readonly string[] {
  const {
    indent = '',
    term = '',
    gap = '',
    rest = '',
  } = /^(?<indent> *)(?:(?<term>\S.*\S|\S)(?<gap> {2,}))?(?<rest>\S.*)?$/.exec(line)?.groups ?? {};
  const lead = indent + term + gap;
  if (term === '') {
    if (rest.startsWith(USAGE)) return hung(USAGE, rest.slice(USAGE.length), USAGE.length, columns);
    return hung(indent, rest, indent === '' ? 0 : indent.length + FURTHER_IN, columns);
  }
  if (columns - lead.length >= NARROWEST) return hung(lead, rest, lead.length, columns);
  const below = indent.length + FURTHER_IN;
  return [...hung(indent, term, below, columns), ...hung(' '.repeat(below), rest, below, columns)];
}

/** `text` behind `lead`, and what does not fit so far in. */
function hung(lead: string, text: string, hang: number, columns: number): readonly string[] {
  if (widthOf(lead + text) <= columns) return [lead + text];
  const [first = ''] = wrap(text, columns - lead.length, 0);
  const others = wrap(text.slice(first.length), columns - hang, 0);
  return withoutOrphan([first, ...others], columns - hang).map(
    (line, index) => (index === 0 ? lead : ' '.repeat(hang)) + line,
  );
}

/** A word is not left alone on the last line where it can have company from the line before. */
function withoutOrphan(lines: readonly string[], room: number): readonly string[] {
  const [before = '', last = ''] = lines.slice(-2);
  const cut = before.lastIndexOf(' ');
  const together = `${before.slice(cut + 1)} ${last}`;
  if (last.includes(' ') || cut === -1 || widthOf(together) > room) return lines;
  return [...lines.slice(0, -2), before.slice(0, cut), together];
}

const SHELL_WORD = /(?:'[^']*'|"[^"]*"|[^\s'"])+/g;
/** Where a reader would break a command: before an option, a pipe, a redirection or a text. */
const BREAKS_WELL = /^(?:--?\w|[|>'"])/;

function command(line: string, columns: number): readonly string[] {
  if (widthOf(line) <= columns) return [line];
  const indent = / */.exec(line)?.[0] ?? '';
  const words: readonly string[] = line.match(SHELL_WORD) ?? [];
  const phrases = words.reduce<readonly string[]>(
    (all, word) =>
      all.length === 0 || BREAKS_WELL.test(word)
        ? [...all, word]
        : [...all.slice(0, -1), `${all.at(-1) ?? ''} ${word}`],
    [],
  );
  const well = broken(phrases, indent, columns);
  return well.every((one) => widthOf(one) <= columns) ? well : broken(words, indent, columns);
}

function broken(parts: readonly string[], indent: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let line = indent;
  for (const part of parts) {
    const isFirst = line.trim() === '';
    const more = isFirst ? line + part : `${line} ${part}`;
    // Room for the backslash.
    if (isFirst || widthOf(more) + 2 <= columns) line = more;
    else {
      lines.push(`${line} \\`);
      line = `${indent}    ${part}`;
    }
  }
  return [...lines, line];
}
