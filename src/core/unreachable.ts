/** Ends every switch over a union: a member added later fails to compile here. */
export function unreachable(value: never): never {
  throw new Error(`Internal error: unexpected ${JSON.stringify(value)}`);
}
