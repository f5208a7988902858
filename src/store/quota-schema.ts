// The small build of zod, as for every state.
import * as z from 'zod/mini';
import { READING_SOURCES } from '../core/quota.ts';
import { fromIso } from '../core/time.ts';

const instant = z
  .string()
  .check(z.refine((text) => fromIso(text) !== undefined, 'expected an ISO 8601 instant'));

// Objects are loose: what a newer secondwind adds to them is carried along.
export const quotaSchema = z.looseObject({
  readings: z.array(
    z.looseObject({
      seat: z.string(),
      window: z.string(),
      usedPercent: z.nullable(z.number()),
      resetAt: z.nullable(instant),
      observedAt: instant,
      source: z.enum(READING_SOURCES),
    }),
  ),
  /** When each seat was last asked, and when it may be asked again. */
  polls: z.array(
    z.looseObject({
      seat: z.string(),
      at: instant,
      /** How many polls in a row got no answer. */
      failures: z.int().check(z.nonnegative()),
      notBefore: z.nullable(instant),
      /** Why the last one got none. */
      why: z.nullable(z.string()),
    }),
  ),
});

/** `quota.json` without its version. */
export type SavedQuota = z.infer<typeof quotaSchema>;
