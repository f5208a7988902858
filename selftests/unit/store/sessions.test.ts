import fc from 'fast-check';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seatId, sessionId, workerId } from '../../../src/core/ids.ts';
import type { AttemptRecord, SessionRecord } from '../../../src/core/session.ts';
import { SESSION_STATES } from '../../../src/core/session.ts';
import { SIGNAL_KINDS, SOURCES } from '../../../src/core/signal.ts';
import { durationMs, epochMs } from '../../../src/core/time.ts';
import { PERMISSIONS } from '../../../src/core/worker.ts';
import { fromSavedSession, toSavedSession } from '../../../src/store/session-json.ts';
import type { SavedSession } from '../../../src/store/session-schema.ts';
import { checkSessionFile } from '../../../src/store/session-schema.ts';
import { openSessions } from '../../../src/store/sessions.ts';
import { identityText, ownIdentity } from '../../../src/system/process-identity.ts';
import { aSession } from '../../rig/builders.ts';
import { FakeClock } from '../../rig/fake-clock.ts';
import { tempFolder } from '../../rig/temp-folder.ts';

const { id } = aSession();

function aStore(home = tempFolder()) {
  const problems: string[] = [];
  const steps: string[] = [];
  const store = openSessions({
    ...{ home, clock: new FakeClock() },
    report: ({ message }) => problems.push(message),
    disk: { reached: (step) => steps.push(step) },
  });
  const file = join(home, 'sessions', `${id}.json`);
  const saved = (): SavedSession => {
    const { session } = JSON.parse(readFileSync(file, 'utf8')) as { session: SavedSession };
    return session;
  };
  return { home, store, problems, steps, file, saved };
}

/** A session on the disk that this owner works on. */
async function owned(owner: string | undefined, state: SessionRecord['state'] = 'running') {
  const made = aStore();
  made.store.save(aSession({ state }));
  await made.store.saved(id);
  const text = JSON.stringify({ version: 1, session: { ...made.saved(), owner } });
  writeFileSync(made.file, text);
  return made;
}

const me = ownIdentity();
const another = identityText({ ...me, pid: 1, start: '0' });

describe('a session', () => {
  it('that changes faster than the disk is saved as it is last, in a few writes', async () => {
    const { store, steps, saved } = aStore();
    for (let count = 0; count <= 200; count += 1) store.save(aSession({ switchCount: count }));
    await store.saved(id);
    expect(saved().switchCount).toBe(200);
    expect(steps.filter((step) => step === 'renamed').length).toBeLessThanOrEqual(2);
    store.save(aSession({ switchCount: 201 }));
    await store.saved(id);
    expect(saved().switchCount).toBe(201);
  });

  it('is owned by who works on it, and by nobody once it is over', async () => {
    const { store, saved } = aStore();
    for (const state of SESSION_STATES) {
      store.save(aSession({ state }));
      await store.saved(id);
      const isOpen = ['running', 'holding', 'waiting'].includes(state);
      expect(saved().owner, state).toBe(isOpen ? identityText(me) : undefined);
    }
  });

  it.each([
    ['nobody', undefined, true],
    ['this process itself', identityText(me), true],
    ['one that is dead', another, true],
    ['one that lives', identityText({ ...me, pid: process.ppid, start: 'unknown' }), false],
    ['one on another machine', identityText({ ...me, host: 'aaaaaaaaaaaa', boot: 'b' }), false],
    ['what is no process', 'hello', true],
  ])('of %s can be claimed: %#', async (_who, owner, isFree) => {
    const { home, saved } = await owned(owner);
    const { store } = aStore(home);
    expect((await store.read(id))?.isRunning).toBe(!isFree);
    const claimed = await store.claim(id);
    expect(claimed.ok && claimed.value !== undefined).toBe(isFree);
    expect(saved().owner).toBe(isFree ? identityText(me) : owner);
  });

  it('that is not there can be neither read nor claimed, and asking makes nothing', async () => {
    const { store, home } = aStore();
    const nobody = sessionId('20200101-000000-none');
    expect(await store.read(nobody)).toBeUndefined();
    expect(await store.list()).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });

  it('whose file is damaged is set aside and said, and can be saved again', async () => {
    const { home } = await owned(undefined);
    const { store, problems, file } = aStore(home);
    writeFileSync(file, '{ "version": 1, "session": { "id": 7 } }');
    expect(await store.list()).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(file);
    expect(readdirSync(join(home, 'sessions')).some((name) => name.includes('damaged'))).toBe(true);
    store.save(aSession());
    await store.saved(id);
    expect(await store.list()).toHaveLength(1);
  });

  it('keeps what a newer secondwind wrote into it', async () => {
    const { home, file, saved } = await owned(undefined);
    const text = JSON.stringify({ version: 1, later: 1, session: { ...saved(), color: 'green' } });
    writeFileSync(file, text);
    const { store } = aStore(home);
    const claimed = await store.claim(id);
    if (!claimed.ok || claimed.value === undefined) throw new Error('not claimed');
    store.save({ ...claimed.value, switchCount: 5 });
    await store.saved(id);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
      later: 1,
      session: { color: 'green', switchCount: 5 },
    });
  });
});

