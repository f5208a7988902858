import { describe, expect, it } from 'vitest';
import { epochMs, HOUR, MINUTE, SECOND, durationMs } from '../../../src/core/time.ts';
import type { Observation } from '../../../src/workers/adapter.ts';
import { Watch } from '../../../src/workers/watch.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aLine, aSignal } from '../../rig/builders.ts';
import { OWN_END, progress, retry, scripted, text, tool, watch } from '../../rig/watching.ts';

describe('a throttle', () => {
  it.each([
    { says: 'a delay within patience', delay: 2_000, ends: false },
    { says: 'a delay of patience to the millisecond', delay: 60_000, ends: false },
    { says: 'a delay one millisecond beyond patience', delay: 60_001, ends: true },
    { says: 'a delay of hours', delay: 2 * HOUR, ends: true },
    { says: 'no delay', delay: undefined, ends: false },
  ])('is left to the CLI exactly as long as patience lasts: $says', ({ delay, ends }) => {
    expect(watch([retry(0, 'rate-limit', delay)])?.step).toBe(ends ? 0 : undefined);
  });

  it('is ended once its retries together outlast patience, each short as it may be', () => {
    const steps = [0, 15, 30, 45, 50].map((seconds) => retry(seconds * SECOND, 'rate-limit', 14_000));
    expect(watch(steps)?.step).toBe(4);
  });

  it('is ended by retries that say no delay once they have taken longer than patience', () => {
    expect(
      watch([retry(0, 'rate-limit'), retry(60_000, 'rate-limit'), retry(60_001, 'rate-limit')])?.step,
    ).toBe(2);
  });

  it.each([
    ['an answer of the model', progress],
    ['text', text],
    ['a tool use', tool],
  ])('begins anew after %s', (_what, recovery) => {
    const steps = [
      retry(0, 'rate-limit', 30_000),
      recovery(31_000),
      retry(40_000, 'rate-limit', 30_000),
      retry(65_000, 'rate-limit', 30_000),
    ];
    expect(watch(steps)).toBeUndefined();
    expect(watch(steps.filter((_, index) => index !== 1))?.step).toBe(1);
  });

  it('is not taken for overcome by a note, a reading or the name of the conversation', () => {
    const chatter: Observation[] = [
      { type: 'note', text: 'MCP server started' },
      { type: 'conversation', id: 'abc', model: undefined },
      { type: 'reading', window: '5h', usedPercent: 3, resetAt: undefined, warning: false },
    ];
    expect(
      watch([retry(0, 'rate-limit', 5_000), { t: 1, sees: chatter }, retry(50_000, 'rate-limit', 20_000)])
        ?.step,
    ).toBe(2);
  });

  it('ends at its first line when patience is zero, whatever delay it names', () => {
    for (const delay of [undefined, 0, 1, 500])
      expect(watch([retry(0, 'rate-limit', delay)], { patience: 0 })?.step).toBe(0);
  });

  it('gets its whole patience after a provider was busy for longer than that', () => {
    const busy = [0, 2, 4, 6].map((minutes) => retry(minutes * MINUTE, 'overloaded', 30_000));
    expect(watch([...busy, retry(8 * MINUTE, 'rate-limit', 2_000)])).toBeUndefined();
  });

  it('is a closed window when it goes on for longer than patience among other trouble', () => {
    const steps = [
      retry(0, 'rate-limit', 2_000),
      retry(30_000, 'overloaded', 2_000),
      retry(59_000, 'rate-limit', 2_000),
    ];
    expect(watch(steps)?.step).toBe(2);
  });
});

describe('the reset of a throttle that has outlasted patience', () => {
  const resetAt = epochMs(NOW + 3 * HOUR);

  it('is what the vendor named, before the delay that the CLI chose', () => {
    expect(watch([retry(0, 'rate-limit', 4 * HOUR, { resetAt })])?.signal.resetAt).toBe(resetAt);
  });

  it('is the end of the announced delay when nothing else was named', () => {
    expect(watch([retry(700, 'rate-limit', 2 * HOUR)])?.signal.resetAt).toBe(NOW + 700 + 2 * HOUR);
  });

  it('is unknown when only the pace of the retries was named', () => {
    const hint = (t: number) => retry(t, 'rate-limit', 5_000, { resetAt: epochMs(NOW + t + 2_300) });
    const ended = watch([hint(0), hint(30_000), hint(58_000)]);
    expect(ended?.step).toBe(2);
    expect(ended?.signal.resetAt).toBeUndefined();
  });
});

describe('a lost connection', () => {
  it('is given patience, and no more', () => {
    const steps = [0, 5, 15, 35].map((seconds) => retry(seconds * SECOND, 'connection-failure', 20_000));
    expect(watch(steps.slice(0, 3))).toBeUndefined();
    expect(watch([...steps, retry(40_001, 'connection-failure', 20_000)])?.step).toBe(4);
  });

  it('names no reset, as nobody can know when the network is back', () => {
    expect(watch([retry(0, 'connection-failure', 2 * HOUR)])?.signal.resetAt).toBeUndefined();
  });
});

