import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';

/** Deeper than any state of ours by far, and shallow enough to be walked and written again. */
const DEEPEST = 64;

/**
 * Reads JSON as a state file must be: UTF-8 (a byte order mark, which some editors add, is no harm), no key twice
 * in one object (`JSON.parse` would silently drop the first), not nested without end. Fails with what is wrong, as
 * the end of a sentence.
 */
export function parseStrictJson(bytes: Uint8Array): Result<unknown, string> {
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return err('it is not UTF-8 text');
  }
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return err(text.trim() === '' ? 'it is empty' : 'it is not JSON');
  }
  const flaw = findFlaw(text);
  return flaw === undefined ? ok(value) : err(flaw);
}

/** Walks the brackets, keys and strings of a valid JSON text. */
function findFlaw(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case 0x7b: // {
      case 0x5b: // [
        open.push(text.charCodeAt(i) === 0x7b ? new Set() : undefined);
        if (open.length > DEEPEST) return `it is nested more than ${String(DEEPEST)} levels deep`;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        break;
      case 0x22: {
        // "
        const end = endOfString(text, i);
        if (isFollowedByColon(text, end)) {
          const key = JSON.parse(text.slice(i, end + 1)) as string;
          const keys = open.at(-1);
          if (keys?.has(key) === true) return `it has the key '${key.slice(0, 40)}' twice in one object`;
          keys?.add(key);
        }
        i = end;
        break;
      }
    }
  }
  return undefined;
}

/** The closing quote: the next one with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function isFollowedByColon(text: string, end: number): boolean {
  let i = end + 1;
  while (text.charCodeAt(i) <= 0x20) i += 1;
  return text.charCodeAt(i) === 0x3a;
}
