import { createHash } from 'node:crypto';

/** The same for the same texts in the same order, and no way back to them: the beginning of a SHA-256. */
export function fingerprint(texts: readonly (string | undefined)[]): string {
  const hash = createHash('sha256');
  hash.update(JSON.stringify(texts.map((text) => text ?? null)));
  return hash.digest('hex').slice(0, 32);
}
