/** The beginning of a SHA-256 over the same texts in the same order: no way back to them. */
export function fingerprint(texts: readonly (string | undefined)[]): string {
  return sha256([JSON.stringify(texts.map((text) => text ?? null))]).slice(0, 32);
}

/** In hexadecimal digits, of all texts in a row. */
export function sha256(texts: readonly string[]): string {
  // Not imported: that costs every start a tenth of all that Node itself does, and few runs need it before their CLI works.
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256');
  for (const text of texts) hash.update(text);
  return hash.digest('hex');
}
