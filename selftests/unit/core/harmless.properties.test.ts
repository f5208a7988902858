import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coloursAlone, harmless, harmlessLine, jsonText, withTexts } from '../../../src/core/harmless.ts';
import { escapes, obeyed } from '../../rig/escapes.ts';

const anyText = fc.oneof(escapes, fc.string({ unit: 'binary' }));

describe('whatever others wrote', () => {
  it('is obeyed by no terminal once it is harmless, and begins no line once it is one', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(obeyed(harmless(text))).toBe('');
        expect(harmless(text)).not.toMatch(/\u001b/);
        expect(harmlessLine(text)).not.toMatch(/[\n\r\t\u0085\u2028\u2029]/);
        expect(harmlessLine(harmlessLine(text))).toBe(harmlessLine(text));
      }),
    );
  });

  it('loses nothing that can be seen: letters of all scripts, emoji and their joiners, tabs and lines', () => {
    const text = 'é 漢 שלום مرحبا \t👩‍👩‍👧 🏴\u{e0067}\u{e007f} می‌خواهم\nnext';
    expect(harmless(text)).toBe(text);
    expect(coloursAlone(text)).toBe(text);
  });

  it('is obeyed for its colours alone where a view has forgotten it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(obeyed(coloursAlone(text).replaceAll('\r\n', '\n'))).toBe('');
      }),
    );
    expect(coloursAlone('\u001b[1;31mred\u001b[0m\r\n')).toBe('\u001b[1;31mred\u001b[0m\r\n');
  });

  it('is JSON that reads as it was, with nothing in it that a terminal obeys', () => {
    fc.assert(
      fc.property(fc.dictionary(anyText, fc.array(anyText)), (value) => {
        const text = jsonText(value);
        expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
        expect(JSON.parse(text)).toEqual(value);
      }),
    );
  });

  it('is changed wherever it stands in a value, which is otherwise as it was', () => {
    const value = { a: ['x', 1, null, { b: 'x', c: undefined }], d: true };
    expect(withTexts(value, (text) => `${text}!`)).toEqual({
      a: ['x!', 1, null, { b: 'x!', c: undefined }],
      d: true,
    });
  });
});
