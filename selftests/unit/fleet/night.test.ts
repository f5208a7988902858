import { expect, it } from 'vitest';
import type { Event } from '../../../src/core/event.ts';
import { durationMs, epochMs, MINUTE, SECOND } from '../../../src/core/time.ts';
import type { Worker } from '../../../src/core/worker.ts';
import { gate } from '../../../src/fleet/gate.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import type { LedgerEntry } from '../../../src/store/ledger.ts';
import { readLedger } from '../../../src/store/ledger.ts';
import { openSessions } from '../../../src/store/sessions.ts';
import { outcomeOf, reasonOf, signalSeen } from '../../../src/workers/attempt-events.ts';
import type { Ending } from '../../../src/workers/ending.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anEndedAttempt, aSignal, aWorker } from '../../rig/builders.ts';
import { NightClock } from '../../rig/night-clock.ts';
import { unexplained } from '../../rig/night-ledger.ts';
import type { NightAttempt } from '../../rig/night.ts';
import { NightProcess } from '../../rig/night.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

// Forty tasks of six to twelve minutes, four at a time, on four workers of three seats.
const FLEET = [
  aWorker({ id: 'sonnet', seat: 'home', model: 'sonnet' }),
  aWorker({ id: 'opus', seat: 'home', model: 'opus' }),
  aWorker({ id: 'codex', seat: 'codex', adapter: 'codex' }),
  aWorker({ id: 'work', seat: 'work' }),
];
const TASKS = Array.from({ length: 40 }, (_, index) => `t${String(index).padStart(2, '0')}`);
const STEPS = 3;
const minutes = (count: number): number => NOW + count * MINUTE;

/** What happens to a seat, from when until when. */
const CLOSED: Readonly<Record<string, readonly [from: number, until: number]>> = {
  home: [minutes(20), minutes(60)],
  codex: [minutes(35), minutes(75)],
};
const SONNET_CLOSED = [minutes(8), minutes(18)] as const;
const CREDITS_DIE = minutes(28);
const STORM = [minutes(82), minutes(86)] as const;
const KILLED = durationMs(95 * MINUTE);

function within(now: number, [from, until]: readonly [number, number]): boolean {
  return now >= from && now < until;
}

/** What the provider makes of a worker at this moment; `undefined`: it works. */
function trouble({ seat, adapter, model }: Worker, now: number): Ending | undefined {
  if (model === 'sonnet' && within(now, SONNET_CLOSED)) {
    const signal = aSignal({ scope: 'model:sonnet', resetAt: epochMs(SONNET_CLOSED[1]) });
    return { type: 'refused', signal };
  }
  const closed = CLOSED[seat];
  if (closed !== undefined && within(now, closed))
    return { type: 'refused', signal: aSignal({ resetAt: epochMs(closed[1]) }) };
  if (seat === 'work' && now >= CREDITS_DIE)
    return { type: 'refused', signal: aSignal({ kind: 'out-of-credits', reason: 'no credits' }) };
  if (adapter === 'claude' && within(now, STORM))
    return { type: 'refused', signal: aSignal({ kind: 'overloaded', reason: 'overloaded (HTTP 529)' }) };
  return undefined;
}

