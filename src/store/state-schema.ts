import * as v from 'valibot';
import { err, ok } from '../core/result.ts';
import { fromIso } from '../core/time.ts';
import { inOurWords } from './schema-words.ts';
import type { StateCheck } from './state-text.ts';

// What the schemas of states share. All of their objects are loose: what a newer secondwind adds to them is carried along.

export const instant = v.pipe(
  v.string(),
  v.check((text) => fromIso(text) !== undefined, 'expected an ISO 8601 instant'),
);

/** JSON has numbers that are too big to be one. */
export const amount = v.pipe(v.number(), v.finite());

/** `schemaOf` is asked when there is first something to check: most runs load a check that they need not. */
export function checkedBy<Schema extends v.GenericSchema>(
  schemaOf: () => Schema,
): StateCheck<v.InferOutput<Schema>> {
  let schema: Schema | undefined;
  return (value) => {
    schema ??= schemaOf();
    const { success, output, issues } = v.safeParse(schema, value, { message: inOurWords });
    if (success) return ok(output);
    const [{ path = [], message }] = issues;
    return err({ path: path.map(({ key }) => String(key)), message });
  };
}
