// The small build of zod: this is on the way of every start that finds a worker to be looked at.
import * as z from 'zod/mini';
import { fromIso } from '../core/time.ts';

export const probesSchema = z.looseObject({
  answers: z.array(
    z.looseObject({
      key: z.string(),
      at: z.string().check(z.refine((text) => fromIso(text) !== undefined, 'expected an ISO 8601 instant')),
      answer: z.unknown(),
    }),
  ),
});

/** `probes.json` without its version. */
export type SavedProbes = z.infer<typeof probesSchema>;