describe('a refused login', () => {
  it('is believed the second time in a row', () => {
    expect(watch([retry(0, 'auth-failure', 500)])).toBeUndefined();
    expect(watch([retry(0, 'auth-failure', 500), retry(600, 'auth-failure', 500)])?.step).toBe(1);
  });

  it.each([
    ['an answer of the model', progress(1)],
    ['text', text(1)],
    ['a tool use', tool(1)],
    ['trouble of another kind', retry(1, 'server-error', 500)],
  ])('is not believed when %s came in between', (_what, between) => {
    expect(watch([retry(0, 'auth-failure'), between, retry(2, 'auth-failure')])).toBeUndefined();
    expect(
      watch([retry(0, 'auth-failure'), between, retry(2, 'auth-failure'), retry(3, 'auth-failure')])?.step,
    ).toBe(3);
  });

  it('is believed the second time also with the greatest patience', () => {
    expect(
      watch([retry(0, 'auth-failure'), retry(1, 'auth-failure')], { patience: 24 * HOUR, hold: 24 * HOUR })
        ?.step,
    ).toBe(1);
  });
});

describe.each(['overloaded', 'server-error'] as const)('%s', (kind) => {
  it('is left to the CLI for as long as hold lasts, whatever patience says', () => {
    expect(watch([retry(0, kind, 20 * MINUTE)], { patience: 0 })).toBeUndefined();
    expect(watch([retry(0, kind, 20 * MINUTE + 1)])?.step).toBe(0);
    expect(watch([retry(0, kind, 30_000), retry(19 * MINUTE, kind, 61_000)])?.step).toBe(1);
  });
});

it.each(['out-of-credits', 'cli-unavailable'] as const)('does not sit through retries over %s', (kind) => {
  expect(watch([retry(0, kind, 500)])?.step).toBe(0);
});

describe('a refusal', () => {
  it('ends the attempt at its own line', () => {
    const signal = aSignal({ resetAt: epochMs(NOW + HOUR) });
    expect(watch([text(0), { t: 1, sees: [{ type: 'refused', signal }] }])).toEqual({ step: 1, signal });
  });

  it('is judged by the first of two in one line', () => {
    const [first, second] = [aSignal({ reason: 'weekly limit' }), aSignal({ kind: 'out-of-credits' })];
    const sees = [first, second].map((signal) => ({ type: 'refused' as const, signal }));
    expect(watch([{ t: 0, sees }])?.signal).toBe(first);
  });

  it('decides how the attempt is judged, whatever the CLI says while it is being ended', () => {
    const signal = aSignal();
    const watching = new Watch(scripted([{ t: 0, sees: [{ type: 'refused', signal }] }, text(1)]), {
      patienceMs: MINUTE,
      holdMs: MINUTE,
    });
    watching.push(aLine());
    watching.push(aLine());
    expect(watching.end({ code: 0, signal: undefined }, NOW)).toEqual({ type: 'refused', signal });
  });

  it('leaves the judgement to the reader when there was none', () => {
    const watching = new Watch(scripted([text(0)]), { patienceMs: MINUTE, holdMs: MINUTE });
    watching.push(aLine());
    expect(watching.end({ code: 0, signal: undefined }, NOW)).toBe(OWN_END);
  });
});

describe('the commit point', () => {
  it.each([
    ['text', text(0), true],
    ['a tool use', tool(0), true],
    ['an answer without content', progress(0), false],
    ['a retry', retry(0, 'rate-limit', 1), false],
  ] as const)('is passed, or not, by %s', (_what, step, committed) => {
    const watching = new Watch(scripted([step]), { patienceMs: MINUTE, holdMs: MINUTE });
    expect(watching.committed).toBe(false);
    watching.push(aLine());
    expect(watching.committed).toBe(committed);
  });
});

describe('the time that a provider was busy', () => {
  const pushAll = (steps: readonly ReturnType<typeof retry>[]): Watch => {
    const watching = new Watch(scripted(steps), { patienceMs: MINUTE, holdMs: MINUTE });
    for (const { t } of steps) watching.push(aLine({ at: epochMs(NOW + t) }));
    return watching;
  };

  it('counts from the first retry over it', () => {
    const watching = pushAll([retry(2_000, 'overloaded', 1), retry(9_000, 'overloaded', 1)]);
    expect(watching.busyMs(durationMs(12_000))).toBe(10_000);
  });

  it('is over once the model answered, and is not that of other troubles', () => {
    expect(pushAll([retry(0, 'overloaded', 1), progress(1_000)]).busyMs(durationMs(9_000))).toBe(0);
    expect(pushAll([retry(0, 'rate-limit', 1)]).busyMs(durationMs(9_000))).toBe(0);
  });
});

describe('what a CLI is retrying over', () => {
  it('is known until the model answers', () => {
    const steps = [retry(0, 'rate-limit', 500), retry(1_000, 'server-error', 500), progress(2_000)];
    const watching = new Watch(scripted(steps), { patienceMs: MINUTE, holdMs: MINUTE });
    const kinds = steps.map(({ t }) => {
      watching.push(aLine({ at: epochMs(NOW + t) }));
      return watching.trouble?.kind;
    });
    expect(kinds).toEqual(['rate-limit', 'server-error', undefined]);
  });
});
