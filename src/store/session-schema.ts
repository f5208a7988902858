import * as z from 'zod/mini';
import { ID_PATTERN } from '../core/ids.ts';
import { SESSION_STATES } from '../core/session.ts';
import { SIGNAL_KINDS, SOURCES } from '../core/signal.ts';
import { fromIso } from '../core/time.ts';
import { PERMISSIONS } from '../core/worker.ts';

// Objects are loose: what a newer secondwind adds to them is carried along.

const instant = z
  .string()
  .check(z.refine((text) => fromIso(text) !== undefined, 'expected an ISO 8601 instant'));
const count = z.number().check(z.nonnegative());

const tool = z.looseObject({
  name: z.string(),
  detail: z.string(),
  status: z.enum(['started', 'done', 'failed']),
});

const attempt = z.looseObject({
  worker: z.string(),
  adapter: z.string(),
  seat: z.string(),
  model: z.optional(z.string()),
  how: z.enum(['prompt', 'resume', 'transcript', 'brief', 'afresh']),
  cliHome: z.optional(z.string()),
  shareTranscripts: z.optional(z.boolean()),
  lastResort: z.optional(z.boolean()),
  startedAt: instant,
  endedAt: z.optional(instant),
  committed: z.boolean(),
  conversation: z.optional(z.string()),
  tools: z.array(tool),
  droppedTools: count,
  lastWords: z.string(),
  outcome: z.optional(z.enum(['done', 'exhausted', 'overloaded', 'failed', 'stopped'])),
  reason: z.optional(z.string()),
  signal: z.optional(
    z.looseObject({
      kind: z.enum(SIGNAL_KINDS),
      scope: z.string(),
      resetAt: z.optional(instant),
      source: z.enum(SOURCES),
    }),
  ),
});

const session = z.looseObject({
  id: z.string().check(z.regex(ID_PATTERN)),
  /** The process that works on it, as a lease names it; nobody's once it is over. */
  owner: z.optional(z.string()),
  request: z.looseObject({
    task: z.string(),
    directory: z.string(),
    permissions: z.enum(PERMISSIONS),
    model: z.optional(z.string()),
    workers: z.optional(z.array(z.string())),
    extraArgs: z.array(z.string()),
    additions: z.optional(z.array(z.looseObject({ text: z.string(), at: instant }))),
    batch: z.optional(
      z.looseObject({ file: z.string(), directory: z.optional(z.string()), key: z.string() }),
    ),
    worktree: z.optional(
      z.looseObject({ repository: z.string(), path: z.string(), branch: z.string(), base: z.string() }),
    ),
  }),
  createdAt: instant,
  updatedAt: instant,
  state: z.enum(SESSION_STATES),
  until: z.optional(instant),
  switchCount: count,
  holdCount: count,
  heldMs: count,
  waitedMs: count,
  attempts: z.array(attempt),
  text: z.string(),
});

/** A file of `sessions/` without its version; `session` is missing in one that holds none yet. */
export const sessionFileSchema = z.looseObject({ session: z.optional(session) });

export type SavedSession = z.infer<typeof session>;
export type SavedSessionFile = z.infer<typeof sessionFileSchema>;
