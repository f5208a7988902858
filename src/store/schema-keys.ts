import type * as z from 'zod';

/** What a schema says of itself, as far as keys can lie in it. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Described>>;
  readonly innerType?: Described;
  readonly element?: Described;
  readonly in?: Described;
  readonly valueType?: Described;
  readonly options?: readonly Described[];
}

interface Described {
  readonly _zod: { readonly def: unknown };
}

/** The keys that the object at `path` may have; none where no object belongs, or one with keys of any name. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  return keysIn(schema, path);
}

function keysIn(schema: Described, path: readonly PropertyKey[]): readonly string[] {
  const { shape, innerType, element, in: before, valueType, options } = schema._zod.def as Definition;
  if (shape !== undefined) {
    const [key, ...rest] = path;
    if (key === undefined) return Object.keys(shape);
    const inner = shape[String(key)];
    return inner === undefined ? [] : keysIn(inner, rest);
  }
  const wrapped = innerType ?? before;
  if (wrapped !== undefined) return keysIn(wrapped, path);
  if (options !== undefined) return options.flatMap((option) => keysIn(option, path));
  const inner = element ?? valueType;
  return inner === undefined || path.length === 0 ? [] : keysIn(inner, path.slice(1));
}
