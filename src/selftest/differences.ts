/** One place in which something is not as it was expected to be. */
export interface Difference {
  /** Where, for instance `signal.kind`. */
  readonly path: string;
  readonly expected: unknown;
  /** `undefined` when there is nothing at all. */
  readonly found: unknown;
}

/**
 * What of `expected` is not so in `found`: objects are compared by the fields that `expected` names, however deep, and
 * everything else must be equal. Both are JSON values.
 */
export function differences(expected: unknown, found: unknown, path = ''): readonly Difference[] {
  if (!isRecord(expected)) {
    const same = Object.is(expected, found) || JSON.stringify(expected) === JSON.stringify(found);
    return same ? [] : [{ path, expected, found }];
  }
  if (!isRecord(found)) return [{ path, expected, found }];
  return Object.entries(expected).flatMap(([key, value]) =>
    differences(value, found[key], path === '' ? key : `${path}.${key}`),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
