import type { Line, LineBytes } from '../core/line.ts';

/** In bytes; to parse what is shorter costs no more than to look it over. */
const LONG = 2_048;

/**
 * The bytes of a long line that looks like one whole event. In JSON a quote inside a string is escaped, so a quoted name with
 * its colon, `"status":`, is found nowhere but where it is a key: that is how readers say such a line shorter, without what
 * nobody reads (most of it: what tools printed), and without decoding or parsing it.
 */
export function longEvent({ bytes, cut }: Line): LineBytes | undefined {
  if (bytes === undefined || bytes.length < LONG || cut === true) return undefined;
  if (bytes.slice(0, 1) !== '{' || bytes.slice(bytes.length - 1) !== '}') return undefined;
  // Perhaps two events in one line, and perhaps what a string says.
  return bytes.indexOf('}{') === -1 && bytes.indexOf('} {') === -1 ? bytes : undefined;
}
