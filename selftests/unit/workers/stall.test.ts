import { expect, it } from 'vitest';
import type { Line } from '../../../src/core/line.ts';
import { ok } from '../../../src/core/result.ts';
import { HOUR, MINUTE } from '../../../src/core/time.ts';
import { healthNoteOf } from '../../../src/fleet/judge.ts';
import type { Child } from '../../../src/system/child.ts';
import type { Clock } from '../../../src/system/clock.ts';
import { claude } from '../../../src/workers/adapters/claude.ts';
import { attempt } from '../../../src/workers/attempt.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aLine, anAssignment, aWorker } from '../../rig/builders.ts';
import { outputOf } from '../../rig/output-of.ts';
import { FakeClock } from '../../rig/fake-clock.ts';

/** Claude Code that prints these events, and then nothing any more; the silence begins when they have been read. */
async function fallsSilentAfter(events: readonly object[], overslept: readonly number[] = []) {
  let read: () => void = () => undefined;
  const silence = new Promise<void>((resolve) => {
    read = resolve;
  });
  let letGo: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  async function* lines(): AsyncGenerator<Line> {
    for (const event of events) yield aLine({ text: JSON.stringify(event) });
    read();
    await gone;
  }
  const child: Child = {
    ...{
      pid: 4_242,
      ...outputOf(lines()),
      exited: gone.then(() => ({ code: undefined, signal: 'SIGTERM' })),
    },
    end: () => {
      letGo();
      return Promise.resolve();
    },
  };
  const fake = new FakeClock();
  fake.whenSleeping((count) => {
    fake.pass(overslept[count - 1] ?? 0);
  });
  const clock: Clock = {
    now: () => fake.now(),
    monotonic: () => fake.monotonic(),
    sleep: (duration, signal) => silence.then(() => fake.sleep(duration, signal)),
  };
  const worker = aWorker();
  const order = {
    ...{ adapter: claude, worker, assignment: anAssignment(), directory: '/project', idleMs: MINUTE },
    ...{ patience: { patienceMs: HOUR, holdMs: HOUR }, abort: new AbortController().signal },
    ...{ onProgress: () => undefined, lastResort: false },
  };
  const effects = {
    ...{ clock, env: {}, home: '/home/dev', zone: 'UTC', newestReading: () => undefined },
    startChild: () => Promise.resolve(ok(child)),
  };
  const { ending } = await attempt(order, effects, () => undefined);
  const note = healthNoteOf(ending, worker, NOW);
  const cause = note?.type === 'failure' ? note.cause : undefined;
  return { ending, cause, slept: fake.slept };
}

const retry = (error_status: number, error: string) => ({
  ...{ type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 10, retry_delay_ms: 500 },
  ...{ error_status, error },
});
const answer = {
  type: 'assistant',
  message: { model: 'claude-sonnet-5', content: [{ type: 'text', text: 'Looking.' }] },
};

it.each([
  ['after it had begun to work', [answer], 'timeout'],
  ['before it said anything', [], 'timeout'],
  ['over a server error', [retry(500, 'server_error')], 'server-error'],
  ['over a throttle', [retry(429, 'rate_limit')], undefined],
  ['after a throttle that was overcome', [retry(429, 'rate_limit'), answer], 'timeout'],
])('a CLI that falls silent %s is ended, and counts as it should', async (_when, events, cause) => {
  const silent = await fallsSilentAfter(events);
  expect(silent.ending).toMatchObject({ type: 'stopped', because: 'idle' });
  expect(silent.cause).toBe(cause);
});

it.each([
  ['on time', [], 1],
  ['a little late, as on a busy machine', [900], 1],
  ['late, as after a stop', [HOUR], 2],
  ['late twice', [HOUR, 2_000], 3],
])('a silence is judged by who could listen: woken %s', async (_when, overslept, silences) => {
  const { ending, slept } = await fallsSilentAfter([answer], overslept);
  expect(ending).toMatchObject({ type: 'stopped', because: 'idle' });
  expect(slept).toEqual(Array.from({ length: silences }, () => MINUTE));
});
