import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/core/time.ts';
import { HOOK_EVENTS } from '../../../src/core/hook-events.ts';
import { tellEntry } from '../../../src/cli/session-story.ts';

const NOON = epochMs(Date.parse('2026-09-29T12:00:00Z'));

function told(entry: Readonly<Record<string, unknown>> & { readonly type: string }): string | undefined {
  return tellEntry({ at: '2026-09-29T12:00:00.000Z', ...entry }, NOON, 'UTC')?.text;
}

describe("a session's story", () => {
  it.each([
    [{ type: 'session.started', task: 'mend the clock', resumed: false }, 'was asked: mend the clock'],
    [{ type: 'session.started', task: 'mend the clock', resumed: true }, 'goes on with: mend the clock'],
    [
      { type: 'worker.skipped', worker: 'a', reason: 'weekly limit', until: '2026-09-29T14:00:00.000Z' },
      'passed over: weekly limit, until 14:00 (in 2h)',
    ],
    [
      { type: 'attempt.started', worker: 'a', model: 'opus', lastResort: true },
      'chosen, and started with model opus, as the last resort: it had failed lately, and nobody healthier could',
    ],
    [
      {
        type: 'attempt.ended',
        outcome: 'exhausted',
        reason: 'weekly limit',
        killedBecause: 'weekly limit',
        durationMs: 61_000,
      },
      'exhausted: weekly limit, ended by secondwind, after 1m 1s',
    ],
    [{ type: 'attempt.ended', outcome: 'done', durationMs: 312 }, 'done, after 0.3s'],
    [{ type: 'wait.ended', waitedMs: 1_240 }, 'waited 1.2s'],
    [{ type: 'handoff', from: 'a', to: 'b', how: 'brief' }, 'takes over from a (told what was done so far)'],
    [
      {
        type: 'session.ended',
        outcome: 'exhausted',
        switchCount: 1,
        heldMs: 30_000,
        retryAt: '2026-09-29T14:00:00.000Z',
      },
      'exhausted, after 1 switch, held for 30s, the first is back at 14:00 (in 2h)',
    ],
    [
      {
        type: 'rule',
        rule: 1,
        window: '5h',
        seat: 'codex',
        usedPercent: 91.6,
        outcome: 'matched',
        note: 'for people',
      },
      'rule 1: 5h of seat codex is at 92 %, so others are asked first (for people)',
    ],
    [
      { type: 'rule', rule: 1, window: '5h', seat: 'codex', usedPercent: 92, outcome: 'matched', behind: [] },
      'rule 1 matches, and moves nobody: 5h of seat codex is at 92 %',
    ],
    [{ type: 'rule', rule: 1, window: '5h', seat: 'codex', outcome: 'unknown' }, undefined],
    [{ type: 'something.newer', reason: 'because' }, 'something.newer: because'],
  ])('tells %j', (entry, text) => {
    expect(told(entry)).toBe(text);
  });

  it.each(Object.keys(HOOK_EVENTS))('tells %s in words, or passes over it', (type) => {
    expect(told({ type }) ?? '').not.toContain(type);
  });

  it('passes over what explains no decision', () => {
    for (const type of ['attempt.tool', 'attempt.retrying', 'attempt.note', 'reading'])
      expect(told({ type })).toBeUndefined();
  });

  it('takes whatever a ledger may hold, and says it in one harmless line', () => {
    const key = fc.constantFrom(
      'type',
      'worker',
      'reason',
      'until',
      'kind',
      'how',
      'durationMs',
      'task',
      'at',
    );
    const type = fc.constantFrom(
      ...['session.started', 'worker.skipped', 'attempt.started', 'signal', 'attempt.ended', 'handoff'],
      ...['cooldown.recorded', 'hold.started', 'wait.started', 'session.ended', 'unheard-of'],
    );
    fc.assert(
      fc.property(type, fc.dictionary(key, fc.oneof(fc.string(), fc.jsonValue())), (name, fields) => {
        const line = told({ ...fields, type: name, at: '2026-09-29T12:00:00.000Z' });
        expect(line ?? '').not.toMatch(/[\n\u001b\u0007\u009b]/);
      }),
    );
  });
});
