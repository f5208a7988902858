import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/core/time.ts';
import type { Said } from '../../../src/signals/classify.ts';
import { classify } from '../../../src/signals/classify.ts';
import { claudePhrases } from '../../../src/signals/phrases/claude.ts';
import { codexPhrases } from '../../../src/signals/phrases/codex.ts';
import { geminiPhrases } from '../../../src/signals/phrases/gemini.ts';
import { genericPhrases } from '../../../src/signals/phrases/generic.ts';

const at = epochMs(Date.parse('2026-04-16T10:00:00Z'));
const aText = (text: string, overrides: Partial<Said> = {}): Said => ({
  text,
  at,
  zone: 'UTC',
  ...overrides,
});
describe('classify', () => {
  const books = fc.constantFrom(claudePhrases, codexPhrases, geminiPhrases, genericPhrases);
  const pieces = fc.constantFrom(
    ...[
      "You've hit your",
      'usage limit',
      'resets',
      '3pm',
      '429',
      '{"message":"',
      '\\"',
      '\\n',
      '"}',
      'API Error: ',
      '· ',
    ],
    ...[
      'Retrying in',
      'Attempt 1 failed',
      '(',
      ')',
      '[API Error: ',
      'RESOURCE_EXHAUSTED',
      '\u001b[31m',
      '\u202f',
      '\n',
    ],
  );

  it('never throws, and keeps its evidence harmless', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(books, texts, fc.option(fc.integer(), { nil: undefined }), (phrases, text, status) => {
        const finding = classify(phrases, aText(text, { status }));
        const kept = finding.type === 'signal' ? finding.signal.evidence : '';
        expect(kept.length).toBeLessThanOrEqual(500);
        expect(kept).not.toContain('\u001b');
      }),
      { numRuns: 2_000 },
    );
  });

  it('stays quick on long and hostile text', () => {
    const started = performance.now();
    for (const piece of [
      '{"message":"',
      "You've hit your ",
      'limit: 0 ',
      'a b ',
      '\\\\"',
      'Attempt 1 failed: ',
      '((',
      '1.',
      '[',
    ]) {
      classify(genericPhrases, aText(piece.repeat(30_000)));
    }
    // As long as a line can be: the reader cuts at 16 MiB.
    classify(genericPhrases, aText("You've hit your usage limit. ".repeat(600_000)));
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
