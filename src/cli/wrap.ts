import { widthOf } from './width.ts';

/** How wide prose is where it goes into a pipe or a file. */
export const PIPED_COLUMNS = 80;

/**
 * Breaks a text at spaces into lines of at most `columns`, all but the first indented: whoever shows it has written so
 * much before the first. A longer word is left whole, so that a path or a command can still be copied.
 */
export function wrap(text: string, columns: number, indent: number): readonly string[] {
  const room = columns - indent;
  const lines: string[] = [];
  let [line, width] = ['', 0];
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const wide = widthOf(word);
    if (line !== '' && width + 1 + wide <= room) [line, width] = [`${line} ${word}`, width + 1 + wide];
    else {
      if (line !== '') lines.push(line);
      [line, width] = [word, wide];
    }
  }
  if (line !== '') lines.push(line);
  return lines.map((one, index) => (index === 0 ? one : ' '.repeat(indent) + one));
}
