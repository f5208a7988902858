import { describe, expect, it } from 'vitest';
import { createFleet } from '../../src/library/public.ts';
import { aFleet, DONE, eventsOf, INIT, on } from '../rig/a-fleet.ts';
import { aStage } from '../rig/cli.ts';

describe('what is to be mended first is a value', () => {
  it.each([
    ['a directory that is not there', { directory: '/nowhere/at/all' }, 'usage', 'directory'],
    ['a worker that nobody has', { workers: ['claud'] }, 'usage', 'workers'],
    ['no worker at all', { workers: [] }, 'usage', 'workers'],
    ['a length that is none', { maxWaitMs: Number.NaN }, 'usage', 'maxWaitMs'],
    ['a length below nothing', { timeoutMs: -1 }, 'usage', 'timeoutMs'],
    ['a length in words', { holdMs: '5m' as unknown as number }, 'usage', 'holdMs'],
    ['a policy that is none', { onQuota: 'panic' as 'stop' }, 'usage', 'onQuota'],
    ['a permission that is none', { permissions: 'root' as 'full' }, 'usage', 'permissions'],
  ])('%s', async (_what, options, reason, option) => {
    const created = await createFleet(on(aStage(), options));
    expect(created).toMatchObject({ ok: false, error: { reason, option } });
  });

  it('a wrong configuration, by its file and line', async () => {
    const stage = aStage();
    stage.configure('{\n  "onQuota": "panic"\n}');
    const created = await createFleet(on(stage));
    expect(created).toMatchObject({ ok: false, error: { reason: 'configuration' } });
    expect(created.ok ? '' : created.error.message).toContain('config.json:2:');
  });

  it.each([
    ['an empty task', ' \n', false],
    ['a task that is no text', 'a\0b', false],
    ['a worktree where there is no repository', 'mend the clock', true],
  ])('%s', async (_what, task, worktree) => {
    const stage = aStage();
    stage.fake('claude', ': > "$HOME/began"');
    const run = (await aFleet(stage)).run(task, { worktree });
    expect(await run.outcome).toMatchObject({ type: 'refused', refusal: { reason: 'usage' } });
    expect(await eventsOf(run)).toEqual([]);
  });

  it('a session that is not there, or needs a word to go on', async () => {
    const stage = aStage();
    stage.fake('claude', `${INIT}\n${DONE}`);
    const fleet = await aFleet(stage);
    expect(await fleet.resume('20200101-000000-000000')).toMatchObject({
      ok: false,
      error: { reason: 'usage' },
    });
    expect(await fleet.resume('../../etc')).toMatchObject({ ok: false, error: { reason: 'usage' } });
    const run = fleet.run('mend the clock');
    await run.outcome;
    expect(await fleet.resume(run.session)).toMatchObject({ ok: false, error: { reason: 'usage' } });
    const more = await fleet.resume(run.session, { addition: 'and wind it' });
    expect(more.ok && (await more.value.outcome)).toMatchObject({ type: 'done' });
  });
});
