import { describe, expect, it } from 'vitest';
import { durationMs, epochMs, HOUR, toIso } from '../../../src/core/time.ts';
import type { Evidence, ProductEvent } from '../../../src/selftest/live/judge-run.ts';
import { judgeRun } from '../../../src/selftest/live/judge-run.ts';
import type { Expected } from '../../../src/selftest/live/live-case.ts';
import type { Call } from '../../../src/upstream/upstream.ts';

const NOW = epochMs(Date.UTC(2026, 10, 29, 12));
const TWO_HOURS = durationMs(2 * HOUR);
const at = (ms: number): string => toIso(epochMs(NOW + ms));

function call(ms: number, toolOutputs: readonly string[] = []): Call {
  const nothing = { lane: 'x', method: 'POST', path: '/', headers: {}, body: {}, step: 0 };
  return { ...nothing, at: epochMs(NOW + ms), toolOutputs };
}

/** A run in which the worker is refused, rests for two hours, and the spare does the task. */
const REFUSED: readonly ProductEvent[] = [
  { type: 'signal', at: at(90), worker: 'w', kind: 'rate-limit', scope: 'seat', evidence: 'no' },
  { type: 'attempt.ended', at: at(100), worker: 'w', outcome: 'exhausted', durationMs: 700 },
  {
    type: 'cooldown.recorded',
    at: at(110),
    worker: 'w',
    kind: 'rate-limit',
    until: at(TWO_HOURS),
    source: 'event',
  },
  { type: 'attempt.ended', at: at(300), worker: 'spare', outcome: 'done', durationMs: 100 },
  { type: 'session.ended', at: at(310), outcome: 'done', worker: 'spare', text: 'All done.' },
];
const DONE: readonly ProductEvent[] = [
  { type: 'attempt.ended', at: at(300), worker: 'w', outcome: 'done', durationMs: 100 },
  { type: 'session.ended', at: at(310), outcome: 'done', worker: 'w', text: 'All done.' },
];
const RESTS: Expected = {
  ...{ type: 'rests', kind: 'rate-limit', scope: 'seat', calls: 1 },
  reset: { in: TWO_HOURS, within: durationMs(2_000) },
};

function evidenceOf(events: readonly ProductEvent[], over: Partial<Evidence> = {}): Evidence {
  return { worker: 'w', events, exitCode: 0, calls: [call(10)], ...over };
}

function changed(type: string, fields: object): readonly ProductEvent[] {
  return REFUSED.map((event) => (event.type === type ? { ...event, ...fields } : event));
}

describe('a run', () => {
  it('is as expected, in words and in milliseconds', () => {
    expect(judgeRun(RESTS, evidenceOf(REFUSED))).toEqual({
      ...{ problems: [], happened: 'rate-limit, seat rests 2h (event), next worker' },
      ...{ reactionMs: 90, unknown: [] },
    });
    expect(judgeRun({ type: 'done' }, evidenceOf(DONE))).toMatchObject({
      ...{ problems: [], happened: 'done', reactionMs: 100 },
    });
  });

  it.each<[string, Expected, Evidence, RegExp]>([
    [
      'another kind',
      RESTS,
      evidenceOf(changed('cooldown.recorded', { kind: 'auth-failure' })),
      /^it rests for auth-failure, expected rate-limit$/,
    ],
    [
      'another scope',
      RESTS,
      evidenceOf(changed('signal', { scope: 'model:opus' })),
      /^model:opus rests, expected seat$/,
    ],
    [
      'another reset',
      RESTS,
      evidenceOf(changed('cooldown.recorded', { until: at(TWO_HOURS + 60_000) })),
      /^the rest ends 1m beside the reset$/,
    ],
    [
      'no reset read',
      RESTS,
      evidenceOf(changed('cooldown.recorded', { source: 'default' })),
      /^the reset that was named was not read$/,
    ],
    [
      'a reset invented',
      { ...RESTS, reset: undefined },
      evidenceOf(REFUSED),
      /^a reset was read where none was named$/,
    ],
    [
      'a slow end',
      RESTS,
      evidenceOf(changed('attempt.ended', { at: at(9_010) })),
      /^it took 9s from the refusal/,
    ],
    [
      'a closed door hammered',
      RESTS,
      evidenceOf(REFUSED, { calls: [call(0), call(5), call(10)] }),
      /asked 3 times, expected 1 at most$/,
    ],
    ['nobody resting', RESTS, evidenceOf(DONE), /^nobody rests$/],
    [
      'another exit code',
      { type: 'done' },
      evidenceOf(DONE, { exitCode: 75 }),
      /^secondwind exited with 75, expected 0$/,
    ],
    [
      'a crash',
      { type: 'done' },
      evidenceOf(DONE, { exitCode: undefined }),
      /^secondwind exited with a signal/,
    ],
    [
      'a provider that was never asked',
      { type: 'done' },
      evidenceOf(DONE, { calls: [] }),
      /^the provider was never asked$/,
    ],
    ['no attempt at all', { type: 'done' }, evidenceOf([]), /^the worker was never tried$/],
    [
      'a rest where none was called for',
      { type: 'recovers' },
      evidenceOf(REFUSED),
      /rests a seat, and nobody was to rest$/,
    ],
    [
      'words of an agent believed',
      { type: 'done' },
      evidenceOf([...REFUSED.slice(0, 1), ...DONE]),
      /^a refusal was read where there was none: no$/,
    ],
    ['another answer', { type: 'done', text: 'Hm.' }, evidenceOf(DONE), /^the answer is not the one/],
    ['a tool that did not run', { type: 'done', saw: ['x'] }, evidenceOf(DONE), /^the tool did not print/],
    [
      'the busy provider obeyed at once',
      { type: 'passed-on' },
      evidenceOf(DONE),
      /^the worker did the task itself$/,
    ],
    [
      'a lost memory',
      { type: 'goes-on', remembers: 'x' },
      evidenceOf(DONE, { calls: [call(0, ['x']), call(5)] }),
      /^it went on without knowing/,
    ],
    [
      'a window that nobody minded',
      { type: 'goes-on', remembers: 'x' },
      evidenceOf(DONE, { calls: [call(0, ['x'])] }),
      /^nobody rested/,
    ],
    ['quota taken for a cut stream', { type: 'survives' }, evidenceOf(REFUSED), /^rate-limit rests a seat/],
  ])('with %s is not', (_what, expected, evidence, problem) => {
    const { problems } = judgeRun(expected, evidence);
    expect(problems).toContainEqual(expect.stringMatching(problem));
  });

  it('tells what the adapter does not know', () => {
    const unknown = [{ what: 'event', name: 'x', count: 1, evidence: '{}' }];
    const events = [
      { type: 'attempt.unknown', worker: 'w', unknown },
      { type: 'attempt.unknown', worker: 'spare', unknown },
      ...DONE,
    ];
    expect(judgeRun({ type: 'done' }, evidenceOf(events)).unknown).toEqual(unknown);
  });
});
