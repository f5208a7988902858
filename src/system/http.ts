import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { DurationMs } from '../core/time.ts';

/** In characters: more than any answer of a few numbers. */
const LONGEST = 64 * 1024;

/** Gets a small JSON document; the error is the end of a sentence. It follows no redirect: a key goes to one host only. */
export async function getJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  atMost: DurationMs,
): Promise<Result<unknown, string>> {
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(atMost) });
    const text = await response.text();
    if (!response.ok) return err(`it answered HTTP ${String(response.status)}`);
    if (text.length > LONGEST) return err('it answered more than a balance');
    return ok(JSON.parse(text) as unknown);
  } catch (error) {
    // What `fetch` throws: a TypeError for every way of not getting there, a DOMException when time is up.
    if (error instanceof SyntaxError) return err('it did not answer in JSON');
    if (error instanceof TypeError) return err('it could not be reached');
    if (error instanceof DOMException) return err('it took too long');
    throw error;
  }
}
