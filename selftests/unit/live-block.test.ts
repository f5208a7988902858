import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { liveBlock } from '../../src/system/live-block.ts';

/** A terminal of so many columns that understands what we write to it: text, line breaks, cursor up, clear to the end. */
class Screen {
  readonly rows: string[] = [''];
  #row = 0;
  readonly #columns: number;

  constructor(columns: number) {
    this.#columns = columns;
  }

  write(text: string): void {
    for (const piece of text.match(/\u001b\[\d*[A-Za-z]|\n|[^\n\u001b]/gu) ?? []) this.#take(piece);
  }

  #take(piece: string): void {
    if (piece === '\n') this.#go(this.#row + 1);
    else if (piece.endsWith('A') && piece.startsWith('\u001b')) this.#row -= Number(piece.slice(2, -1));
    else if (piece === '\u001b[J') this.rows.splice(this.#row, Infinity, '');
    else if (!piece.startsWith('\u001b')) {
      if ((this.rows[this.#row]?.length ?? 0) >= this.#columns) this.#go(this.#row + 1);
      this.rows[this.#row] = `${this.rows[this.#row] ?? ''}${piece}`;
    }
  }

  #go(row: number): void {
    this.#row = row;
    this.rows[row] ??= '';
  }
}

const aLine = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é'), maxLength: 60 });

describe('lines that change in place', () => {
  it('stand below all that was said, whatever is said and shown, and at any width', () => {
    const step = fc.oneof(
      fc.record({ say: fc.array(aLine, { minLength: 1, maxLength: 3 }) }),
      fc.record({ show: fc.array(aLine, { maxLength: 4 }) }),
      fc.record({ aside: aLine }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.integer({ min: 10, max: 40 }), (steps, columns) => {
        const screen = new Screen(columns);
        const write = (text: string): void => {
          screen.write(text);
        };
        const block = liveBlock({ write, columns: () => columns, rows: () => 50, isLive: true });
        const expected = new Screen(columns);
        let shown: readonly string[] = [];
        for (const one of steps) {
          if ('say' in one) {
            block.say(one.say.map((line) => `${line}\n`).join(''));
            expected.write(one.say.map((line) => `${line}\n`).join(''));
          } else if ('aside' in one) {
            block.aside(() => {
              screen.write(`${one.aside}\n`);
            });
            expected.write(`${one.aside}\n`);
          } else {
            block.show(one.show);
            shown = one.show;
          }
        }
        for (const line of shown)
          expected.write(`${line.length < columns ? line : `${line.slice(0, columns - 2)}…`}\n`);
        expect(screen.rows).toEqual(expected.rows);
      }),
    );
  });

  it('are cut by what is seen of them: colours take no room, and stay whole', () => {
    let written = '';
    const write = (text: string): void => {
      written += text;
    };
    liveBlock({ write, columns: () => 6, rows: () => 50, isLive: true }).show([
      '\u001b[31mabcdefgh\u001b[39m',
    ]);
    expect(written).toBe('\u001b[31mabcd…\u001b[39m\n');
  });

  it('are cut sooner where characters are wide', () => {
    let written = '';
    const write = (text: string): void => {
      written += text;
    };
    liveBlock({ write, columns: () => 7, rows: () => 50, isLive: true }).show(['日日日日日日']);
    expect(written).toBe('日日…\n');
  });

  it('are never more than the screen has room for, and say how many there are besides', () => {
    let written = '';
    const write = (text: string): void => {
      written += text;
    };
    const block = liveBlock({ write, columns: () => 80, rows: () => 4, isLive: true });
    block.show(['a', 'b', 'c', 'd', 'e']);
    expect(written).toBe('a\nb\n  … and 3 more\n');
    written = '';
    block.show(['a', 'b', 'c']);
    expect(written).toBe('\u001b[3A\u001b[Ja\nb\nc\n');
  });

  it('are not there where nothing may move', () => {
    let written = '';
    const write = (text: string): void => {
      written += text;
    };
    const block = liveBlock({ write, columns: () => 80, rows: () => 50, isLive: false });
    block.show(['a']);
    block.say('b\n');
    block.aside(() => {
      write('c\n');
    });
    expect(written).toBe('b\nc\n');
  });
});
