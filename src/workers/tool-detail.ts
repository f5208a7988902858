/** The inputs that say most about what a tool is used on, in the CLIs' own names, most telling first. */
const TELLING = [
  'command',
  'file_path',
  'path',
  'absolute_path',
  'pattern',
  'query',
  'url',
  'prompt',
  'description',
];

const LONGEST = 200;

/** What a tool is used on, in one line. */
export function describeTool(input: Readonly<Record<string, unknown>>): string {
  const key = TELLING.find((name) => typeof input[name] === 'string');
  return oneLine(key === undefined ? '' : String(input[key]));
}

/** White space but single spaces between words. */
const UNEVEN = /[^\S ]|\s\s|^\s|\s$/;

export function oneLine(text: string): string {
  const line = UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
