import { ID_PATTERN, sessionId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { KnownSession, SessionStore } from '../store/sessions.ts';
import { EXIT } from './exit-codes.ts';
import type { Refusal } from './io.ts';

/** The session of that id, or the only one whose id begins so. */
export async function findSession(store: SessionStore, name: string): Promise<Result<KnownSession, Refusal>> {
  if (!ID_PATTERN.test(name))
    return refused(`expected the id of a session, such as 20261129-235725-jd0e, but found '${name}'`);
  const exact = await store.read(sessionId(name));
  if (exact !== undefined) return ok(exact);
  const alike = (await store.list()).filter(({ record }) => record.id.startsWith(name));
  const [only, ...others] = alike;
  if (only === undefined) return refused(`there is no session '${name}'; see secondwind sessions`);
  if (others.length === 0) return ok(only);
  const ids = alike.map(({ record }) => record.id).slice(0, 5);
  return refused(`'${name}' is the beginning of ${String(alike.length)} sessions: ${ids.join(', ')}`);
}

function refused(message: string): Result<never, Refusal> {
  return err({ code: EXIT.usage, message: `${message}.` });
}
