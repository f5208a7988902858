import { getEventListeners } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aFleet, DONE, eventsOf, INIT, toldByProgram, WORD } from '../rig/a-fleet.ts';
import { eventually } from '../rig/children.ts';
import { aStage } from '../rig/cli.ts';

/** Works until the test lets it go. */
const AT_WORK = `${INIT}\n${WORD}\nuntil test -f "$HOME/go"; do sleep 0.05; done\n${DONE}`;

describe('a session is worked on by one run of a process', () => {
  it('while it goes on nobody resumes it, by no fleet', async () => {
    const stage = aStage();
    stage.fake('claude', AT_WORK);
    const [fleet, other] = [await aFleet(stage), await aFleet(stage)];
    const run = fleet.run('mend the clock');
    await eventually('it is at work', () => stage.alive().length > 0);
    for (const one of [fleet, other]) {
      const resumed = await one.resume(run.session, { addition: 'and wind it' });
      expect(resumed).toMatchObject({ ok: false, error: { reason: 'usage' } });
      expect(resumed.ok ? '' : resumed.error.message).toContain('is running in this process');
    }
    writeFileSync(join(stage.home, 'go'), '');
    expect(await run.outcome).toMatchObject({ type: 'done' });
    const more = await other.resume(run.session, { addition: 'and wind it' });
    expect(more.ok && (await more.value.outcome)).toMatchObject({ type: 'done' });
  });

  it('of those who resume it at once one does', async () => {
    const stage = aStage();
    stage.fake('claude', AT_WORK);
    const [fleet, other] = [await aFleet(stage), await aFleet(stage)];
    const stop = new AbortController();
    const run = fleet.run('mend the clock', { signal: stop.signal });
    for await (const event of run) if (event.type === 'attempt.text') stop.abort();
    writeFileSync(join(stage.home, 'go'), '');
    const all = await Promise.all([fleet, fleet, other].map((one) => one.resume(run.session)));
    const going = all.flatMap((one) => (one.ok ? [one.value] : []));
    expect(going).toHaveLength(1);
    expect(await Promise.all(going.map(({ outcome }) => outcome))).toMatchObject([{ type: 'done' }]);
  });

  it('who was refused has not taken it', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${DONE}`);
    const fleet = await aFleet(stage);
    const run = fleet.run('mend the clock');
    await run.outcome;
    expect(await fleet.resume(run.session)).toMatchObject({ ok: false });
    expect(await fleet.resume(run.session, { addition: 'and wind it' })).toMatchObject({ ok: true });
  });
});

it('a signal for many runs has one listener, which stops them all, and none when they are over', async () => {
  const stage = aStage();
  stage.fake('claude', AT_WORK);
  const fleet = await aFleet(stage);
  const { signal, abort } = abortable();
  const runs = Array.from({ length: 12 }, () => fleet.run('mend the clock', { signal }));
  await eventually('all have begun', () => stage.alive().length >= runs.length);
  // Node warns on stderr from the eleventh on.
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  abort();
  const outcomes = await Promise.all(runs.map(({ outcome }) => outcome));
  expect(new Set(outcomes.map(({ type }) => type))).toEqual(new Set(['stopped']));
  expect(getEventListeners(signal, 'abort')).toEqual([]);

  writeFileSync(join(stage.home, 'go'), '');
  const later = abortable();
  expect(await fleet.run('mend the clock', { signal: later.signal }).outcome).toMatchObject({ type: 'done' });
  expect(getEventListeners(later.signal, 'abort')).toEqual([]);
});

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    abort: () => {
      controller.abort();
    },
  };
}

describe('fleets of several homes in one process', () => {
  it('are each told of their own hooks', async () => {
    const told = await Promise.all(
      [aStage(), aStage()].map(async (stage) => {
        stage.fake('claude', `${INIT}\n${DONE}`);
        stage.configure({ on: { 'session.ended': 'exit 3' } });
        const notices: string[] = [];
        const fleet = await aFleet(stage, { onNotice: ({ about }) => notices.push(about) });
        await fleet.run('one').outcome;
        await fleet.run('two').outcome;
        await fleet.close();
        return notices;
      }),
    );
    expect(told).toEqual([['hook'], ['hook']]);
  });

  it('one is closed without waiting for the hooks of another, or ending them', async () => {
    const [quiet, busy] = [aStage(), aStage()];
    for (const stage of [quiet, busy]) stage.fake('claude', `${INIT}\n${DONE}`);
    busy.configure({
      on: { 'session.ended': 'until test -f "$HOME/go"; do /bin/sleep 0.05; done; : > "$HOME/hooked"' },
    });
    const [first, second] = [await aFleet(quiet), await aFleet(busy)];
    await second.run('mend the clock').outcome;
    await eventually('the hook is at work', () => busy.alive().length > 0);
    await first.run('mend the clock').outcome;
    await first.close();
    expect(busy.alive()).not.toEqual([]);
    writeFileSync(join(busy.home, 'go'), '');
    await second.close();
    expect(existsSync(join(busy.home, 'hooked'))).toBe(true);
  });
});

it('what the caller throws at a notice is the caller’s: the run and its hooks end as they would', () => {
  const stage = aStage();
  stage.fake('claude', `${INIT}\n${DONE}`);
  stage.configure({ on: { 'session.started': 'exit 3' } });
  writeFileSync(join(stage.stateHome, 'cooldowns.json'), 'this was never JSON');
  const told = toldByProgram(
    stage,
    `const uncaught = [];
     process.on('uncaughtException', ({ message }) => uncaught.push(message));
     const onNotice = ({ about }) => { throw new Error(about); };
     const fleet = await createFleet({ workers: ['claude'], onNotice });
     const { type } = await fleet.value.run('mend the clock').outcome;
     await fleet.value.close();
     tell({ type, uncaught });`,
  );
  expect(told).toEqual({ type: 'done', uncaught: ['state', 'hook'] });
});

it('a fleet stays where it was made, whatever becomes of the working directory', () => {
  const stage = aStage();
  stage.fake('claude', `${INIT}\n${DONE}`);
  const told = toldByProgram(
    stage,
    `const env = { ...process.env, SECONDWIND_HOME: 'state' };
     const made = [await createFleet({ directory: '.', env }), await createFleet({ home: 'own' })];
     process.chdir(process.env.HOME);
     const types = [];
     for (const { value } of made) types.push((await value.run('mend the clock').outcome).type);
     tell({ types, directories: made.map(({ value }) => value.directory) });`,
  );
  expect(told).toEqual({ types: ['done', 'done'], directories: [stage.project, stage.project] });
  for (const name of ['state', 'own']) expect(existsSync(join(stage.project, name, 'sessions'))).toBe(true);
  expect(existsSync(join(stage.home, 'state'))).toBe(false);
});

it.each([
  ['throws', 'throw new Error("mine")'],
  ['leaves', 'break'],
])('a reader who %s leaves the run as it is', (_what, deed) => {
  const stage = aStage();
  stage.fake('claude', `${INIT}\n${WORD}\n${DONE}`);
  const told = toldByProgram(
    stage,
    `process.on('unhandledRejection', (error) => { throw error; });
     const fleet = await createFleet({ workers: ['claude'] });
     const run = fleet.value.run('mend the clock');
     try { for await (const event of run) ${deed}; } catch {}
     tell({ type: (await run.outcome).type });`,
  );
  expect(told).toEqual({ type: 'done' });
});

it('two who read one run: the second is told that it cannot, and the first reads on', async () => {
  const stage = aStage();
  stage.fake('claude', `${INIT}\n${WORD}\n${DONE}`);
  const run = (await aFleet(stage)).run('mend the clock');
  const first = eventsOf(run);
  await expect(eventsOf(run)).rejects.toThrow('read once');
  expect((await first).at(-1)).toMatchObject({ type: 'session.ended' });
});
