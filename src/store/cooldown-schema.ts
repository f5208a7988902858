import * as v from 'valibot';
import { CLEARED_BY } from '../core/cooldown.ts';
import { COOLDOWN_KINDS, SOURCES } from '../core/signal.ts';
import { looseObject, object } from './object-schema.ts';
import { notOneOf, oneOf } from './schema-words.ts';
import { checkedBy, instant } from './state-schema.ts';

const target = () =>
  v.pipe(
    object,
    v.variant(
      'type',
      [
        looseObject({ type: v.literal('seat'), seat: v.string() }),
        looseObject({ type: v.literal('model'), seat: v.string(), model: v.string() }),
        looseObject({ type: v.literal('workspace'), workspace: v.string() }),
      ],
      ({ input }) => notOneOf(input, ['seat', 'model', 'workspace']),
    ),
  );
const kind = () => oneOf(COOLDOWN_KINDS);

const cooldown = () =>
  looseObject({
    target: target(),
    worker: v.string(),
    kind: kind(),
    since: instant,
    /** `null`: until somebody clears it. */
    until: v.nullable(instant),
    source: oneOf(SOURCES),
    reason: v.string(),
    evidence: v.string(),
    /** Of a refused login: which it was. */
    credentials: v.optional(v.string()),
  });

const clearance = () =>
  looseObject({
    /** `null`: all. */
    target: v.nullable(target()),
    kind: v.nullable(kind()),
    at: instant,
    by: oneOf(CLEARED_BY),
  });

const cooldowns = () => looseObject({ cooldowns: v.array(cooldown()), clearances: v.array(clearance()) });

export type SavedTarget = v.InferOutput<ReturnType<typeof target>>;

/** `cooldowns.json` without its version. */
export type SavedCooldowns = v.InferOutput<ReturnType<typeof cooldowns>>;

export const checkCooldowns = checkedBy(cooldowns);
