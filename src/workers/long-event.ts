import type { Line, LineBytes } from '../core/line.ts';

/** In bytes; to parse what is shorter costs no more than to look it over. */
const LONG = 512;

const [QUOTE, COLON, COMMA, BRACKET, BRACE, END] = [0x22, 0x3a, 0x2c, 0x5b, 0x7b, 0x7d];
const SPACE = 0x20;

/**
 * The bytes of a long line that looks like an event. In JSON a quote inside a string is escaped, so a quoted name with its
 * colon, `"status":`, is found nowhere but where it is a key: that is how readers tell what such a line says without what
 * nobody reads (most of it: what tools printed), and without decoding or parsing it.
 */
export function longEvent({ bytes, cut }: Line): LineBytes | undefined {
  if (bytes === undefined || bytes.length < LONG || cut === true) return undefined;
  return bytes.at(0) === BRACE && bytes.at(bytes.length - 1) === END ? bytes : undefined;
}

/** Where an object begins, and the byte before it that is no space. */
interface ObjectStart {
  readonly at: number;
  readonly after: number | undefined;
}

/** Of braces that begin no object, within strings, one in so many bytes is worth it: a text full of them is parsed sooner. */
const BYTES_PER_BRACE = 32;

/**
 * The first object with anything in it that begins at `from` or after, since within strings no bare quote follows a brace
 * (but at their ends); `undefined` when none does, `'many'` when that is dear to find out.
 */
export function nextObject(event: LineBytes, from: number): ObjectStart | 'many' | undefined {
  let left = 16 + Math.floor((event.length - from) / BYTES_PER_BRACE);
  for (let at = event.indexOf('{', from); at !== -1; at = event.indexOf('{', at + 1)) {
    if (event.at(skipped(event, at + 1, 1)) === QUOTE)
      return { at, after: event.at(skipped(event, at - 1, -1)) };
    left -= 1;
    if (left < 0) return 'many';
  }
  return undefined;
}

function skipped(event: LineBytes, from: number, step: 1 | -1): number {
  let at = from;
  while ((event.at(at) ?? NaN) <= SPACE) at += step;
  return at;
}

/** Whether the rest of a line from `from` on belongs to the one event that it began with: what begins there is within something. */
export function isOneEvent(event: LineBytes, from: number): boolean {
  let start = nextObject(event, from);
  while (start !== undefined) {
    if (start === 'many' || !isWithin(start)) return false;
    start = nextObject(event, start.at + 1);
  }
  return true;
}

function isWithin({ after }: ObjectStart): boolean {
  return after === COLON || after === BRACKET || after === COMMA;
}
