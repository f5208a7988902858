// The small build of zod: this is on the way of every start that finds a record of health.
import * as z from 'zod/mini';
import { fromIso } from '../core/time.ts';

const instant = z
  .string()
  .check(z.refine((text) => fromIso(text) !== undefined, 'expected an ISO 8601 instant'));

// Objects are loose: what a newer secondwind adds to them is carried along.
const trouble = z.looseObject({
  steps: z.int().check(z.positive()),
  at: instant,
  how: z.optional(z.string()),
});

export const healthSchema = z.looseObject({
  workers: z.array(
    z.looseObject({
      worker: z.string(),
      troubles: z.looseObject({
        'server-error': z.optional(trouble),
        timeout: z.optional(trouble),
      }),
      triedAt: instant,
    }),
  ),
});

/** `health.json` without its version. */
export type SavedHealth = z.infer<typeof healthSchema>;
