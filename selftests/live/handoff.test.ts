import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventsOf, expectClean, FULL, SHUT_IN, TASK } from '../rig/live-expectations.ts';
import { aFleet } from '../rig/live-fleet.ts';
import {
  APPEND,
  appended,
  appendsThenCloses,
  configure,
  handoffs,
  homeOf,
  missingIn,
  says,
  SOON,
  WAITING,
  worktreeOf,
} from '../rig/live-handoff.ts';

const MARK = '[Brief from secondwind]';
const GO_ON = 'Go on with the task where you left off.';

describe('a closed window in the middle of the work', () => {
  it.each(['claude', 'codex'] as const)(
    'is waited for on the same seat, in the same conversation: %s',
    async (cli) => {
      const fleet = await aFleet({ one: appendsThenCloses(cli, SOON) }, { one: SHUT_IN });
      const run = await fleet.run(TASK, WAITING);
      expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode: 0 });
      expect(eventsOf(run, 'session.ended')).toMatchObject([{ outcome: 'done', switchCount: 0 }]);
      expect(fleet.starts('one')).toBe(2);
      const [, refused, last] = fleet.upstream.calls('one');
      expect(last?.toolOutputs).toEqual(refused?.toolOutputs);
      expect(missingIn(fleet, 'one', 2, [TASK, APPEND, GO_ON])).toEqual([]);
      expect(appended(fleet)).toBe('once\n');
      expectClean(fleet);
    },
    // A reset that has only just passed is waited for a minute.
    150_000,
  );

  it('is passed by on another model of the same seat, in the same conversation: gemini', async () => {
    const fleet = await aFleet({ pro: appendsThenCloses('gemini'), flash: says('gemini') });
    const { GEMINI_CLI_HOME = '' } = fleet.workers.pro.env;
    const flash = { ...fleet.workers.flash.env, GEMINI_CLI_HOME };
    configure(fleet, {
      pro: { seat: 'google' },
      flash: { seat: 'google', model: 'gemini-2.5-flash', env: flash },
    });
    const run = await fleet.run(TASK, FULL);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(handoffs(run)).toMatchObject([{ from: 'pro', to: 'flash', how: 'resume' }]);
    expect(missingIn(fleet, 'flash', 0, [TASK, APPEND, GO_ON])).toEqual([]);
    expect(appended(fleet)).toBe('once\n');
    expectClean(fleet);
  });

  it.each(['claude', 'codex'] as const)(
    'is passed by on another seat, where the conversation moves to: %s',
    async (cli) => {
      const fleet = await aFleet(
        { one: appendsThenCloses(cli), two: says(cli) },
        { one: SHUT_IN, two: SHUT_IN },
      );
      const run = await fleet.run(TASK, FULL);
      expect(run).toMatchObject({ exitCode: 0 });
      expect(handoffs(run)).toMatchObject([{ from: 'one', to: 'two', how: 'transcript' }]);
      const [, refused] = fleet.upstream.calls('one');
      const [first] = fleet.upstream.calls('two');
      expect(first?.toolOutputs).toHaveLength(1);
      expect(first?.toolOutputs).toEqual(refused?.toolOutputs);
      expect(missingIn(fleet, 'two', 0, [TASK, APPEND, GO_ON])).toEqual([]);
      expect(missingIn(fleet, 'two', 0, [MARK])).toEqual([MARK]);
      expect(appended(fleet)).toBe('once\n');
      const moved = conversationsIn(homeOf(fleet, 'two'));
      expect(moved).toEqual(conversationsIn(homeOf(fleet, 'one')));
      for (const name of moved) expect(statSync(join(homeOf(fleet, 'two'), name)).mode & 0o777).toBe(0o600);
      expectClean(fleet);
    },
  );

  it.each([
    ['claude', 'codex'],
    ['codex', 'gemini'],
    ['gemini', 'claude'],
  ] as const)('is passed by on another CLI, which is told in a brief: %s, then %s', async (first, second) => {
    const fleet = await aFleet(
      { one: appendsThenCloses(first), two: says(second) },
      { one: first === 'claude' ? SHUT_IN : {}, two: second === 'claude' ? SHUT_IN : {} },
    );
    execFileSync('git', ['init', '-q'], { cwd: worktreeOf(fleet) });
    const run = await fleet.run(TASK, FULL);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(handoffs(run)).toMatchObject([{ from: 'one', to: 'two', how: 'brief' }]);
    const [call] = fleet.upstream.calls('two');
    expect(call?.toolOutputs).toEqual([]);
    expect(missingIn(fleet, 'two', 0, [TASK, MARK, APPEND, '- log.txt'])).toEqual([]);
    expect(appended(fleet)).toBe('once\n');
    expectClean(fleet);
  });

  it('is told in a brief to a seat that does not share conversations', async () => {
    const fleet = await aFleet(
      { one: appendsThenCloses('claude'), two: says('claude') },
      { one: SHUT_IN, two: SHUT_IN },
    );
    configure(fleet, { one: { shareTranscripts: false } });
    const run = await fleet.run(TASK, FULL);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(handoffs(run)).toMatchObject([{ how: 'brief' }]);
    expect(missingIn(fleet, 'two', 0, [MARK])).toEqual([]);
    expect(JSON.stringify(run.events)).toContain('seat one does not share its conversations');
  });

  it('is begun again by the next seat when that was asked for', async () => {
    const fleet = await aFleet(
      { one: appendsThenCloses('claude'), two: says('claude') },
      { one: SHUT_IN, two: SHUT_IN },
    );
    const run = await fleet.run(TASK, { args: [...FULL.args, '--no-handoff'] });
    expect(run).toMatchObject({ exitCode: 0 });
    expect(handoffs(run)).toMatchObject([{ how: 'afresh' }]);
    expect(missingIn(fleet, 'two', 0, [TASK, APPEND, MARK])).toEqual([APPEND, MARK]);
  });
});

/** The conversations of a home, by their paths in it. */
function conversationsIn(home: string): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(projects|sessions)\/.*\.jsonl$/.test(name))
    .sort();
}
