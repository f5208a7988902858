import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../src/core/result.ts';
import type { AttemptRecord } from '../../../src/core/session.ts';
import { NOTHING_BEGUN } from '../../../src/core/session.ts';
import type { EpochMs } from '../../../src/core/time.ts';
import { epochMs, HOUR } from '../../../src/core/time.ts';
import type { Worker } from '../../../src/core/worker.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aSession, aSignal, aWorker } from '../../rig/builders.ts';
import type { PlayedAttempt, Stage } from '../../rig/dispatching.ts';
import { done, Play, refused } from '../../rig/dispatching.ts';

const home = aWorker({ id: 'home' });
const work = aWorker({ id: 'work' });
const codex = aWorker({ id: 'codex', adapter: 'codex' });
const ID = '01a229c0-2930-7a51-a102-7a4639c72783';

/** Refused in the middle of a conversation, after one use of a tool. */
const began =
  (conversation: string | undefined = ID, command = 'npm test'): PlayedAttempt =>
  (worker, session) => ({
    ...refused({}, true)(worker, session),
    progress: {
      ...{ committed: true, conversation, lastWords: 'Two tests fail.' },
      tools: [{ name: 'Bash', detail: command, status: 'done' }],
    },
  });
const lost: PlayedAttempt = () => ({
  ending: { type: 'failed', reason: 'it is not there', evidence: '', recognised: true, lost: true },
});

/** Plays a session in which every move works, unless told otherwise, and notes the moves. */
async function play(stage: Stage) {
  const moves: { from: string | undefined; to: string; id: string | undefined }[] = [];
  const played = new Play({
    ...stage,
    handover: {
      moveConversation: ({ cliHome, conversation }, { id }) => {
        moves.push({ from: cliHome, to: id, id: conversation });
        return Promise.resolve(ok('copied'));
      },
      ...stage.handover,
    },
  });
  const outcome = await played.run();
  const told = played.steps.flatMap((step) => (step.type === 'attempt' ? [step.handover] : []));
  return { played, outcome, moves, told, notes: played.eventsOf('attempt.note').map(({ text }) => text) };
}

/** An attempt as an earlier secondwind saved it. */
function anAttempt(worker: Worker, overrides: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    ...{ ...NOTHING_BEGUN, committed: true, conversation: ID, model: undefined, how: 'prompt' },
    ...{ worker: worker.id, adapter: worker.adapter, seat: worker.seat, lastResort: false },
    ...{ startedAt: epochMs(NOW - HOUR), endedAt: epochMs(NOW - HOUR), outcome: 'exhausted' },
    ...{ reason: undefined, signal: undefined, cliHome: `/homes/${worker.adapter}-${worker.seat}` },
    ...overrides,
  };
}

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
