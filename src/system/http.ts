import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { DurationMs } from '../core/time.ts';

/** In characters: more than any answer of a few numbers. */
const LONGEST = 64 * 1024;

/** Why there is no document. */
export interface NoJson {
  /** The end of a sentence. */
  readonly why: string;
  /** The header by which a server says when it wants to be asked again. */
  readonly retryAfter?: string | undefined;
}

/** Gets a small JSON document. It follows no redirect: a key goes to one host only. */
export async function getJson(
  url: string,
  headers: Readonly<Record<string, string>>,
  atMost: DurationMs,
): Promise<Result<unknown, NoJson>> {
  try {
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(atMost) });
    const text = await response.text();
    if (!response.ok) {
      const retryAfter = response.headers.get('retry-after') ?? undefined;
      return err({ why: `it answered HTTP ${String(response.status)}`, retryAfter });
    }
    if (text.length > LONGEST) return err({ why: 'it answered more than a balance' });
    return ok(JSON.parse(text) as unknown);
  } catch (error) {
    // What `fetch` throws: a TypeError for every way of not getting there, a DOMException when time is up.
    if (error instanceof SyntaxError) return err({ why: 'it did not answer in JSON' });
    if (error instanceof TypeError) return err({ why: 'it could not be reached' });
    if (error instanceof DOMException) return err({ why: 'it took too long' });
    throw error;
  }
}
