import { describe, expect, it } from 'vitest';
import type { Event } from '../../../src/core/event.ts';
import type { Line } from '../../../src/core/line.ts';
import { ok } from '../../../src/core/result.ts';
import { MINUTE } from '../../../src/core/time.ts';
import type { Child } from '../../../src/system/child.ts';
import { attempt } from '../../../src/workers/attempt.ts';
import { claude } from '../../../src/workers/adapters/claude.ts';
import { aLine, anAssignment, aWorker } from '../../rig/builders.ts';
import { outputOf } from '../../rig/output-of.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

const RESULT = { type: 'result', subtype: 'success', is_error: false, result: 'the finished answer' };
const REJECTED = {
  type: 'rate_limit_event',
  rate_limit_info: { status: 'rejected', rateLimitType: 'five_hour', resetsAt: 1_796_000_000 },
};

/** A child that prints these events and then stays until it is ended. */
function stays(events: readonly object[]): Child & { readonly ended: () => boolean } {
  let letGo: () => void = () => undefined;
  let isEnded = false;
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  async function* lines(): AsyncGenerator<Line> {
    for (const event of events) yield aLine({ text: JSON.stringify(event) });
    await gone;
  }
  return {
    pid: 4_242,
    ...outputOf(lines()),
    exited: gone.then(() => ({ code: undefined, signal: 'SIGTERM' })),
    end: () => {
      isEnded = true;
      letGo();
      return Promise.resolve();
    },
    ended: () => isEnded,
  };
}

async function run(child: Child, abort = new AbortController()) {
  const clock = new FakeClock();
  const events: Event[] = [];
  const order = {
    ...{ adapter: claude, worker: aWorker(), assignment: anAssignment(), directory: '/project' },
    ...{ patience: { patienceMs: MINUTE, holdMs: MINUTE }, idleMs: undefined, abort: abort.signal },
    onProgress: () => undefined,
    lastResort: false,
  };
  const effects = {
    ...{ clock, env: {}, home: '/home/dev', zone: 'UTC', newestReading: () => undefined },
    startChild: () => Promise.resolve(ok(child)),
  };
  const ended = await attempt(order, effects, (event) => events.push(event));
  return { ended, clock, events };
}

describe('an attempt that has finished its task', () => {
  it('is done although its CLI never exits: that is ended after a minute of silence', async () => {
    const child = stays([RESULT]);
    const { ended, clock, events } = await run(child);
    expect(ended.ending).toEqual({ type: 'done', text: 'the finished answer' });
    expect(child.ended()).toBe(true);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(MINUTE);
    expect(events.at(-1)).toMatchObject({ type: 'attempt.ended', outcome: 'done', reason: undefined });
  });

  it('stays done when a window closes after it', async () => {
    const { ended } = await run(stays([RESULT, REJECTED]));
    expect(ended.ending).toMatchObject({ type: 'done' });
  });

  it('stays done when it is stopped before its CLI has gone', async () => {
    const abort = new AbortController();
    const child = stays([RESULT]);
    const asStopped = { ...child, lines: stopping(child.lines, abort) };
    const { ended } = await run(asStopped, abort);
    expect(ended.ending).toMatchObject({ type: 'done' });
  });

  it('would not be done otherwise', async () => {
    const { ended } = await run(stays([REJECTED]));
    expect(ended.ending).toMatchObject({ type: 'refused', signal: { kind: 'rate-limit' } });
  });
});

/** Stops the session as soon as the first line was read. */
async function* stopping(lines: AsyncIterable<Line>, abort: AbortController): AsyncGenerator<Line> {
  let isFirst = true;
  for await (const line of lines) {
    yield line;
    if (isFirst) abort.abort('SIGTERM');
    isFirst = false;
  }
}

describe('an attempt that cannot be started', () => {
  it('is told of all the same: what it met, and that it ended', async () => {
    const events: Event[] = [];
    const order = {
      ...{ adapter: claude, worker: aWorker(), assignment: anAssignment(), directory: '/' },
      ...{ patience: { patienceMs: MINUTE, holdMs: MINUTE }, idleMs: undefined },
      abort: new AbortController().signal,
      onProgress: () => undefined,
      lastResort: false,
    };
    const failure = { ok: false as const, error: { code: 'EACCES', message: 'spawn claude EACCES' } };
    const effects = {
      ...{ clock: new FakeClock(), env: {}, home: '/', zone: 'UTC', newestReading: () => undefined },
      startChild: () => Promise.resolve(failure),
    };
    await attempt(order, effects, (event) => events.push(event));
    expect(events.map(({ type }) => type)).toEqual(['signal', 'attempt.ended']);
    expect(events[1]).toMatchObject({
      outcome: 'exhausted',
      reason: expect.stringContaining('EACCES') as string,
    });
  });
});
