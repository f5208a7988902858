// Workers that hand work over to one another, and what each attempt of theirs comes to.

import { ok } from '../../src/core/result.ts';
import type { AttemptRecord } from '../../src/core/session.ts';
import { NOTHING_BEGUN } from '../../src/core/session.ts';
import { epochMs, HOUR } from '../../src/core/time.ts';
import type { Worker } from '../../src/core/worker.ts';
import { NOW } from './a-cooldown.ts';
import { aWorker } from './builders.ts';
import type { PlayedAttempt, Stage } from './dispatching.ts';
import { Play, refused } from './dispatching.ts';

export const home = aWorker({ id: 'home' });
export const work = aWorker({ id: 'work' });
export const codex = aWorker({ id: 'codex', adapter: 'codex' });
export const ID = '01a229c0-2930-7a51-a102-7a4639c72783';

/** Refused in the middle of a conversation, after one use of a tool. */
export const began =
  (conversation: string | undefined = ID, command = 'npm test'): PlayedAttempt =>
  (worker, session) => ({
    ...refused({}, true)(worker, session),
    progress: {
      ...{ committed: true, conversation, lastWords: 'Two tests fail.' },
      tools: [{ name: 'Bash', detail: command, status: 'done' }],
    },
  });
export const lost: PlayedAttempt = () => ({
  ending: { type: 'failed', reason: 'it is not there', evidence: '', recognised: true, lost: true },
});

/** Plays a session in which every move works, unless told otherwise, and notes the moves. */
export async function play(stage: Stage) {
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
export function anAttempt(worker: Worker, overrides: Partial<AttemptRecord> = {}): AttemptRecord {
  return {
    ...{ ...NOTHING_BEGUN, committed: true, conversation: ID, model: undefined, how: 'prompt' },
    ...{ worker: worker.id, adapter: worker.adapter, seat: worker.seat, lastResort: false },
    ...{ startedAt: epochMs(NOW - HOUR), endedAt: epochMs(NOW - HOUR), outcome: 'exhausted' },
    ...{ reason: undefined, signal: undefined, cliHome: `/homes/${worker.adapter}-${worker.seat}` },
    ...overrides,
  };
}
