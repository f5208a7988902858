import type { AttemptRecord, HandoverWay } from '../core/session.ts';
import type { Worker } from '../core/worker.ts';
import { brief } from './brief.ts';

/** How the next attempt is told of the work. */
export interface Handover {
  readonly prompt: string;
  /** The CLI's own conversation to go on with. */
  readonly resume: string | undefined;
  readonly how: HandoverWay;
}

/** The work as it stands between two attempts. */
export interface Work {
  readonly task: string;
  /** What a person added when the session was resumed. */
  readonly addition: string | undefined;
  /** The attempts in which work was begun, or may have been. */
  readonly begun: readonly AttemptRecord[];
}

const GO_ON = 'Go on with the task where you left off.';

/** Before any work was begun the task itself; after it never again (DESIGN 7). */
export function handOver({ task, addition, begun }: Work, worker: Worker): Promise<Handover> {
  const whole = addition === undefined ? task : `${task}\n\n${addition}`;
  const last = begun.at(-1);
  if (last === undefined) return Promise.resolve({ prompt: whole, resume: undefined, how: 'prompt' });
  if (last.adapter === worker.adapter && last.seat === worker.seat && last.conversation !== undefined) {
    return Promise.resolve({ prompt: addition ?? GO_ON, resume: last.conversation, how: 'resume' });
  }
  return Promise.resolve({ prompt: brief(whole, begun), resume: undefined, how: 'brief' });
}