it('brings forty tasks through a night of closed windows, dead credits, a storm and a kill', async () => {
  const home = tempFolder();
  const clock = new NightClock();
  const cooldowns = openCooldowns({ home, clock: clock.ofFiles, report: fail });
  const done = new Map(TASKS.map((task) => [task, [] as number[]]));
  const answered: string[] = [];
  const starts: { readonly worker: string; readonly how: string }[] = [];
  // Whose attempt runs, and whose did when secondwind was killed.
  const atWork = new Set<string>();
  let cut: readonly string[] = [];
  let dice = 1;
  const random = (): number => (dice = (dice * 16_807) % 2_147_483_647) / 2_147_483_647;
  let living: NightProcess;

  const attempt: NightAttempt = async (task, { worker, handover, session, lease, emit }) => {
    const own = clock.of(living);
    const steps = done.get(task) ?? [];
    const startedAt = own.now();
    starts.push({ worker: worker.id, how: handover.how });
    expect(gate(worker, await cooldowns.read(), startedAt).type, `${worker.id} at ${task}`).toBe('open');
    if (steps.length > 0 || cut.includes(task)) expect(handover.how).not.toBe('prompt');
    atWork.add(task);
    emit(started(worker));
    const before = steps.length;
    let ending: Ending = { type: 'done', text: `${task} is done` };
    const progress = () => ({
      ...{ committed: steps.length > before, conversation: `${task} of ${worker.id}` },
      ...{ tools: [], droppedTools: 0, lastWords: '' },
    });
    await own.sleep(durationMs(3 * SECOND));
    for (;;) {
      const met = trouble(worker, own.now());
      if (met !== undefined) ending = met;
      if (met !== undefined || steps.length === STEPS) break;
      await own.sleep(durationMs((2 + 2 * random()) * MINUTE));
      if (trouble(worker, own.now()) !== undefined) continue;
      steps.push(steps.length);
      lease.prove();
      session.progressed(progress());
    }
    atWork.delete(task);
    if (ending.type === 'done') answered.push(task);
    if (ending.type === 'refused') emit(signalSeen(worker, ending.signal));
    emit(ended(worker, ending, own.now() - startedAt));
    return anEndedAttempt({ ending, startedAt, endedAt: own.now(), progress: progress() });
  };
  const options = { home, clock, fleet: FLEET, tasks: TASKS, random, attempt, report: fail };

  living = new NightProcess(options);
  void living.run(4);
  await clock.play(clock, async () => {
    await clock.of(clock).sleep(KILLED);
    // Somebody has just begun, and nothing of it is to be seen: nobody may take that for nothing begun.
    while (![...atWork].some((task) => done.get(task)?.length === 0)) await clock.of(clock).sleep(SECOND);
    await living.kill();
    cut = [...atWork];
  });
  const doneBefore = answered.length;
  living = new NightProcess(options);
  await living.run(4);

  // All are done, none twice, and no step of any.
  expect([...answered].sort()).toEqual(TASKS);
  expect([...done.values()]).toEqual(TASKS.map(() => [0, 1, 2]));
  const sessions = await openSessions({ home, clock: clock.ofFiles, report: fail }).list();
  expect(sessions.map(({ record }) => record.state)).toEqual(TASKS.map(() => 'done'));
  expect(sessions.map(({ record }) => record.request.task).sort()).toEqual(TASKS);
  // Each trouble was met, and the kill came in the middle.
  expect(cut.length).toBeGreaterThan(0);
  expect(doneBefore).toBeGreaterThan(0);
  expect(doneBefore).toBeLessThan(TASKS.length - 4);
  const entries: LedgerEntry[] = [];
  for await (const entry of readLedger(home)) entries.push(entry);
  const types = new Set(entries.map(({ type }) => type));
  for (const type of ['hold.ended', 'wait.ended', 'handoff', 'worker.skipped']) expect(types).toContain(type);
  const rests = entries.filter(({ type }) => type === 'cooldown.recorded');
  expect(new Set(rests.map(({ seat }) => seat))).toEqual(new Set(['home', 'codex', 'work']));
  expect(new Set(starts.map(({ worker }) => worker))).toEqual(new Set(FLEET.map(({ id }) => id)));
  expect(entries.filter(({ type, resumed }) => type === 'session.started' && resumed === true)).toHaveLength(
    4,
  );
  // The ledger tells of every start, and explains each.
  expect(entries.flatMap(({ type, worker }) => (type === 'attempt.started' ? [worker] : []))).toEqual(
    starts.map(({ worker }) => worker),
  );
  expect(unexplained(entries, FLEET)).toEqual([]);
});

function fail({ message }: { readonly message: string }): never {
  throw new Error(message);
}

function started({ id, adapter, model }: Worker): Event {
  return { type: 'attempt.started', worker: id, adapter, model, pid: 1, lastResort: false };
}

function ended({ id }: Worker, ending: Ending, duration: number): Event {
  return {
    ...{ type: 'attempt.ended', worker: id, outcome: outcomeOf(ending), reason: reasonOf(ending, undefined) },
    ...{ exitCode: 0, killedBecause: undefined, durationMs: durationMs(duration) },
  };
}
