import * as v from 'valibot';
import { anyOf, didYouMean } from '../core/similar.ts';

/** What a schema expected and what it found, as the end of a sentence, where the schema has no words of its own. */
export function inOurWords({ type, input, requirement }: v.BaseIssue<unknown>): string {
  if (typeof input === 'number') {
    const expected = numberExpected(type, input, requirement);
    if (expected !== undefined) return `${expected}, but found ${String(input)}`;
  }
  const expected = EXPECTED[type];
  if (expected !== undefined) return notA(expected, input);
  if (type !== 'min_length') return 'expected something else here';
  return input === '' ? 'expected some text, but it is empty' : 'expected at least one, but found none';
}

/** Of a number that is not one of those that were expected. */
function numberExpected(type: string, found: number, requirement: unknown): string | undefined {
  if (type === 'max_value') return `expected a number of at most ${String(requirement)}`;
  if (type === 'min_value')
    return requirement === 0
      ? 'expected no negative number'
      : `expected a number of at least ${String(requirement)}`;
  if (type !== 'safe_integer') return undefined;
  if (!Number.isInteger(found)) return 'expected a whole number';
  return found > 0
    ? `expected a number of at most ${String(Number.MAX_SAFE_INTEGER)}`
    : `expected a number of at least ${String(Number.MIN_SAFE_INTEGER)}`;
}

export function notA(expected: string, found: unknown): string {
  return `expected ${expected}, but ${found === undefined ? 'it is missing' : `found ${kindOf(found)}`}`;
}

/** By valibot's name of a schema, or of what is asked of a value besides. */
const EXPECTED: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', finite: 'a number', safe_integer: 'a whole number' },
  ...{ boolean: 'true or false', array: 'a list', tuple_with_rest: 'a list' },
};

function kindOf(found: unknown): string {
  if (found === null) return 'null';
  if (Array.isArray(found)) return 'a list';
  if (typeof found === 'number' && !Number.isFinite(found)) return String(found);
  return KINDS[typeof found] ?? typeof found;
}

const KINDS: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object' },
};

/** One of some words. */
export function oneOf<const Words extends readonly string[]>(words: Words) {
  return v.picklist(words, ({ input }) => notOneOf(input, words));
}

export function notOneOf(found: unknown, words: readonly string[]): string {
  const said = typeof found === 'string' ? `'${found}'${didYouMean(found, words)}` : JSON.stringify(found);
  return `expected ${anyOf(words)}, but ${found === undefined ? 'it is missing' : `found ${said}`}`;
}

/** All unknown keys of an object, and which were meant. */
export function unknownKeys(unknown: readonly string[], known: readonly string[]): string {
  const keys = unknown.map((key) => `'${key}'${didYouMean(key, known)}`);
  const all = known.length > MOST_KEYS ? '' : `; there are ${known.join(', ')}`;
  const isClear = keys.every((key) => key.includes('('));
  return `unknown key ${keys.join(', ')}${isClear ? '' : all}`;
}

/** More keys than these are no help in a sentence; there are twenty events to hang a hook on. */
const MOST_KEYS = 24;
