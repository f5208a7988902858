import * as v from 'valibot';
import { notA, unknownKeys } from './schema-words.ts';
import type { JsonObject } from './strict-json.ts';
import { isObject } from './strict-json.ts';

// valibot's objects, but that a list is none of them, that a missing member is told in the words of its own schema, that
// unknown keys are told all at once, and that only `__proto__`, which would become a prototype, is left out.

const PROTOTYPE = '__proto__';

/** The keys of an object, each with what its value must be. */
type Members = readonly (readonly [key: string, schema: v.GenericSchema])[];

/** What it does not know it carries along. */
export function looseObject<const Entries extends v.ObjectEntries>(entries: Entries) {
  const own = Object.entries(entries);
  const anything = v.unknown();
  return withMembers(v.looseObject(entries), (input) => [
    ...own,
    ...othersIn(input, entries).flatMap((key) => (key === PROTOTYPE ? [] : [[key, anything] as const])),
  ]);
}

/** What it does not know it refuses, in the words of `say`: an issue of the type `never`, at the first of those keys. */
export function strictObject<const Entries extends v.ObjectEntries>(
  entries: Entries,
  say: (unknown: readonly string[], known: readonly string[]) => string = unknownKeys,
) {
  const own = Object.entries(entries);
  return withMembers(v.strictObject(entries), (input) => {
    const others = othersIn(input, entries);
    const [first] = others;
    return first === undefined ? own : [...own, [first, v.never(say(others, Object.keys(entries)))]];
  });
}

/** Keys of any name that is one; `misnamed` says what is wrong with another. */
export function record<const Value extends v.GenericSchema>(
  name: RegExp,
  misnamed: (key: string) => string,
  value: Value,
) {
  const refused = (key: string) => v.custom<never>(() => false, misnamed(key));
  return withMembers(v.record(v.pipe(v.string(), v.regex(name)), value), (input) =>
    Object.keys(input).flatMap((key) =>
      key === PROTOTYPE ? [] : [[key, name.test(key) ? value : refused(key)]],
    ),
  );
}

function othersIn(input: JsonObject, entries: v.ObjectEntries): readonly string[] {
  return Object.keys(input).filter((key) => !Object.hasOwn(entries, key));
}

/** Any object, and no list. */
export const object = v.custom<JsonObject>(isObject, ({ input }) => notA('an object', input));

function withMembers<Schema extends v.GenericSchema>(
  schema: Schema,
  membersOf: (input: JsonObject) => Members,
): Schema {
  const run: v.GenericSchema['~run'] = (dataset, config) => {
    const input = dataset.value;
    if (!isObject(input)) return object['~run'](dataset, config);
    const value: Record<string, unknown> = {};
    const issues: v.BaseIssue<unknown>[] = [];
    for (const [key, member] of membersOf(input)) {
      const found = Object.hasOwn(input, key) ? input[key] : undefined;
      const checked = member['~run']({ value: found }, config);
      if (checked.value !== undefined) value[key] = checked.value;
      const at = { type: 'object', origin: 'value', input, key, value: found } as const;
      for (const issue of checked.issues ?? []) issues.push({ ...issue, path: [at, ...(issue.path ?? [])] });
    }
    const [first, ...more] = issues;
    return first === undefined ? { typed: true, value } : { typed: false, value, issues: [first, ...more] };
  };
  return { ...schema, '~run': run };
}
