import * as v from 'valibot';
import { looseObject } from './object-schema.ts';
import { checkedBy, instant } from './state-schema.ts';

const trouble = () =>
  looseObject({
    steps: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    at: instant,
    how: v.optional(v.string()),
  });

const health = () =>
  looseObject({
    workers: v.array(
      looseObject({
        worker: v.string(),
        troubles: looseObject({ 'server-error': v.optional(trouble()), timeout: v.optional(trouble()) }),
        triedAt: instant,
      }),
    ),
  });

/** `health.json` without its version. */
export type SavedHealth = v.InferOutput<ReturnType<typeof health>>;

export const checkHealth = checkedBy(health);
