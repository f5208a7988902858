/** An event of a CLI's stream, not yet checked: only `type` is known to be there. */
export type JsonEvent = Readonly<Record<string, unknown>> & { readonly type: string };

export type Parsed =
  | { readonly type: 'events'; readonly events: readonly JsonEvent[] }
  /** Not JSON: a banner, a warning, a plain refusal. Escape sequences are removed. */
  | { readonly type: 'plain'; readonly text: string };

const NOTHING: Parsed = { type: 'events', events: [] };

/**
 * Finds the JSON events in a CLI's lines. Tolerates what was seen in the wild: a banner between events, escape
 * codes around them, two events in one line, one event broken over two lines. Only whole top-level objects count, so
 * an event quoted inside a string stays text.
 */
export class JsonLines {
  /** The beginning of an event whose line was broken; it is joined with the very next line or dropped. */
  #unfinished = '';

  /** Whether the next line may be the rest of an event. */
  get isBroken(): boolean {
    return this.#unfinished !== '';
  }

  push(line: string): Parsed {
    const unfinished = this.#unfinished;
    if (unfinished === '' && line.startsWith('{')) {
      // As nearly all lines are: one event and nothing else.
      const value = parse(line);
      if (value !== undefined) return { type: 'events', events: isEvent(value) ? [value] : [] };
    }
    this.#unfinished = '';
    // A break may fall beside a space inside a string: neither half is trimmed where they meet.
    const text = withoutEscapes(line);
    if (unfinished !== '') {
      const joined = readObjects(unfinished + text);
      if (joined.rest === '' && joined.values.length > 0) return events(joined.values);
    }
    const trimmed = text.trim();
    if (trimmed === '') return NOTHING;
    if (!trimmed.startsWith('{')) return { type: 'plain', text: trimmed };
    const { values, rest } = readObjects(text.trimStart());
    if (values.length === 0 && rest === '') return { type: 'plain', text: trimmed };
    this.#unfinished = rest;
    return events(values);
  }
}

/** The one event that `text` is; `undefined` when it is none. */
export function parseEvent(text: string): JsonEvent | undefined {
  const value = parse(text);
  return isEvent(value) ? value : undefined;
}

function events(values: readonly unknown[]): Parsed {
  return { type: 'events', events: values.filter(isEvent) };
}

function isEvent(value: unknown): value is JsonEvent {
  return isRecord(value) && typeof value['type'] === 'string';
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects that stand one after another in `text`; `rest` is a last one that is not finished. */
function readObjects(text: string): { readonly values: readonly unknown[]; readonly rest: string } {
  const whole = parse(text);
  if (whole !== undefined) return { values: [whole], rest: '' };
  const values: unknown[] = [];
  let start = 0;
  while (start < text.length) {
    const end = endOfObject(text, start);
    if (end === undefined) return { values, rest: text[start] === '{' ? text.slice(start) : '' };
    const value = parse(text.slice(start, end));
    if (value !== undefined) values.push(value);
    start = end;
  }
  return { values, rest: '' };
}

/** Where the object that begins at `start` (after white space) ends; `undefined` when it does not. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const char = text[index];
    if (inString) {
      if (char === '\\') index += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth <= 0) return index + 1;
    }
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function withoutEscapes(text: string): string {
  if (!text.includes('\u001b')) return text;
  // CSI and OSC sequences (ECMA-48 5.4 and 8.3.89).
  return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g, '');
}

export function stringField(event: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = event[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberField(event: Readonly<Record<string, unknown>>, key: string): number | undefined {
  const value = event[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function recordField(
  event: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  const value = event[key];
  return isRecord(value) ? value : {};
}

export function listField(
  event: Readonly<Record<string, unknown>>,
  key: string,
): readonly Readonly<Record<string, unknown>>[] {
  const value = event[key];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
