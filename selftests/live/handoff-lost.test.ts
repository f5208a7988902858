import { rmSync } from 'node:fs';
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
  inTurn,
  missingIn,
  says,
  SOON,
  WAITING,
} from '../rig/live-handoff.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';

const MARK = '[Brief from secondwind]';
/** A reset that has only just passed is waited for a minute. */
const PATIENT = 150_000;

describe('a conversation that was removed while its seat rested', () => {
  it.each([
    ['claude', 'projects'],
    ['codex', 'sessions'],
  ] as const)(
    'is told in a brief to the same worker: %s',
    async (cli, folder) => {
      const fleet = await aFleet({ one: appendsThenCloses(cli, SOON) }, { one: SHUT_IN });
      const run = await fleet.run(TASK, {
        ...WAITING,
        onEvent: ({ type }) => {
          if (type === 'wait.started') rmSync(join(homeOf(fleet, 'one'), folder), { recursive: true });
        },
      });
      expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode: 0 });
      expect(eventsOf(run, 'attempt.ended')).toMatchObject([
        { outcome: 'exhausted' },
        { outcome: 'failed', reason: 'the conversation is not there any more' },
        { outcome: 'done' },
      ]);
      expect(missingIn(fleet, 'one', 2, [TASK, MARK, APPEND])).toEqual([]);
      expect(fleet.upstream.calls('one')[2]?.toolOutputs).toEqual([]);
      expect(appended(fleet)).toBe('once\n');
      expectClean(fleet);
    },
    PATIENT,
  );

  it(
    'is told in a brief to another model of the same seat: gemini',
    async () => {
      const fleet = await aFleet({ pro: appendsThenCloses('gemini'), flash: says('gemini') });
      const { GEMINI_CLI_HOME = '' } = fleet.workers.pro.env;
      configure(fleet, {
        pro: { seat: 'google' },
        flash: {
          ...{ seat: 'google', model: 'gemini-2.5-flash' },
          env: { ...fleet.workers.flash.env, GEMINI_CLI_HOME },
        },
      });
      const run = await fleet.run(TASK, {
        ...FULL,
        onEvent: ({ type }) => {
          if (type === 'cooldown.recorded')
            rmSync(join(GEMINI_CLI_HOME, '.gemini', 'tmp'), { recursive: true, force: true });
        },
      });
      expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode: 0 });
      expect(eventsOf(run, 'attempt.ended')).toMatchObject([
        { worker: 'pro', outcome: 'exhausted' },
        { worker: 'flash', outcome: 'failed', reason: 'the conversation is not there any more' },
        { worker: 'flash', outcome: 'done' },
      ]);
      expect(missingIn(fleet, 'flash', 0, [TASK, MARK, APPEND])).toEqual([]);
      expect(appended(fleet)).toBe('once\n');
      expectClean(fleet);
    },
    PATIENT,
  );
});

describe('a CLI whose window opens after another went on', () => {
  it(
    'goes on with its own conversation, told what was done since',
    async () => {
      const fleet = await aFleet(
        {
          claude: appendsThenCloses('claude', SOON),
          codex: inTurn(codex.runs('echo and again >> log.txt'), codex.closedWindow()),
        },
        { claude: SHUT_IN },
      );
      const run = await fleet.run(TASK, WAITING);
      expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode: 0 });
      expect(handoffs(run)).toMatchObject([
        { from: 'claude', to: 'codex', how: 'brief' },
        { from: 'codex', to: 'claude', how: 'resume' },
      ]);
      expect(missingIn(fleet, 'claude', 2, [TASK, APPEND, MARK, 'echo and again'])).toEqual([]);
      expect(fleet.upstream.calls('claude')[2]?.toolOutputs).toHaveLength(1);
      expect(appended(fleet)).toBe('once\nand again\n');
      expectClean(fleet);
    },
    PATIENT,
  );
});
