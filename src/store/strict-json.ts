import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';

const [QUOTE, COLON, BACKSLASH, SPACE] = [0x22, 0x3a, 0x5c, 0x20];
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x7b, 0x7d, 0x5b, 0x5d];

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deeper than any state or configuration of ours by far, and shallow enough to be walked and written again. */
export const DEEPEST = 64;
export const TOO_DEEP = `it is nested more than ${String(DEEPEST)} levels deep`;

/** The text of a state: one line a record, so that people can read it, search it and compare two of them. */
export function writeJson(object: JsonObject): string {
  const members = Object.entries(object)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}: ${writeMember(member)}`);
  return `{\n${members.join(',\n')}\n}\n`;
}

function writeMember(member: unknown): string {
  if (!Array.isArray(member) || member.length === 0) return JSON.stringify(member);
  return `[\n${member.map((record) => JSON.stringify(record)).join(',\n')}\n]`;
}

/**
 * Reads JSON as a state file must be: UTF-8 (a byte order mark, which some editors add, is no harm), no key twice
 * in one object (`JSON.parse` would silently drop the first), not nested without end. Fails with what is wrong, as
 * the end of a sentence.
 */
export function parseStrictJson(bytes: Uint8Array): Result<unknown, string> {
  const text = decode(bytes);
  if (!text.ok) return text;
  const parsed = parse(text.value);
  if (!parsed.ok) return parsed;
  const { keys, depth } = measure(text.value);
  if (depth > DEEPEST) return err(TOO_DEEP);
  return keys === countKeys(parsed.value) ? parsed : err('it has a key twice in one object');
}

/** The same for what `writeJson` is known to have written, which has no key twice and is not too deep. */
export function parseWrittenJson(bytes: Uint8Array): Result<unknown, string> {
  const text = decode(bytes);
  return text.ok ? parse(text.value) : text;
}

function decode(bytes: Uint8Array): Result<string, string> {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return err('it is not UTF-8 text');
  }
}

function parse(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return err(text.trim() === '' ? 'it is empty' : 'it is not JSON');
  }
}

/** How many keys a valid JSON text spells out, and how deep its brackets go. */
function measure(text: string): { readonly keys: number; readonly depth: number } {
  let [keys, depth, level] = [0, 0, 0];
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        level += 1;
        depth = Math.max(depth, level);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        level -= 1;
        break;
      case QUOTE:
        i = endOfString(text, i);
        if (isFollowedByColon(text, i)) keys += 1;
        break;
    }
  }
  return { keys, depth };
}

/** How many keys are left of them when each object has each only once. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Object.values(value);
  const own = Array.isArray(value) ? 0 : members.length;
  return members.reduce((sum: number, member) => sum + countKeys(member), own);
}

/** The closing quote: the next one with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function isFollowedByColon(text: string, end: number): boolean {
  let i = end + 1;
  while (text.charCodeAt(i) <= SPACE) i += 1;
  return text.charCodeAt(i) === COLON;
}
