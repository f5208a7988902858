import * as v from 'valibot';
import { ID_PATTERN } from '../core/ids.ts';
import { SESSION_STATES } from '../core/session.ts';
import { SIGNAL_KINDS, SOURCES } from '../core/signal.ts';
import { PERMISSIONS } from '../core/worker.ts';
import { looseObject } from './object-schema.ts';
import { oneOf } from './schema-words.ts';
import { checkedBy, instant, amount } from './state-schema.ts';

const count = () => v.pipe(amount, v.minValue(0));

const tool = () =>
  looseObject({
    name: v.string(),
    detail: v.string(),
    status: oneOf(['started', 'done', 'failed']),
  });

const attempt = () =>
  looseObject({
    worker: v.string(),
    adapter: v.string(),
    seat: v.string(),
    model: v.optional(v.string()),
    how: oneOf(['prompt', 'resume', 'transcript', 'brief', 'afresh']),
    cliHome: v.optional(v.string()),
    shareTranscripts: v.optional(v.boolean()),
    lastResort: v.optional(v.boolean()),
    startedAt: instant,
    endedAt: v.optional(instant),
    committed: v.boolean(),
    conversation: v.optional(v.string()),
    tools: v.array(tool()),
    droppedTools: count(),
    lastWords: v.string(),
    outcome: v.optional(oneOf(['done', 'exhausted', 'overloaded', 'failed', 'stopped'])),
    reason: v.optional(v.string()),
    signal: v.optional(
      looseObject({
        kind: oneOf(SIGNAL_KINDS),
        scope: v.string(),
        resetAt: v.optional(instant),
        source: oneOf(SOURCES),
      }),
    ),
  });

const session = () =>
  looseObject({
    id: v.pipe(v.string(), v.regex(ID_PATTERN, 'expected the id of a session')),
    /** The process that works on it, as a lease names it; nobody's once it is over. */
    owner: v.optional(v.string()),
    request: looseObject({
      task: v.string(),
      directory: v.string(),
      permissions: oneOf(PERMISSIONS),
      model: v.optional(v.string()),
      workers: v.optional(v.array(v.string())),
      extraArgs: v.array(v.string()),
      additions: v.optional(v.array(looseObject({ text: v.string(), at: instant }))),
      batch: v.optional(
        looseObject({ file: v.string(), directory: v.optional(v.string()), key: v.string() }),
      ),
      worktree: v.optional(
        looseObject({ repository: v.string(), path: v.string(), branch: v.string(), base: v.string() }),
      ),
    }),
    createdAt: instant,
    updatedAt: instant,
    state: oneOf(SESSION_STATES),
    until: v.optional(instant),
    switchCount: count(),
    holdCount: count(),
    heldMs: count(),
    waitedMs: count(),
    attempts: v.array(attempt()),
    text: v.string(),
  });

/** A file of `sessions/` without its version; `session` is missing in one that holds none yet. */
const sessionFile = () => looseObject({ session: v.optional(session()) });

export type SavedSession = v.InferOutput<ReturnType<typeof session>>;
export type SavedSessionFile = v.InferOutput<ReturnType<typeof sessionFile>>;

export const checkSessionFile = checkedBy(sessionFile);
