import { describe, expect, it } from 'vitest';
import { err } from '../../../src/core/result.ts';
import type { Worker } from '../../../src/core/worker.ts';
import { aSession, aSignal, aWorker } from '../../rig/builders.ts';
import { done } from '../../rig/dispatching.ts';

import { home, work, codex, ID, began, lost, play, anAttempt } from '../../rig/handing-over.ts';

describe('a conversation that another seat goes on with', () => {
  it('moves there, and is resumed', async () => {
    const { played, moves, told } = await play({ fleet: [home, work], attempts: [began(), done] });
    expect(moves).toEqual([{ from: '/homes/claude-home', to: 'work', id: ID }]);
    expect(told[1]).toEqual({
      ...{ prompt: 'Go on with the task where you left off.', resume: ID, how: 'transcript' },
      cliHome: '/homes/claude-work',
    });
    expect(played.eventsOf('handoff')).toMatchObject([{ from: 'home', to: 'work', how: 'transcript' }]);
    expect(played.saved.at(-1)?.attempts).toMatchObject([
      { how: 'prompt', cliHome: '/homes/claude-home' },
      { how: 'transcript', cliHome: '/homes/claude-work' },
    ]);
  });

  it('needs no move where both seats have one home', async () => {
    const handover = { cliHome: () => '/one-home' };
    const { moves, told } = await play({ fleet: [home, work], attempts: [began(), done], handover });
    expect(moves).toEqual([]);
    expect(told[1]).toMatchObject({ resume: ID, how: 'transcript' });
  });

  it('moves too between two homes of one seat', async () => {
    const other = aWorker({ id: 'other', seat: 'home', model: 'sonnet' });
    const handover = { cliHome: ({ id }: Worker) => `/homes/${id}` };
    const { moves, told } = await play({
      fleet: [{ ...home, model: 'opus' }, other],
      attempts: [
        () => ({
          ...began()(home, undefined as never),
          ending: { type: 'refused', signal: aSignal({ scope: 'model:opus' }) },
        }),
        done,
      ],
      handover,
    });
    expect(moves).toHaveLength(1);
    expect(told[1]).toMatchObject({ how: 'transcript' });
  });

  it('is told in a brief where the move fails, and why is said', async () => {
    const handover = { moveConversation: () => Promise.resolve(err('the disk is full')) };
    const { told, notes } = await play({ fleet: [home, work], attempts: [began(), done], handover });
    expect(told[1]).toMatchObject({ resume: undefined, how: 'brief' });
    expect(told[1]?.prompt).toContain('Bash: npm test (done)');
    expect(notes).toEqual([expect.stringContaining('the disk is full') as string]);
  });

  it.each([
    ['the seat that has it', { ...home, shareTranscripts: false }, work],
    ['the seat that is to have it', home, { ...work, shareTranscripts: false }],
  ])('stays where it is when %s does not share', async (_what, first, second) => {
    const { moves, told, notes } = await play({ fleet: [first, second], attempts: [began(), done] });
    expect(moves).toEqual([]);
    expect(told[1]?.how).toBe('brief');
    expect(notes).toEqual([expect.stringContaining('does not share') as string]);
  });

  it('stays where it is though the worker whose seat does not share is not in the fleet any more', async () => {
    const session = aSession({ attempts: [anAttempt(home, { shareTranscripts: false })] });
    const { moves, told } = await play({ fleet: [work], attempts: [done], session });
    expect(moves).toEqual([]);
    expect(told[0]?.how).toBe('brief');
  });

  it('moves after a restart, when the worker that had it is not in the fleet', async () => {
    const session = aSession({ attempts: [anAttempt(home)] });
    const { moves } = await play({ fleet: [work], attempts: [done], session });
    expect(moves).toEqual([{ from: '/homes/claude-home', to: 'work', id: ID }]);
  });

  it('is resumed on its own seat, and told to another, when an older secondwind did not note its home', async () => {
    const session = aSession({ attempts: [anAttempt(home, { cliHome: undefined })] });
    expect((await play({ fleet: [home], attempts: [done], session })).told[0]?.how).toBe('resume');
    expect((await play({ fleet: [work], attempts: [done], session })).told[0]?.how).toBe('brief');
  });

  it.each(['--dangerously-skip-permissions', '../../x', 'a b', ''])(
    'is never one that is called %j',
    async (conversation) => {
      for (const fleet of [[home], [work]]) {
        const session = aSession({ attempts: [anAttempt(home, { conversation })] });
        const { told, moves } = await play({ fleet, attempts: [done], session });
        expect(told[0]).toMatchObject({ resume: undefined, how: 'brief' });
        expect(moves).toEqual([]);
      }
    },
  );
});

describe('a CLI that comes back after others went on', () => {
  it('goes on with its own conversation, told what was done since', async () => {
    const session = aSession({
      attempts: [
        anAttempt(home),
        anAttempt(codex, {
          conversation: 'thread-1',
          tools: [{ name: 'shell', detail: 'npm run build', status: 'started' }],
          lastWords: 'The build runs.',
        }),
      ],
    });
    const { told } = await play({ fleet: [home], attempts: [done], session, addition: 'And be quick.' });
    expect(told[0]).toMatchObject({ resume: ID, how: 'resume' });
    for (const part of [
      '[Brief from secondwind]',
      'shell: npm run build',
      'it may have taken effect or not',
      'The build runs.',
      'And be quick.',
    ])
      expect(told[0]?.prompt).toContain(part);
    expect(told[0]?.prompt).not.toMatch(/^the task$/m);
  });
});

describe('a conversation that its CLI does not have any more', () => {
  it('is given up once, and the same worker is told in a brief', async () => {
    const session = aSession({ attempts: [anAttempt(home)] });
    const { played, outcome, told } = await play({ fleet: [home], attempts: [lost, done], session });
    expect(outcome.type).toBe('done');
    expect(told.map(({ how }) => how)).toEqual(['resume', 'brief']);
    expect(played.saved.at(-1)?.attempts.map(({ conversation }) => conversation)).toEqual([
      ...[undefined, undefined, undefined],
    ]);
  });

  it('ends the session when it was not asked to go on with any, as nothing would change', async () => {
    const { outcome, told } = await play({ fleet: [home, codex], attempts: [lost] });
    expect(outcome).toMatchObject({ type: 'failed', reason: 'it is not there' });
    expect(told).toHaveLength(1);
  });

  it('leads back to an older one, and never to an endless search', async () => {
    const session = aSession({
      attempts: ['one', 'two', 'three'].map((conversation) => anAttempt(home, { conversation })),
    });
    const { outcome, told } = await play({ fleet: [home], attempts: [lost], session });
    expect(told.map(({ resume }) => resume)).toEqual(['three', 'two', 'one', undefined]);
    expect(outcome.type).toBe('failed');
  });
});

describe('without handoff', () => {
  it('every attempt begins afresh', async () => {
    const { played, told } = await play({
      fleet: [home, work],
      attempts: [began(), done],
      policy: { handoff: false },
    });
    expect(told[1]).toMatchObject({ prompt: 'the task', resume: undefined, how: 'afresh' });
    expect(played.eventsOf('handoff')).toMatchObject([{ how: 'afresh' }]);
  });
});
