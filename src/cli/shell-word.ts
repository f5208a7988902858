/** A word as one would type it in a shell. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** A path, whose `~/` a shell reads only where it is not quoted. */
export function shellPath(path: string): string {
  return path.startsWith('~/') ? `~/${shellWord(path.slice(2))}` : shellWord(path);
}
