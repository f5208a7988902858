import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/core/time.ts';
import { readAnthropic } from '../../../src/signals/providers/anthropic.ts';
import type { Answer } from '../../../src/signals/providers/answer.ts';
import { readCodex, readCodexUsage } from '../../../src/signals/providers/codex.ts';
import { readGoogle } from '../../../src/signals/providers/google.ts';
import { readOpenAi } from '../../../src/signals/providers/openai.ts';
import { CEILING } from '../../../src/signals/reset.ts';

const at = epochMs(Date.parse('2026-04-16T10:00:00Z'));

const name = fc.oneof(
  fc.constantFrom(
    ...['retry-after', 'retry-after-ms', 'x-codex-primary-used-percent', 'x-codex-primary-reset-at'],
    ...['x-codex-active-limit', 'x-ratelimit-remaining-tokens', 'x-ratelimit-reset-tokens'],
    ...['anthropic-ratelimit-unified-status', 'anthropic-ratelimit-unified-5h-status'],
    ...['anthropic-ratelimit-unified-5h-reset', 'anthropic-ratelimit-tokens-remaining'],
  ),
  fc.string(),
);
const value = fc.oneof(
  fc.constantFrom(
    'rejected',
    'allowed',
    '100',
    '0',
    '-1',
    '1e400',
    'NaN',
    '6m0s',
    '9'.repeat(30),
    '1776340000',
  ),
  fc.string(),
);
const answer: fc.Arbitrary<Answer> = fc.record({
  status: fc.constantFrom(200, 400, 401, 402, 403, 429, 500, 503, 529),
  headers: fc.dictionary(name, value),
  body: fc.oneof(fc.string(), fc.json()),
  at: fc.constant(at),
});

describe.each([
  ['Anthropic', readAnthropic],
  ['OpenAI', readOpenAi],
  ['Codex', readCodex],
  ['Google', readGoogle],
])('the reader of %s', (_, read) => {
  it('bears any answer, and names no reset that is over or beyond belief', () => {
    fc.assert(
      fc.property(answer, (given) => {
        const { finding } = read(given);
        if (finding.type !== 'signal' || finding.signal.resetAt === undefined) return;
        expect(finding.signal.resetAt).toBeGreaterThanOrEqual(at - 120_000);
        expect(finding.signal.resetAt).toBeLessThanOrEqual(at + CEILING);
      }),
      { numRuns: 1_000 },
    );
  });

  it('degrades nobody for an answer without quota headers that was fine', () => {
    expect(read({ status: 200, headers: {}, body: '', at })).toEqual({
      windows: [],
      finding: { type: 'unknown' },
    });
  });
});

it('a plan that cannot be read is no windows, not full ones', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
      expect(readCodexUsage(text, at).filter(({ closed }) => closed)).toEqual([]);
    }),
  );
});
