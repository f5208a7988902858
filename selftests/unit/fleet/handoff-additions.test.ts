import { describe, expect, it } from 'vitest';
import type { EpochMs } from '../../../src/core/time.ts';
import { epochMs } from '../../../src/core/time.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aSession } from '../../rig/builders.ts';
import { done } from '../../rig/dispatching.ts';

import { home, work, codex, began, play, anAttempt } from '../../rig/handing-over.ts';

describe('what a person adds', () => {
  it('is said once to a conversation, and stands in every brief', async () => {
    const session = aSession({ attempts: [anAttempt(home)] });
    const { told } = await play({
      fleet: [home, codex],
      attempts: [began(), began('thread-1'), done],
      policy: { ignoreCooldowns: true },
      session,
      addition: 'Add a test.',
    });
    expect(told.map(({ how }) => how)).toEqual(['resume', 'brief']);
    expect(told[0]?.prompt).toBe('Add a test.');
    expect(told[1]?.prompt).toContain('Add a test.');
  });

  it('is not forgotten when the session is resumed again without it', async () => {
    const request = { ...aSession().request, additions: [{ text: 'Add a test.', at: NOW }] };
    const begun = (startedAt: EpochMs) => aSession({ request, attempts: [anAttempt(home, { startedAt })] });
    const before = await play({ fleet: [home], attempts: [done], session: begun(epochMs(NOW - 1)) });
    expect(before.told[0]?.prompt).toBe('Add a test.');
    const since = await play({ fleet: [home], attempts: [done], session: begun(NOW) });
    expect(since.told[0]?.prompt).toBe('Go on with the task where you left off.');
    const elsewhere = await play({ fleet: [codex], attempts: [done], session: begun(NOW) });
    expect(elsewhere.told[0]?.prompt).toContain('the task\n\nAdd a test.\n');
  });

  it('is not said again to a conversation that broke off after it', async () => {
    const session = aSession({ attempts: [anAttempt(home)] });
    const { told } = await play({
      fleet: [home, work],
      attempts: [began(), done],
      session,
      addition: 'Add a test.',
    });
    expect(told.map(({ prompt }) => prompt)).toEqual([
      'Add a test.',
      'Go on with the task where you left off.',
    ]);
  });
});
