import { expect, it } from 'vitest';
import { DEFAULT_RESTS } from '../../../src/core/policy.ts';
import { durationMs, epochMs, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anEndedAttempt, aSignal, aWorker } from '../../rig/builders.ts';
import type { PlayedAttempt } from '../../rig/dispatching.ts';
import { Play, refused } from '../../rig/dispatching.ts';
import { NightClock } from '../../rig/night-clock.ts';
import type { NightAttempt } from '../../rig/night.ts';
import { NightProcess } from '../../rig/night.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

it('lets many that wait for one window in one by one: a scout, then as many more as are let in', async () => {
  const clock = new NightClock();
  const reset = NOW + 3 * MINUTE;
  const tasks = Array.from({ length: 12 }, (_, index) => `t${String(index).padStart(2, '0')}`);
  let [running, proven, most] = [0, 0, 0];
  const begun: number[] = [];
  const attempt: NightAttempt = async (_task, { session, lease }) => {
    const own = clock.of(process);
    const startedAt = own.now();
    if (startedAt < reset) {
      await own.sleep(SECOND);
      const signal = aSignal({ resetAt: epochMs(reset) });
      return anEndedAttempt({ ending: { type: 'refused', signal }, startedAt, endedAt: own.now() });
    }
    begun.push(startedAt - reset);
    running += 1;
    expect(running - proven, 'ahead of what was let in').toBeLessThanOrEqual(Math.max(1, proven));
    most = Math.max(most, running);
    // A first word takes a while.
    await own.sleep(durationMs(5 * SECOND));
    proven += 1;
    lease.prove();
    session.progressed({ committed: true, conversation: 'c', tools: [], droppedTools: 0, lastWords: '' });
    await own.sleep(durationMs(3 * MINUTE));
    running -= 1;
    proven -= 1;
    return anEndedAttempt({ startedAt, endedAt: own.now(), progress: { committed: true } });
  };
  const process: NightProcess = new NightProcess({
    ...{ home: tempFolder(), clock, fleet: [aWorker({ id: 'a' })], tasks, random: () => 0.5, attempt },
    report: ({ message }) => {
      throw new Error(message);
    },
  });
  await process.run(12);
  expect(begun).toHaveLength(12);
  // The scout goes alone; five seconds later one more; then two, then four.
  expect(begun.filter((at) => at < 5 * SECOND + 2_500)).toHaveLength(1);
  expect(most).toBe(12);
  expect(Math.max(...begun)).toBeLessThan(2 * MINUTE);
});

it('ends well on its worker through a storm, each wait not before what the refusal named', async () => {
  const a = aWorker({ id: 'a' });
  const named: number[] = [];
  const starts: number[] = [];
  const storm: readonly (readonly [
    kind: 'overloaded' | 'rate-limit' | 'connection-failure',
    after?: number,
  ])[] = [['overloaded', 3 * SECOND], ['rate-limit', 40 * SECOND], ['connection-failure'], ['overloaded']];
  const attempts = storm.map(([kind, after]): PlayedAttempt => (worker, session) => {
    starts.push(play.clock.now());
    play.clock.pass(SECOND);
    const resetAt = after === undefined ? undefined : epochMs(play.clock.now() + after);
    named.push(resetAt ?? play.clock.now());
    return refused({ kind, resetAt }, true)(worker, session);
  });
  const play: Play = new Play({
    fleet: [a],
    policy: { onQuota: 'wait', maxWaitMs: HOUR },
    attempts: [
      ...attempts,
      () => {
        starts.push(play.clock.now());
        return {};
      },
    ],
  });
  expect(await play.run()).toMatchObject({ type: 'done', worker: a });
  expect(starts).toHaveLength(5);
  for (const [index, instant] of named.entries()) expect(starts[index + 1]).toBeGreaterThanOrEqual(instant);
  // What names no moment: a provider that cannot be reached rests, and one that is busy is held.
  expect(Number(starts[3]) - Number(named[2])).toBeGreaterThanOrEqual(DEFAULT_RESTS['connection-failure']);
  expect(play.eventsOf('session.ended')).toMatchObject([{ holdCount: 2, switchCount: 0 }]);
});
