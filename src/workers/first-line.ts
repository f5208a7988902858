import { evidence } from '../signals/evidence.ts';

const LONGEST = 200;

/**
 * What a vendor says first about a failure, as its reason: as harmless and as free of secrets as evidence, since it is
 * text of which nothing is known. Some say nothing at all.
 */
export function firstLine(text: string): string {
  const line = evidence(text.trim().split('\n', 1)[0] ?? '');
  if (line === '') return 'it failed and gave no reason';
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
