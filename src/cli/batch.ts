import { afterKill, newSession } from '../core/session.ts';
import type { SessionRecord, SessionRequest } from '../core/session.ts';
import type { SessionId } from '../core/ids.ts';
import { durationMs, SECOND } from '../core/time.ts';
import { whileAlone } from '../store/alone.ts';
import type { KnownSession, SessionStore } from '../store/sessions.ts';
import type { Repository } from '../system/repository.ts';
import { newSessionId, requestOf } from '../library/memory.ts';
import type { Plan } from '../library/plan.ts';
import { worktreeOf } from '../library/worktree.ts';
import type { Io } from './io.ts';
import type { ListedTask } from './task-list.ts';

/** Which list of tasks, and where it is run. */
export interface Batch {
  readonly file: string;
  readonly directory: string;
}

/** How long others may take to begin their tasks: they hold the lock for milliseconds. */
const ASK_FOR = durationMs(5 * SECOND);

export function isFor({ request }: SessionRecord, batch: Batch, { key }: ListedTask): boolean {
  return isOf(batch, request.batch) && request.batch?.key === key;
}

function isOf({ file, directory }: Batch, batch: SessionRequest['batch']): boolean {
  return batch?.file === file && batch.directory === directory;
}

/**
 * What other secondwinds begin of a list while it is worked through. A session is looked into once for what it is of, and
 * then only for the task that it is of: to look into all of them for each task takes a thousand times as long for a
 * thousand tasks.
 */
export class Newcomers {
  readonly #store: Pick<SessionStore, 'ids' | 'all'>;
  readonly #batch: Batch;
  readonly #known: Set<SessionId>;
  readonly #ofTask = new Map<string, SessionId[]>();

  /** `known`: those that were there before. */
  constructor(store: Pick<SessionStore, 'ids' | 'all'>, batch: Batch, known: readonly SessionId[]) {
    this.#store = store;
    this.#batch = batch;
    this.#known = new Set(known);
  }

  /** One of our own, which is no newcomer. */
  own(id: SessionId): void {
    this.#known.add(id);
  }

  /** Those of one task, as they are now. */
  async of({ key }: ListedTask): Promise<readonly KnownSession[]> {
    // One that cannot be read is looked into again the next time.
    const unknown = this.#store.ids().filter((id) => !this.#known.has(id));
    for (const { record } of await this.#store.all(unknown)) {
      const { batch } = record.request;
      this.#known.add(record.id);
      if (batch === undefined || !isOf(this.#batch, batch)) continue;
      this.#ofTask.set(batch.key, [...(this.#ofTask.get(batch.key) ?? []), record.id]);
    }
    return this.#store.all(this.#ofTask.get(key) ?? []);
  }
}

/** A task of a list, and what is on record of it. */
interface Task {
  readonly listed: ListedTask;
  readonly plan: Plan;
  readonly before: SessionRecord | undefined;
  /** Of which it gets a worktree of its own, where it is to have one. */
  readonly repository: Repository | undefined;
}

/** The session of an earlier run that goes on, or a new one; `undefined` when another secondwind was quicker. */
export async function sessionFor(
  io: Io,
  { listed, plan, before, repository }: Task,
  batch: Batch,
  store: SessionStore,
  newcomers: Newcomers,
): Promise<SessionRecord | undefined> {
  const asked = { ...requestOf(listed.task, plan), batch: { ...batch, key: listed.key } };
  if (before !== undefined) {
    const claimed = await store.claim(before.id);
    // Where nothing can be saved nobody can be asked: what was begun must not begin anew for that.
    const known = claimed.ok ? claimed.value : before;
    return known && { ...afterKill(known), request: { ...asked, ...placeOf(io, before, repository) } };
  }
  const now = io.clock.now();
  const id = newSessionId(now);
  const session = newSession(id, { ...asked, ...(repository && worktreeOf(io, repository, id)) }, now);
  // The list may have been run in another terminal since we looked: whoever saves a session for the task first has it.
  const begun = await whileAlone(
    `${io.stateHome}/tasks`,
    { clock: io.clock, waitAtMost: ASK_FOR },
    async () => {
      const isTaken = (await newcomers.of(listed)).some(
        ({ record, isRunning }) => isFor(record, batch, listed) && (isRunning || record.state === 'done'),
      );
      if (isTaken) return undefined;
      newcomers.own(id);
      store.save(session);
      await store.saved(id);
      return session;
    },
  );
  return begun.ok ? begun.value : session;
}

/** What was begun goes on where it was begun: in its worktree, or in none. */
function placeOf(
  io: Io,
  { id, attempts, request: { directory, worktree } }: SessionRecord,
  repository: Repository | undefined,
): Partial<SessionRequest> {
  if (worktree !== undefined) return { directory, worktree };
  return repository === undefined || attempts.length > 0 ? {} : worktreeOf(io, repository, id);
}
