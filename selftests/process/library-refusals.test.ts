import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OPTION_KINDS } from '../../src/library/check-options.ts';
import type { CreateFleetOptions } from '../../src/library/public.ts';
import { createFleet } from '../../src/library/public.ts';
import { aFleet, DONE, eventsOf, INIT, on } from '../rig/a-fleet.ts';
import { aStage } from '../rig/cli.ts';

/** What JavaScript may give for an option that is to be something else. */
const NO_OPTION = [
  null,
  5n,
  Number.POSITIVE_INFINITY,
  'claude',
  '',
  true,
  {},
  [5],
  () => 'edit',
  Symbol('edit'),
];

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

  it.each(Object.entries(OPTION_KINDS))('%s of another type', async (option, { fits }) => {
    for (const value of NO_OPTION.filter((one) => !fits(one))) {
      const created = await createFleet(on(aStage(), { [option]: value }));
      expect(created).toMatchObject({ ok: false, error: { reason: 'usage', option } });
      // Whoever prints nothing but the sentence is told which.
      expect(created.ok ? '' : created.error.message).toContain(option);
    }
  });

  it.each([
    ['no options at all', null, 'found null'],
    ['a text', 'claude', 'found "claude"'],
    ['an option of the configuration', { maxWait: '6h' }, "'maxWait' (did you mean 'maxWaitMs'?)"],
    ['a home that is no path', { home: 5 }, 'home: '],
    ['no environment', { env: null }, 'env: '],
    ['an environment with a number', { env: { LEVEL: 5 } }, 'env: '],
    ['somebody to tell who is none', { onNotice: 'console.log' }, 'onNotice: '],
  ])('what is no options: %s', async (_what, options, words) => {
    const created = await createFleet(options as CreateFleetOptions);
    expect(created).toMatchObject({ ok: false, error: { reason: 'usage' } });
    expect(created.ok ? '' : created.error.message).toContain(words);
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

  it.each([
    ['a task that is a number', [42]],
    ['no task', []],
    ['no options', ['mend the clock', null]],
    ['a signal that is none', ['mend the clock', { signal: {} }]],
    ['a controller for a signal', ['mend the clock', { signal: new AbortController() }]],
    ['a worktree that is a name', ['mend the clock', { worktree: 'no' }]],
    ['a mistyped option', ['mend the clock', { singal: AbortSignal.abort() }]],
  ])('%s, of a run', async (_what, given) => {
    const stage = aStage();
    stage.fake('claude', ': > "$HOME/began"');
    const run = (await aFleet(stage)).run(...(given as [string]));
    expect(await run.outcome).toMatchObject({ type: 'refused', refusal: { reason: 'usage' } });
    expect(await eventsOf(run)).toEqual([]);
    expect(existsSync(join(stage.home, 'began'))).toBe(false);
  });

  it.each([
    ['no session', []],
    ['a session that is a number', [42]],
    ['no options', ['20200101-000000-000000', null]],
    ['a signal that is none', ['20200101-000000-000000', { signal: {} }]],
    ['an addition that is no text', ['20200101-000000-000000', { addition: ['a'] }]],
    ['an empty addition', ['20200101-000000-000000', { addition: ' ' }]],
    ['an addition that no program can be given', ['20200101-000000-000000', { addition: 'a\0b' }]],
    ['a mistyped option', ['20200101-000000-000000', { task: 'and now' }]],
  ])('%s, of a resume', async (_what, given) => {
    const refused = await (await aFleet(aStage())).resume(...(given as [string]));
    expect(refused).toMatchObject({ ok: false, error: { reason: 'usage' } });
    expect(refused.ok ? '' : refused.error.message).not.toContain('there is no session');
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
