/** Breaks a text at spaces into lines of at most `columns`, all but the first indented; a longer word is broken where it must be. */
export function wrap(text: string, columns: number, indent: number): readonly string[] {
  const room = Math.max(8, columns - indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    let rest = word;
    if (line !== '' && line.length + 1 + rest.length <= room) {
      line = `${line} ${rest}`;
      continue;
    }
    if (line !== '') lines.push(line);
    for (; rest.length > room; rest = rest.slice(room)) lines.push(rest.slice(0, room));
    line = rest;
  }
  if (line !== '') lines.push(line);
  return lines.map((one, index) => (index === 0 ? one : ' '.repeat(indent) + one));
}
