import type { SessionId } from '../core/ids.ts';
import { ID_PATTERN, sessionId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';
import type { SessionRecord } from '../core/session.ts';
import { isOver } from '../core/session.ts';
import type { EpochMs } from '../core/time.ts';
import { toIso } from '../core/time.ts';
import { readIfThere } from '../system/input.ts';
import { removeFile } from '../system/journal.ts';
import { identityText, liveness, ownIdentity, parseIdentity } from '../system/process-identity.ts';
import { namesIn } from '../system/state-folder.ts';
import type { StoreProblem } from './problem.ts';
import { onceEach } from './problem.ts';
import { Saver } from './saver.ts';
import { fromSavedSession, toSavedSession } from './session-json.ts';
import type { SavedSession, SavedSessionFile } from './session-schema.ts';
import type { StateFileOptions } from './state-look.ts';
import { openStateFile } from './state-file.ts';

/** A session as it lies on the disk. */
export interface KnownSession {
  readonly record: SessionRecord;
  /** Some secondwind works on it, as far as can be told from here. Not over and not running means: killed. */
  readonly isRunning: boolean;
}

/** All sessions of one home, a file each. */
export interface SessionStore {
  /**
   * Takes the session as it is now. Saved soon, at once where somebody asks for `saved`; of what comes meanwhile only the
   * last. A failure is reported, and stops nothing.
   */
  readonly save: (record: SessionRecord) => void;
  /** Resolves when everything that was taken of this session is saved, or cannot be: with whether it is. */
  readonly saved: (id: SessionId) => Promise<boolean>;
  /** Lets go of what is kept of a session for its being saved: when it is over, and `saved` has been asked. */
  readonly forget: (id: SessionId) => void;
  /** Makes this process the one that works on a saved session. `undefined`: somebody else does. */
  readonly claim: (id: SessionId) => Promise<Result<SessionRecord | undefined, StoreProblem>>;
  /** `undefined`: there is none of that name. */
  readonly read: (id: SessionId) => Promise<KnownSession | undefined>;
  /** The ids of all, the newest first; cheap. */
  readonly ids: () => readonly SessionId[];
  /** The newest first. */
  readonly list: () => Promise<readonly KnownSession[]>;
  /** Those of `ids` that are there and sound. */
  readonly all: (ids: readonly SessionId[]) => Promise<readonly KnownSession[]>;
  /** The newest first, of those whose file holds `text` as it stands in JSON. */
  readonly holding: (text: string) => Promise<readonly KnownSession[]>;
  /** Removes those that nobody works on and that did not change since `before`. */
  readonly prune: (before: EpochMs) => Promise<void>;
}

type SessionStoreOptions = Pick<StateFileOptions<SavedSessionFile>, 'clock' | 'report' | 'disk'> & {
  /** The folder, made when a first session is saved. */
  readonly home: string;
};

export function openSessions({ home, ...options }: SessionStoreOptions): SessionStore {
  const report = onceEach(options.report);
  const folder = `${home}/sessions`;
  const pathOf = (id: SessionId): string => `${folder}/${id}.json`;
  const fileOf = (id: SessionId) =>
    openStateFile<SavedSessionFile>({
      ...options,
      report,
      path: pathOf(id),
      version: 1,
      check: async () => (await import('./session-schema.ts')).checkSessionFile,
      empty: {},
    });
  const savers = new Map<SessionId, Saver>();

  async function read(id: SessionId): Promise<KnownSession | undefined> {
    const found = await fileOf(id).read();
    if (!found.ok) report(found.error);
    const saved = found.ok ? found.value.session : undefined;
    return saved && { record: fromSavedSession(saved), isRunning: isOwned(saved) };
  }

  function ids(): readonly SessionId[] {
    return namesIn(folder)
      .flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))
      .filter((name) => ID_PATTERN.test(name))
      .sort()
      .reverse()
      .map(sessionId);
  }

  async function all(wanted: readonly SessionId[]): Promise<readonly KnownSession[]> {
    const known: KnownSession[] = [];
    for (const id of wanted) {
      const session = await read(id);
      if (session !== undefined) known.push(session);
    }
    return known;
  }

  return {
    save(record) {
      let saver = savers.get(record.id);
      if (saver === undefined) {
        const file = fileOf(record.id);
        saver = new Saver(options.clock, async (newest) => {
          const owner = isOver(newest.state) ? undefined : identityText(ownIdentity());
          const written = await file.update((before) => ({
            state: { ...before, session: { ...before.session, ...toSavedSession(newest, owner) } },
            value: undefined,
          }));
          if (!written.ok) {
            const message = `${written.error.message} Until it can be written, this session cannot be resumed.`;
            report({ ...written.error, message });
          }
          return written.ok;
        });
        savers.set(record.id, saver);
      }
      saver.take(record);
    },
    saved: (id) => savers.get(id)?.idle() ?? Promise.resolve(false),
    forget: (id) => {
      savers.delete(id);
    },
    claim: (id) =>
      fileOf(id).update((before) => {
        const { session } = before;
        if (session === undefined || isOwned(session)) return { state: before, value: undefined };
        const owner = identityText(ownIdentity());
        return { state: { ...before, session: { ...session, owner } }, value: fromSavedSession(session) };
      }),
    read,
    ids,
    all,
    list: () => all(ids()),
    holding: (text) =>
      all(
        ids().filter((id) => {
          const content = readIfThere(pathOf(id));
          return content.ok && content.value?.includes(text) === true;
        }),
      ),
    async prune(before) {
      // An id begins with the day on which its session did: only the old ones are looked into.
      const day = toIso(before).slice(0, 10).replaceAll('-', '');
      for (const { record, isRunning } of await all(ids().filter((id) => id < day)))
        if (!isRunning && record.updatedAt < before) removeFile(pathOf(record.id));
    },
  };
}

/** Only proof that its owner is dead makes a session free. */
function isOwned({ owner }: SavedSession): boolean {
  const identity = owner === undefined ? undefined : parseIdentity(owner);
  if (identity === undefined || identityText(identity) === identityText(ownIdentity())) return false;
  return liveness(identity).type !== 'dead';
}
