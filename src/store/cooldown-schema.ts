// The small build of zod: other states are read through it at start-up.
import * as z from 'zod/mini';
import { CLEARED_BY } from '../core/cooldown.ts';
import { COOLDOWN_KINDS, SOURCES } from '../core/signal.ts';
import { fromIso } from '../core/time.ts';

const instant = z
  .string()
  .check(z.refine((text) => fromIso(text) !== undefined, 'expected an ISO 8601 instant'));

// Objects are loose: what a newer secondwind adds to them is carried along.
const target = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('seat'), seat: z.string() }),
  z.looseObject({ type: z.literal('model'), seat: z.string(), model: z.string() }),
  z.looseObject({ type: z.literal('workspace'), workspace: z.string() }),
]);
const kind = z.enum(COOLDOWN_KINDS);

const cooldown = z.looseObject({
  target,
  worker: z.string(),
  kind,
  since: instant,
  /** `null`: until somebody clears it. */
  until: z.nullable(instant),
  source: z.enum(SOURCES),
  reason: z.string(),
  evidence: z.string(),
  /** Of a refused login: which it was. */
  credentials: z.optional(z.string()),
});

const clearance = z.looseObject({
  /** `null`: all. */
  target: z.nullable(target),
  kind: z.nullable(kind),
  at: instant,
  by: z.enum(CLEARED_BY),
});

export const cooldownsSchema = z.looseObject({
  cooldowns: z.array(cooldown),
  clearances: z.array(clearance),
});

export type SavedTarget = z.infer<typeof target>;

/** `cooldowns.json` without its version. */
export type SavedCooldowns = z.infer<typeof cooldownsSchema>;