const anInstant = fc.integer({ min: 0, max: 4e12 }).map(epochMs);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const aCount = fc.nat(1_000);

const anAttempt: fc.Arbitrary<AttemptRecord> = fc.record({
  worker: fc.constantFrom('a', 'b').map(workerId),
  seat: fc.constantFrom('a', 'b').map(seatId),
  adapter: fc.constantFrom('claude', 'codex'),
  model: maybe(fc.string()),
  how: fc.constantFrom('prompt' as const, 'resume', 'transcript', 'brief', 'afresh'),
  cliHome: maybe(fc.string()),
  lastResort: fc.boolean(),
  startedAt: anInstant,
  endedAt: maybe(anInstant),
  committed: fc.boolean(),
  conversation: maybe(fc.string()),
  tools: fc.array(
    fc.record({
      name: fc.string(),
      detail: fc.string(),
      status: fc.constantFrom('started' as const, 'done', 'failed'),
    }),
    { maxLength: 3 },
  ),
  droppedTools: aCount,
  lastWords: fc.string({ unit: 'binary' }),
  outcome: maybe(fc.constantFrom('done' as const, 'exhausted', 'overloaded', 'failed', 'stopped')),
  reason: maybe(fc.string()),
  signal: maybe(
    fc.record({
      kind: fc.constantFrom(...SIGNAL_KINDS),
      scope: fc.constantFrom('seat' as const, 'workspace', 'model:opus'),
      resetAt: maybe(anInstant),
      source: fc.constantFrom(...SOURCES),
    }),
  ),
});

const anySession: fc.Arbitrary<SessionRecord> = fc
  .record({
    createdAt: anInstant,
    updatedAt: anInstant,
    state: fc.constantFrom(...SESSION_STATES),
    until: maybe(anInstant),
    switchCount: aCount,
    holdCount: aCount,
    heldMs: aCount.map(durationMs),
    waitedMs: aCount.map(durationMs),
    attempts: fc.array(anAttempt, { maxLength: 3 }),
    text: fc.string({ unit: 'binary' }),
    request: fc.record({
      task: fc.string({ unit: 'binary' }),
      directory: fc.string(),
      permissions: fc.constantFrom(...PERMISSIONS),
      model: maybe(fc.string()),
      workers: maybe(fc.array(fc.string())),
      extraArgs: fc.array(fc.string()),
      batch: maybe(fc.record({ file: fc.string(), directory: maybe(fc.string()), key: fc.string() })),
    }),
  })
  .map((record) => aSession(record));

it('comes back from its file as it went in', () => {
  fc.assert(
    fc.property(anySession, (record) => {
      const text = JSON.stringify({ session: toSavedSession(record, undefined) });
      const checked = checkSessionFile(JSON.parse(text));
      const session = checked.ok ? checked.value.session : undefined;
      if (session === undefined) throw new Error('no session');
      expect(withoutNothing(fromSavedSession(session))).toEqual(withoutNothing(record));
    }),
    { numRuns: 300 },
  );
});

/** JSON knows no `undefined`, and in a record it says no more than nothing. */
function withoutNothing(record: SessionRecord): unknown {
  return JSON.parse(JSON.stringify(record));
}
