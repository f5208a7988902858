import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { git } from '../rig/a-repository.ts';
import { aFleet, CODEX_DONE, DONE, eventsOf, INIT, LIMIT, toldByProgram, WORD } from '../rig/a-fleet.ts';
import { eventually } from '../rig/children.ts';
import { aStage } from '../rig/cli.ts';

describe('a fleet in a program of its own', () => {
  it('tells a task from its first event to its last, each with its session and its time', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${WORD}\n${DONE}`);
    const fleet = await aFleet(stage);
    const run = fleet.run('mend the clock');
    const events = await eventsOf(run);
    expect(events.map(({ type }) => type)).toEqual([
      ...['session.started', 'attempt.started', 'attempt.text', 'attempt.ended', 'session.ended'],
    ]);
    expect(new Set(events.map(({ session }) => session))).toEqual(new Set([run.session]));
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(await run.outcome).toMatchObject({ type: 'done', text: 'By claude.', worker: { id: 'claude' } });
    expect(await run.isSaved()).toBe(true);
    await fleet.close();
  });

  it('gives the task to the next worker, and remembers who rests', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${LIMIT}\nsleep 60`);
    stage.fake('codex', CODEX_DONE);
    const fleet = await aFleet(stage, { workers: ['claude', 'codex'] });
    const run = fleet.run('mend the clock');
    const events = await eventsOf(run);
    expect(events.find(({ type }) => type === 'handoff')).toMatchObject({ from: 'claude', to: 'codex' });
    expect(await run.outcome).toMatchObject({ type: 'done', text: 'By codex.' });
    expect(await fleet.cooldowns()).toMatchObject([{ worker: 'claude', kind: 'rate-limit' }]);
    expect(await fleet.standings()).toMatchObject([
      { type: 'candidate', worker: { id: 'codex' }, place: 1 },
      { type: 'skipped', worker: { id: 'claude' }, why: { because: 'resting' } },
    ]);
    expect(stage.alive()).toEqual([]);
  });

  it('needs nobody to watch', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${WORD}\n${DONE}`);
    const run = (await aFleet(stage)).run('mend the clock');
    expect(await run.outcome).toMatchObject({ type: 'done' });
    expect((await eventsOf(run)).at(0)).toMatchObject({ type: 'session.started' });
  });

  it('goes on when its reader leaves', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${WORD}\n${DONE}`);
    const run = (await aFleet(stage)).run('mend the clock');
    for await (const { type } of run) if (type === 'attempt.started') break;
    expect(await run.outcome).toMatchObject({ type: 'done', text: 'By claude.' });
  });

  it('runs several tasks at once, each with its own events', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${WORD}\n${DONE}`);
    const fleet = await aFleet(stage);
    const runs = ['one', 'two', 'three'].map((task) => fleet.run(task));
    const told = await Promise.all(runs.map(eventsOf));
    for (const [index, events] of told.entries())
      expect(new Set(events.map(({ session }) => session))).toEqual(new Set([runs[index]?.session]));
    expect(new Set(runs.map(({ session }) => session)).size).toBe(3);
  });

  it('works in a worktree of its own where that is asked for, and says where', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${DONE}`);
    stage.fake(
      'git',
      `exec ${execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()} "$@"`,
    );
    git(stage.project, 'init', '-q');
    writeFileSync(join(stage.project, 'clock.ts'), '');
    git(stage.project, 'add', '.');
    git(stage.project, 'commit', '-qm', 'A clock');
    const run = (await aFleet(stage)).run('mend the clock', { worktree: true });
    const [started] = await eventsOf(run);
    expect(started).toMatchObject({
      type: 'session.started',
      directory: join(stage.stateHome, 'worktrees', run.session),
      worktree: { branch: `secondwind/${run.session}`, repository: stage.project },
    });
  });

  it('prints nothing, and keeps no process alive', () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${LIMIT}\nexit 1`);
    stage.configure({ on: { 'session.ended': 'exit 3' } });
    writeFileSync(join(stage.stateHome, 'cooldowns.json'), 'this was never JSON');
    const told = toldByProgram(
      stage,
      `const notices = [];
       const fleet = await createFleet({ workers: ['claude'], onNotice: (notice) => notices.push(notice) });
       const outcome = await fleet.value.run('mend the clock').outcome;
       await fleet.value.close();
       tell({ outcome, notices });`,
    );
    expect(told).toMatchObject({
      outcome: { type: 'exhausted' },
      notices: [{ about: 'state' }, { about: 'hook' }],
    });
  });
});

describe('stopping a run', () => {
  it.each([
    [
      'a signal of its own',
      () => {
        const stop = new AbortController();
        return {
          signal: stop.signal,
          pull: () => {
            stop.abort();
          },
        };
      },
      'interrupted',
    ],
    [
      'a signal that timed out',
      () => {
        const stop = new AbortController();
        return {
          signal: stop.signal,
          pull: () => {
            stop.abort(new DOMException('late', 'TimeoutError'));
          },
        };
      },
      'timeout',
    ],
  ] as const)('by %s ends its children first, and can be resumed', async (_what, make, because) => {
    const stage = aStage();
    stage.fake(
      'claude',
      `case "$*" in *--resume*) ${DONE} ;; *) ${INIT}\n${WORD}\n: > "$HOME/began"; sleep 60 ;; esac`,
    );
    const fleet = await aFleet(stage);
    const { signal, pull } = make();
    const run = fleet.run('mend the clock', { signal });
    for await (const event of run) if (event.type === 'attempt.text') pull();
    expect(await run.outcome).toEqual({ type: 'stopped', because });
    expect(stage.alive()).toEqual([]);

    const resumed = await fleet.resume(run.session.slice(0, -2));
    if (!resumed.ok) throw new Error(resumed.error.message);
    expect((await eventsOf(resumed.value)).at(0)).toMatchObject({ resumed: true, session: run.session });
    expect(await resumed.value.outcome).toMatchObject({ type: 'done' });
  });

  it('by the time allowed counts as that', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\nsleep 60`);
    const run = (await aFleet(stage, { timeoutMs: 300 })).run('mend the clock');
    expect(await run.outcome).toEqual({ type: 'stopped', because: 'timeout' });
  });

  it('before it began starts nobody', async () => {
    const stage = aStage();
    stage.fake('claude', `: > "$HOME/began"`);
    const run = (await aFleet(stage)).run('mend the clock', { signal: AbortSignal.abort() });
    expect(await run.outcome).toEqual({ type: 'stopped', because: 'interrupted' });
    expect((await eventsOf(run)).map(({ type }) => type)).toEqual(['session.started', 'session.ended']);
  });

  it('leaves other runs alone', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${WORD}\nuntil test -f "$HOME/go"; do sleep 0.05; done\n${DONE}`);
    const fleet = await aFleet(stage);
    const stop = new AbortController();
    const [stopped, other] = [fleet.run('one', { signal: stop.signal }), fleet.run('two')];
    await eventually('both are at work', () => stage.alive().length >= 2);
    stop.abort();
    expect(await stopped.outcome).toMatchObject({ type: 'stopped' });
    writeFileSync(join(stage.home, 'go'), '');
    expect(await other.outcome).toMatchObject({ type: 'done' });
  });
});
