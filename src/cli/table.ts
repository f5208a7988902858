import { harmlessLine } from '../core/harmless.ts';
import { isPlain, widthOf } from './width.ts';
import { wrap } from './wrap.ts';

/** Text, or text with what colours it; a colour only repeats what the text says. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

export interface TableLook {
  /** How wide the terminal is; `undefined`: there is none, and a row is one line whatever its width. */
  readonly columns: number | undefined;
  readonly paintHead?: (text: string) => string;
}

/** A row of as many cells as there are headings, made harmless. */
interface Row {
  readonly texts: readonly string[];
  readonly cells: readonly Cell[];
  /** It can be shown as it stands, as nearly all of what is told can: then a text is as wide as it is long. */
  readonly isPlain: boolean;
}

const GAP = '  ';
const JOIN = '; ';
const PLAIN = (text: string): string => text;

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
  const all = [head, ...rows].map((cells) => rowOf(head.length, cells));
  const told = inColumns(all, columns);
  if (told === undefined) {
    const lines = all.slice(1).flatMap((row) => asBlock(head, row, columns ?? Infinity));
    return lines.map((line) => `${line}\n`).join('');
  }
  const [headLines = '', ...others] = told;
  const painted = headLines.split('\n').map((line) => paintHead(line));
  return [...painted, ...others, ''].join('\n');
}

function rowOf(columns: number, cells: readonly Cell[]): Row {
  if (cells.length === columns && cells.every(isPlainCell)) return { texts: cells, cells, isPlain: true };
  const texts = Array.from({ length: columns }, (_, column) => {
    const cell = cells[column] ?? '';
    return harmlessLine(typeof cell === 'string' ? cell : cell.text);
  });
  return { texts, cells, isPlain: false };
}

function isPlainCell(cell: Cell): cell is string {
  return typeof cell === 'string' && isPlain(cell);
}

function paintOf({ cells }: Row, column: number): (text: string) => string {
  const cell = cells[column];
  return cell === undefined || typeof cell === 'string' ? PLAIN : cell.paint;
}

/** A last column that is narrower than this, or higher, is harder to read than a block. */
const NARROWEST = 16;
const HIGHEST = 3;

/** Every row, the heading first, with a break after each line but the last; `undefined`: there is no room for columns. */
function inColumns(table: readonly Row[], columns: number | undefined): readonly string[] | undefined {
  const widths = widthsOf(table);
  const end = widths.length - 1;
  const before = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0);
  const last = widths[end] ?? 0;
  const room = Math.min(last, (columns ?? Infinity) - before);
  if (room < Math.min(last, NARROWEST)) return undefined;
  if (room !== last && longestWord(table, end) > room) return undefined;
  const told: string[] = [];
  for (const row of table) {
    const text = row.texts[end] ?? '';
    const [first = '', ...others] = room === last ? [text] : wrap(text, room, 0);
    if (others.length >= HIGHEST) return undefined;
    const paint = paintOf(row, end);
    const line = (inFront(row, widths) + paint(first)).trimEnd();
    told.push(others.reduce((lines, other) => `${lines}\n${' '.repeat(before)}${paint(other)}`, line));
  }
  return told;
}

/** How wide each column is. Not `Math.max(...)`: of many thousands of arguments the stack has no room. */
function widthsOf(table: readonly Row[]): readonly number[] {
  const widths = (table[0]?.texts ?? []).map(() => 0);
  for (const row of table)
    for (let column = 0; column < widths.length; column += 1)
      widths[column] = Math.max(widths[column] ?? 0, widthIn(row, row.texts[column] ?? ''));
  return widths;
}

function widthIn({ isPlain: isKnown }: Row, text: string): number {
  return isKnown ? text.length : widthOf(text);
}

function longestWord(table: readonly Row[], column: number): number {
  return table.reduce(
    (longest, { texts }) =>
      (texts[column] ?? '').split(/\s+/).reduce((most, word) => Math.max(most, widthOf(word)), longest),
    0,
  );
}

/** All cells but the last, each as wide as its column. */
function inFront(row: Row, widths: readonly number[]): string {
  let line = '';
  for (let column = 0; column < widths.length - 1; column += 1) {
    const text = row.texts[column] ?? '';
    const missing = (widths[column] ?? 0) - widthIn(row, text);
    line += paintOf(row, column)(text) + ' '.repeat(missing) + GAP;
  }
  return line;
}

const INDENT = 2;

/** A row as `name`, and below it what else is known of it, as much on a line as fits. What is not known is left out. */
function asBlock(head: readonly string[], row: Row, columns: number): readonly string[] {
  const named = head.findIndex((heading) => heading !== '');
  const name = row.texts.slice(0, named + 1);
  const lines: string[] = [...wrap(name.join(' '), columns, INDENT)];
  let room = 0;
  for (const fact of factsOf(head, row, named + 1)) {
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

interface Fact {
  readonly text: string;
  readonly paint: (text: string) => string;
}

/** `heading: value`; what has no heading belongs to the one before. */
function factsOf(head: readonly string[], row: Row, from: number): readonly Fact[] {
  const facts: Fact[] = [];
  for (const [index, text] of row.texts.entries()) {
    const paint = paintOf(row, index);
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
