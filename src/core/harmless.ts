/**
 * Text that others wrote, made safe for a terminal: whatever moves the cursor, sets a title, hides text or turns its
 * direction is shown and not obeyed, and has no colours. Line breaks and tabs stay. So do characters without a width
 * (joiners, tags): they move nothing, and emoji and scripts are made of them.
 */
export function harmless(text: string): string {
  return text
    .replace(/\u001b\[[0-9;]*m/g, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
      '\u{fffd}',
    );
}

/**
 * Text of ours on its way to a terminal, colours and all: nothing else of it is obeyed. Whoever puts together a line makes
 * what others wrote `harmless`; this is for what was forgotten, as no view may be the one that is not looked at.
 */
export function coloursAlone(text: string): string {
  return text.replace(
    /\u001b(?!\[[0-9;]*m)|\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    '\u{fffd}',
  );
}

/** Text for the middle of a line: `harmless`, and without breaks, so that nothing in it can pass for a line of ours. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/[\n\t]+/g, ' ');
}

/** A value with `harmlessLine` done to every text in it. */
export function harmlessFields<T>(value: T): T {
  return withTexts(value, harmlessLine);
}

/** A value with `change` done to every text in it, however deep. */
export function withTexts<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((one: unknown) => withTexts(one, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => [key, withTexts(inner, change)]),
  ) as T;
}

/** JSON that may be shown on a terminal as it is: what JSON leaves unescaped and a terminal may obey is escaped too. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
