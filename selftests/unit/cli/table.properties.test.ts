import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { style } from '../../../src/cli/style.ts';
import { textTable } from '../../../src/cli/table.ts';
import { widthOf } from '../../../src/cli/width.ts';
import { wrap } from '../../../src/cli/wrap.ts';

const HEAD = ['WORKER', 'STATE', '', 'LAST CHANGE', 'WHY'];
const ROWS = [
  ['claude-work', 'resting', 'in 1h', '3m ago', 'out of quota (five-hour limit)'],
  ['codex', 'ready', '', '12s ago', ''],
];
const table = (columns: number | undefined) => textTable(HEAD, ROWS, { columns });

const word = fc.stringMatching(/^[a-z()%:./-]{1,14}$/);
const wide = fc.stringMatching(/^[直全部한国]{1,4}$/);
const cell = fc
  .array(fc.oneof({ weight: 5, arbitrary: word }, wide), { maxLength: 12 })
  .map((all) => all.join(' '));
const aTable = fc.integer({ min: 1, max: 7 }).chain((count) =>
  fc.record({
    head: fc.array(fc.constantFrom('', 'WORKER', 'LAST CHANGE', 'WHY', 'USED'), {
      minLength: count,
      maxLength: count,
    }),
    rows: fc.array(fc.array(cell, { minLength: count, maxLength: count }), { maxLength: 6 }),
  }),
);
const columns = fc.integer({ min: 20, max: 200 });

const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
/** Without headings and what stands between the cells. */
const said = (text: string): readonly string[] => text.split(/[\s;,]+/).filter((one) => one !== '');

describe('a table', () => {
  it('is a line a row where it fits', () => {
    expect(table(80)).toMatchInlineSnapshot(`
      "WORKER       STATE           LAST CHANGE  WHY
      claude-work  resting  in 1h  3m ago       out of quota (five-hour limit)
      codex        ready           12s ago
      "
    `);
  });

  it('breaks its last column on a narrow terminal', () => {
    expect(table(62)).toMatchInlineSnapshot(`
      "WORKER       STATE           LAST CHANGE  WHY
      claude-work  resting  in 1h  3m ago       out of quota
                                                (five-hour limit)
      codex        ready           12s ago
      "
    `);
  });

  it('is told row by row on a narrower one', () => {
    expect(table(40)).toMatchInlineSnapshot(`
      "claude-work
        state: resting, in 1h
        last change: 3m ago
        why: out of quota (five-hour limit)
      codex
        state: ready; last change: 12s ago
      "
    `);
  });

  it('has no line that is wider than the terminal, unless it is one word', () => {
    fc.assert(
      fc.property(aTable, columns, ({ head, rows }, width) => {
        const tooWide = linesOf(textTable(head, rows, { columns: width })).filter(
          (line) => widthOf(line) > width,
        );
        // A heading and the word behind it are kept together by nothing.
        expect(tooWide.filter((line) => line.trim().includes(' '))).toEqual([]);
      }),
    );
  });

  it('says every word of every cell at every width, in the order of the cells', () => {
    fc.assert(
      fc.property(aTable, columns, ({ head, rows }, width) => {
        for (const row of rows) {
          const text = textTable(head, [row], { columns: width });
          const words = said(text);
          let at = 0;
          for (const one of said(row.join(' '))) {
            at = words.indexOf(one, at) + 1;
            expect(at, `${one} in ${text}`).toBeGreaterThan(0);
          }
        }
      }),
    );
  });

  it('is a line a row, at whatever width, where there is no terminal', () => {
    fc.assert(
      fc.property(aTable, ({ head, rows }) => {
        expect(linesOf(textTable(head, rows, { columns: undefined }))).toHaveLength(rows.length + 1);
      }),
    );
  });

  it('says the same with colours as without', () => {
    const { warn, faint } = style(1);
    fc.assert(
      fc.property(aTable, columns, ({ head, rows }, width) => {
        const painted = rows.map((row) => row.map((text) => ({ text, paint: warn })));
        const coloured = textTable(head, painted, { columns: width, paintHead: faint });
        expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(textTable(head, rows, { columns: width }));
      }),
    );
  });

  it('paints every line of a heading that is broken, and each cell as it is told to', () => {
    const paint = (text: string): string => `<${text}>`;
    const rows = [['a', { text: 'it is so', paint }], ['b']];
    const look = { columns: 20, paintHead: (text: string) => `[${text}]` };
    expect(textTable(['X', 'OF MANY MORE WORDS'], rows, look)).toMatchInlineSnapshot(`
      "[X  OF MANY MORE]
      [   WORDS]
      a  <it is so>
      b
      "
    `);
  });

  it('has room for more rows than a function takes arguments', () => {
    const rows = Array.from({ length: 150_000 }, (_, n) => [String(n), 'rests']);
    expect(linesOf(textTable(['N', 'STATE'], rows, { columns: undefined }))).toHaveLength(150_001);
    // Broken into columns, each word of each row is looked at.
    const long = rows.map(([n = '']) => [n, 'rests until somebody clears it']);
    expect(linesOf(textTable(['N', 'STATE'], long, { columns: 30 })).length).toBeGreaterThan(150_001);
  });
});

describe('a text that is broken into lines', () => {
  it.each([
    ['a bb ccc', 40, 4, ['a bb ccc']],
    ['aaaa bbbb cccc dddd', 16, 4, ['aaaa bbbb', '    cccc dddd']],
    [
      'in /a/very/long/path/that/has/no/space it is',
      16,
      4,
      ['in', '    /a/very/long/path/that/has/no/space', '    it is'],
    ],
    ['直直直 全全', 10, 0, ['直直直', '全全']],
    ['', 40, 4, []],
  ])('%j in %d columns', (text, width, indent, lines) => {
    expect(wrap(text, width, indent)).toEqual(lines);
  });
});

it.each([
  ['abc', 3],
  ['é', 1],
  ['e\u0301', 1],
  ['直す', 4],
  ['한국', 4],
  ['🚀', 2],
  ['█░·… │✓', 7],
])('%s takes %d columns', (text, width) => {
  expect(widthOf(text)).toBe(width);
});
