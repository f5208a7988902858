import { ID_PATTERN, sessionId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { KnownSession, SessionStore } from '../store/sessions.ts';
import type { Refusal } from './host.ts';

/** The session of that id, or the only one whose id begins so. */
export async function findSession(store: SessionStore, name: string): Promise<Result<KnownSession, Refusal>> {
  if (!ID_PATTERN.test(name))
    return refused(`expected the id of a session, such as 20261129-235725-jd0e4k, but found '${name}'`);
  const exact = await store.read(sessionId(name));
  if (exact !== undefined) return ok(exact);
  const alike = store.ids().filter((id) => id.startsWith(name));
  if (alike.length > 1)
    return refused(
      `'${name}' is the beginning of ${String(alike.length)} sessions: ${alike.slice(0, 5).join(', ')}`,
    );
  const [only] = await store.all(alike);
  return only === undefined ? refused(`there is no session '${name}'; see secondwind sessions`) : ok(only);
}

function refused(message: string): Result<never, Refusal> {
  return err({ reason: 'usage', message: `${message}.` });
}
