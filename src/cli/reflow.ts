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

/**
 * `text` behind `lead`, and what does not fit so far in, in as few lines as can be; but rather all of them a little
 * shorter than one word alone on the last.
 */
function hung(lead: string, text: string, hang: number, columns: number): readonly string[] {
  const widest = within(columns, lead, text, hang);
  for (let narrower = columns; narrower > columns * 0.6; narrower -= 1) {
    const lines = within(narrower, lead, text, hang);
    if (lines.length > widest.length) break;
    if (lines.length === 1 || lines.at(-1)?.trim().includes(' ') === true) return lines;
  }
  return widest;
}

function within(columns: number, lead: string, text: string, hang: number): readonly string[] {
  if (widthOf(lead + text) <= columns) return [lead + text];
  const [first = ''] = wrap(text, columns - lead.length, 0);
  const others = wrap(text.slice(first.length), columns - hang, 0);
  return [lead + first, ...others.map((line) => ' '.repeat(hang) + line)];
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
