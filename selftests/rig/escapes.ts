import fc from 'fast-check';

/** What terminals obey: colours, the cursor, the screen, the title, the clipboard, other ways to write the same, and pieces of them. */
const SEQUENCES = [
  ...[
    '\u001b[31m',
    '\u001b[0m',
    '\u001b[2J',
    '\u001b[1;1H',
    '\u001b[99A',
    '\u001b[?1049h',
    '\u001b[6n',
    '\u001bc',
  ],
  ...[
    '\u001b]0;title\u0007',
    '\u001b]52;c;cGF5bG9hZA==\u001b\\',
    '\u001b]8;;http://x\u001b\\',
    '\u001bP+q\u001b\\',
  ],
  ...[
    '\u009b2J',
    '\u009d0;title\u009c',
    '\u0090q\u009c',
    '\u001b',
    '\u001b[',
    '\r',
    '\b',
    '\u0007',
    '\u000c',
    '\u0000',
  ],
  ...[
    '\u007f',
    '\u200eleft\u200fright\u061cletter',
    '\u202egnp.exe',
    '\u2066x\u2069',
    '\r\n',
    '\n',
    '\t',
    '\u0085',
    '\u001b\u001b[2J[2J',
    '\u001b[3\u001b[1m1m',
  ],
];

/** A text of others, with whatever might do harm to a terminal in it. */
export const escapes = fc
  .array(fc.oneof(fc.constantFrom(...SEQUENCES), fc.constantFrom('word', ' ', 'é', '漢', '│')), {
    minLength: 1,
    maxLength: 8,
  })
  .map((pieces) => pieces.join(''));

/** A text that begins with `mark` and holds all of them, a word without end, and a line that would pass for one of ours. */
export function hostileText(mark: string): string {
  return `<${mark}>${SEQUENCES.join('x')}${'w'.repeat(300)}\nFORGED ${mark}\r\nFORGED ${mark}\u2028FORGED`;
}

/** The same for an argument, a variable or a configuration: those take no NUL. */
export function withoutNul(mark: string): string {
  return hostileText(mark).replaceAll('\0', '');
}

/** All that is left of a text that a terminal would obey, but line breaks, tabs and our own colours. */
export function obeyed(text: string): string {
  const own = text.replace(/\u001b\[(?:[0-9]{1,2})(?:;[0-9]{1,3})*m/g, '');
  return (
    own.match(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g) ?? []
  ).join('');
}
