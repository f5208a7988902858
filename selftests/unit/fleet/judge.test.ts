import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RESTS } from '../../../src/core/policy.ts';
import type { Signal } from '../../../src/core/signal.ts';
import { COOLDOWN_KINDS } from '../../../src/core/signal.ts';
import { DAY, durationMs, epochMs, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import { healthNoteOf, judge } from '../../../src/fleet/judge.ts';
import type { Ending } from '../../../src/workers/ending.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aSignal, aWorker } from '../../rig/builders.ts';

const worker = aWorker({ id: 'claude-work', seat: 'work' });

function cooldownFrom(signal: Partial<Signal>, rests = DEFAULT_RESTS) {
  const consequence = judge({ type: 'refused', signal: aSignal(signal) }, worker, rests, NOW);
  if (consequence.type !== 'rest') throw new Error(`it was judged ${consequence.type}`);
  return consequence.cooldown;
}

describe('the end of an attempt', () => {
  it.each([
    { type: 'done', text: 'All done.' },
    { type: 'failed', reason: 'bad model', evidence: 'no such model', recognised: true },
    { type: 'stopped', because: 'idle' },
  ] as const)('is what it is when nobody refused: $type', (ending) => {
    expect(judge(ending, worker, DEFAULT_RESTS, NOW)).toEqual(ending);
  });

  it.each([
    ['rate-limit', 'rest'],
    ['out-of-credits', 'rest'],
    ['auth-failure', 'rest'],
    ['cli-unavailable', 'rest'],
    ['connection-failure', 'rest'],
    ['overloaded', 'hold'],
    ['server-error', 'pass-on'],
  ] as const)('over %s calls for: %s', (kind, type) => {
    const signal = aSignal({ kind });
    expect(judge({ type: 'refused', signal }, worker, DEFAULT_RESTS, NOW)).toMatchObject({ type, signal });
  });
});

describe('what an end says of the machinery', () => {
  const crashed = {
    type: 'failed',
    reason: 'it was ended by SIGSEGV without a result',
    evidence: '',
  } as const;
  it.each<[string, string | undefined, Ending]>([
    ['a clean run', 'clean-run', { type: 'done', text: 'All done.' }],
    ['a server error', 'server-error', { type: 'refused', signal: aSignal({ kind: 'server-error' }) }],
    ['a CLI that died without a word', 'timeout', { ...crashed, recognised: false, died: true }],
    ['a stall', 'timeout', { type: 'stopped', because: 'idle' }],
    [
      'a stall over server errors',
      'server-error',
      { type: 'stopped', because: 'idle', trouble: 'overloaded' },
    ],
    ['a stall over a quota', undefined, { type: 'stopped', because: 'idle', trouble: 'rate-limit' }],
    ['a failure in words that we do not know', undefined, { ...crashed, recognised: false }],
    ['a failure of the task', undefined, { ...crashed, recognised: true }],
    ['being told to stop', undefined, { type: 'stopped', because: 'aborted' }],
    [
      'being busy, which is held first',
      undefined,
      { type: 'refused', signal: aSignal({ kind: 'overloaded' }) },
    ],
    ...COOLDOWN_KINDS.map((kind): [string, undefined, Ending] => [
      ...([kind, undefined] as const),
      { type: 'refused', signal: aSignal({ kind }) },
    ]),
  ])('of %s: %s', (_what, says, ending) => {
    const note = healthNoteOf(ending, worker, NOW);
    expect(note?.type === 'failure' ? note.cause : note?.type).toBe(says);
    if (note !== undefined) expect(note).toMatchObject({ worker: worker.id, at: NOW });
  });
});

describe('the length of a rest', () => {
  it('is to the reset that was named, with its source and the line that named it', () => {
    const resetAt = epochMs(NOW + 3 * HOUR);
    expect(cooldownFrom({ resetAt, source: 'text', evidence: 'try again at 11:00 PM' })).toEqual({
      ...{ target: { type: 'seat', seat: 'work' }, worker: 'claude-work', kind: 'rate-limit' },
      ...{ since: NOW, until: resetAt, source: 'text', reason: 'five-hour limit' },
      evidence: 'try again at 11:00 PM',
    });
  });

  it.each([
    ['rate-limit', 30 * MINUTE],
    ['out-of-credits', DAY],
    ['auth-failure', DAY],
    ['cli-unavailable', DAY],
    ['connection-failure', 5 * MINUTE],
  ] as const)('is its own for %s when no reset is named, and says so', (kind, length) => {
    expect(cooldownFrom({ kind })).toMatchObject({ kind, until: NOW + length, source: 'default' });
  });

  it.each(COOLDOWN_KINDS)('is the one configured for %s', (kind) => {
    const rests = { ...DEFAULT_RESTS, [kind]: durationMs(1_234) };
    expect(cooldownFrom({ kind }, rests).until).toBe(NOW + 1_234);
  });

  it.each([
    { says: 'a minute ahead', from: MINUTE, length: MINUTE, source: 'event' },
    { says: '8 days ahead to the millisecond', from: 8 * DAY, length: 8 * DAY, source: 'event' },
    { says: 'a millisecond beyond 8 days', from: 8 * DAY + 1, length: 8 * DAY, source: 'event' },
    { says: 'in the year 58,000, as seconds taken for milliseconds are', from: 1.7e15, length: 8 * DAY },
    { says: 'this very moment', from: 0, length: MINUTE },
    { says: 'two minutes past', from: -2 * MINUTE, length: MINUTE },
    { says: 'two minutes and a second past', from: -121 * SECOND, length: 30 * MINUTE, source: 'default' },
    { says: 'in 1970', from: 0 - NOW, length: 30 * MINUTE, source: 'default' },
    { says: 'not a number', from: NaN, length: 30 * MINUTE, source: 'default' },
    { says: 'infinite', from: Infinity, length: 30 * MINUTE, source: 'default' },
  ])('is sane when the named reset is $says', ({ from, length, source = 'event' }) => {
    const cooldown = cooldownFrom({ resetAt: epochMs(NOW + from) });
    expect((cooldown.until ?? 0) - NOW).toBe(length);
    expect(cooldown.source).toBe(source);
  });

  it('says that a reset was cut, and only then', () => {
    expect(cooldownFrom({ resetAt: epochMs(NOW + 9 * DAY) }).reason).toContain('8 days');
    expect(cooldownFrom({ resetAt: epochMs(NOW + 7 * DAY) }).reason).toBe('five-hour limit');
  });

  it('has no end for a spend cap, until somebody clears it', () => {
    const cooldown = cooldownFrom({ kind: 'out-of-credits', untilCleared: true });
    expect(cooldown.until).toBeUndefined();
  });

  it('always ends after now and within 8 days, unless only a person can end it', () => {
    const resetAt = fc.oneof(
      fc.double(),
      fc.integer({ min: NOW - 10 * DAY, max: NOW + 20 * DAY }),
      fc.constant(undefined),
    );
    fc.assert(
      fc.property(resetAt, fc.constantFrom(...COOLDOWN_KINDS), (value, kind) => {
        const { until } = cooldownFrom({ kind, resetAt: value === undefined ? undefined : epochMs(value) });
        expect(until).toBeGreaterThan(NOW);
        expect(until).toBeLessThanOrEqual(NOW + 8 * DAY);
      }),
      { numRuns: 1_000 },
    );
  });
});
