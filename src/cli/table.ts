import { harmlessLine } from '../core/harmless.ts';
import { widthOf } from './width.ts';
import { wrap } from './wrap.ts';

/** Text, or text with what colours it; a colour only repeats what the text says. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

export interface TableLook {
  /** How wide the terminal is; `undefined`: there is none, and a row is one line whatever its width. */
  readonly columns: number | undefined;
  readonly paintHead?: (text: string) => string;
}

interface Drawn {
  readonly text: string;
  readonly paint: (text: string) => string;
}

const GAP = '  ';
const JOIN = '; ';
const PLAIN = (text: string): string => text;
const EMPTY: Drawn = { text: '', paint: PLAIN };

/**
 * Rows under headings, each column as wide as its widest cell, the last not padded. Where that is wider than the
 * terminal, the last column is broken into a few lines; where that is not enough, each row is told as a block:
 * its name, and below it `heading: value`. So no line is wider than the terminal, unless a word is.
 */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  { columns, paintHead = PLAIN }: TableLook,
): string {
  const drawn = rows.map((cells) => head.map((_, column) => drawnOf(cells[column] ?? '')));
  const [headLines = [], ...rowLines] = inColumns([head.map(drawnOf), ...drawn], columns) ?? [
    [],
    ...drawn.map((cells) => asBlock(head, cells, columns ?? Infinity)),
  ];
  return [...headLines.map((line) => paintHead(line)), ...rowLines.flat()]
    .map((line) => `${line}\n`)
    .join('');
}

function drawnOf(cell: Cell): Drawn {
  return typeof cell === 'string'
    ? { text: harmlessLine(cell), paint: PLAIN }
    : { ...cell, text: harmlessLine(cell.text) };
}

/** A last column that is narrower than this, or higher, is harder to read than a block. */
const NARROWEST = 16;
const HIGHEST = 3;

/** The lines of every row; `undefined`: there is no room for columns. */
function inColumns(
  table: readonly (readonly Drawn[])[],
  columns: number | undefined,
): readonly (readonly string[])[] | undefined {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((cells) => widthOf(cells[column]?.text ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const last = widths.at(-1) ?? 0;
  const room = Math.min(last, (columns ?? Infinity) - before);
  if (room < Math.min(last, NARROWEST)) return undefined;
  const all = table.map((cells) => {
    const { text, paint } = cells.at(-1) ?? EMPTY;
    const [first = '', ...others] = room === last ? [text] : wrap(text, room, 0);
    const inFront = cells.slice(0, -1).map((cell, column) => padded(cell, widths[column] ?? 0));
    return [
      [...inFront, paint(first)].join(GAP).trimEnd(),
      ...others.map((line) => ' '.repeat(before) + paint(line)),
    ];
  });
  const fits = all.every((lines) => lines.length <= HIGHEST);
  return fits && (room === last || longestWord(table) <= room) ? all : undefined;
}

/** Of the last column. */
function longestWord(table: readonly (readonly Drawn[])[]): number {
  return Math.max(...table.flatMap((cells) => (cells.at(-1) ?? EMPTY).text.split(/\s+/).map(widthOf)));
}

function padded({ text, paint }: Drawn, width: number): string {
  return paint(text) + ' '.repeat(Math.max(0, width - widthOf(text)));
}

const INDENT = 2;

/** A row as `name`, and below it what else is known of it, as much on a line as fits. What is not known is left out. */
function asBlock(head: readonly string[], cells: readonly Drawn[], columns: number): readonly string[] {
  const named = head.findIndex((heading) => heading !== '');
  const name = cells.slice(0, named + 1).map(({ text }) => text);
  const lines: string[] = [...wrap(name.join(' '), columns, INDENT)];
  let room = 0;
  for (const fact of factsOf(head, cells, named + 1)) {
    const width = widthOf(fact.text);
    if (JOIN.length + width <= room) {
      lines.push(`${lines.pop() ?? ''}${JOIN}${fact.paint(fact.text)}`);
      room -= JOIN.length + width;
    } else if (width <= columns - INDENT) {
      lines.push(' '.repeat(INDENT) + fact.paint(fact.text));
      room = columns - INDENT - width;
    } else {
      const broken = wrap(fact.text, columns, 2 * INDENT);
      lines.push(...broken.map((line, at) => (at === 0 ? ' '.repeat(INDENT) : '') + line));
      room = 0;
    }
  }
  return lines;
}

/** `heading: value`; what has no heading belongs to the one before. */
function factsOf(head: readonly string[], cells: readonly Drawn[], from: number): readonly Drawn[] {
  const facts: Drawn[] = [];
  for (const [index, { text, paint }] of cells.entries()) {
    const label = head[index] ?? '';
    if (index < from || text === '') continue;
    const before = label === '' ? facts.pop() : undefined;
    if (before !== undefined) facts.push({ text: `${before.text}, ${text}`, paint: before.paint });
    else if (label === '') facts.push({ text, paint });
    else {
      const lead = `${label.toLowerCase()}: `;
      facts.push({ text: lead + text, paint: (whole) => lead + paint(whole.slice(lead.length)) });
    }
  }
  return facts;
}
