/** What a vendor says first about a failure, as its reason. Some say nothing at all. */
export function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line === '' ? 'it failed and gave no reason' : line.trim();
}
