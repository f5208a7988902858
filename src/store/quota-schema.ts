import * as v from 'valibot';
import { READING_SOURCES } from '../core/quota.ts';
import { looseObject } from './object-schema.ts';
import { oneOf } from './schema-words.ts';
import { checkedBy, instant, amount } from './state-schema.ts';

const quota = () =>
  looseObject({
    readings: v.array(
      looseObject({
        seat: v.string(),
        window: v.string(),
        usedPercent: v.nullable(amount),
        resetAt: v.nullable(instant),
        observedAt: instant,
        source: oneOf(READING_SOURCES),
      }),
    ),
    /** When each seat was last asked, and when it may be asked again. */
    polls: v.array(
      looseObject({
        seat: v.string(),
        at: instant,
        /** How many polls in a row got no answer. */
        failures: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
        notBefore: v.nullable(instant),
        /** Why the last one got none. */
        why: v.nullable(v.string()),
      }),
    ),
  });

/** `quota.json` without its version. */
export type SavedQuota = v.InferOutput<ReturnType<typeof quota>>;

export const checkQuota = checkedBy(quota);
