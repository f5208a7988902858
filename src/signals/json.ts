/** A JSON object whose fields are not checked yet. */
export type Json = Readonly<Record<string, unknown>>;

/** The object that a text holds; `undefined` for anything else, such as the torn last line of a file being written. */
export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(object: Json | undefined, key: string): Json | undefined {
  const value = object?.[key];
  return isObject(value) ? value : undefined;
}

/** A finite number, also one in a string: headers and some servers print numbers so. */
export function numberIn(object: Json | undefined, key: string): number | undefined {
  const value = object?.[key];
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

export function textIn(object: Json | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
