import { describe, expect, it } from 'vitest';
import { ORDER } from '../../../src/signals/phrases/book.ts';
import { claudePhrases } from '../../../src/signals/phrases/claude.ts';
import { codexPhrases } from '../../../src/signals/phrases/codex.ts';
import { geminiPhrases } from '../../../src/signals/phrases/gemini.ts';
import { genericPhrases } from '../../../src/signals/phrases/generic.ts';

describe.each([
  ['claude', claudePhrases],
  ['codex', codexPhrases],
  ['gemini', geminiPhrases],
  ['any CLI', genericPhrases],
])('the phrases of %s', (_, { phrases }) => {
  it('stand in the one order of classes', () => {
    const ranks = phrases.map((phrase) => ORDER.findIndex(({ name }) => name === phrase.class));
    expect(ranks).toEqual(ranks.toSorted((left, right) => left - right));
  });

  it('each say where they were seen, and what they match', () => {
    for (const phrase of phrases) {
      expect(phrase.source.length, phrase.reason).toBeGreaterThan(4);
      expect(phrase.says ?? phrase.code ?? phrase.failing, phrase.reason).toBeDefined();
    }
  });

  it('are anchored at the start of the message, and keep no state', () => {
    for (const { says } of phrases) {
      if (says === undefined) continue;
      expect(says.source.startsWith('^'), says.source).toBe(true);
      expect(says.flags, says.source).toBe('i');
    }
  });
});
