import * as v from 'valibot';
import { looseObject } from './object-schema.ts';
import { checkedBy, instant } from './state-schema.ts';

const anything = () =>
  v.pipe(
    v.unknown(),
    v.check((answer) => answer !== undefined, 'expected an answer, but it is missing'),
  );

const probes = () =>
  looseObject({
    answers: v.array(looseObject({ key: v.string(), at: instant, answer: anything() })),
  });

/** `probes.json` without its version. */
export type SavedProbes = v.InferOutput<ReturnType<typeof probes>>;

export const checkProbes = checkedBy(probes);
