import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PERMISSION_FLAGS } from '../../../src/cli/help.ts';
import { reflow } from '../../../src/cli/reflow.ts';
import { PERMISSIONS } from '../../../src/core/worker.ts';
import { ADAPTER_NAMES, loadAdapter } from '../../../src/workers/registry.ts';

describe('the help on --permissions', () => {
  it.each(ADAPTER_NAMES)('says what %s is really given', async (name) => {
    const { title, permissions } = await loadAdapter(name);
    for (const permission of PERMISSIONS) {
      const part = PERMISSION_FLAGS.split(new RegExp(`^  ${permission} `, 'm'))[1] ?? '';
      const own = part.slice(part.indexOf(title) + title.length).split(/\n {0,9}\S/)[0] ?? '';
      expect(own.replace(/\s+/g, ' ').trim()).toBe(permissions[permission].join(' '));
    }
  });
});

const word = fc.stringMatching(/^[a-z(),:'-]{1,12}$/);
const sentence = fc.array(word, { minLength: 1, maxLength: 30 }).map((words) => words.join(' '));
const item = fc
  .tuple(fc.nat(6), word, fc.integer({ min: 2, max: 20 }), sentence)
  .map(([indent, term, gap, text]) => `${' '.repeat(indent)}${term}${' '.repeat(gap)}${text}`);
const wordsOf = (text: string) => text.split(/\s+/).filter((one) => one !== '');

describe('a help text that is made to fit', () => {
  it('has no line that is wider, unless it is one word, and every word in its order', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(item, sentence)), fc.integer({ min: 20, max: 120 }), (lines, columns) => {
        const text = reflow(lines.join('\n'), columns);
        expect(wordsOf(text)).toEqual(wordsOf(lines.join(' ')));
        const tooWide = text.split('\n').filter((line) => line.length > columns);
        expect(tooWide.filter((line) => line.trim().includes(' '))).toEqual([]);
      }),
    );
  });

  it('is left as it is where it fits', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(item, sentence)), (lines) => {
        const wide = Math.max(...lines.map((line) => line.length)) + 26;
        expect(reflow(lines.join('\n'), wide)).toBe(lines.join('\n'));
      }),
    );
  });

  it('goes on where it began, and leaves no word alone', () => {
    expect(reflow('  --watch  show it over and over, with countdowns; q quits', 53)).toBe(
      '  --watch  show it over and over, with countdowns;\n           q quits',
    );
  });

  it('goes on below where there is no room beside', () => {
    expect(reflow('  -w, --workers <names>  only these workers, in this order', 40)).toBe(
      '  -w, --workers <names>\n    only these workers, in this order',
    );
  });

  it('breaks a command where a shell takes it as one', () => {
    const example = "Examples:\n  git diff | secondwind run --permissions read 'Review this:' - > review.md";
    expect(reflow(example, 50)).toBe(
      "Examples:\n  git diff | secondwind run --permissions read \\\n      'Review this:' - > review.md",
    );
    expect(reflow(example, 50).replaceAll(/ \\\n +/g, ' ')).toBe(example);
  });
});
