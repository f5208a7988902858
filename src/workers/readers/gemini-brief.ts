import type { LineBytes } from '../../core/line.ts';

const HEAD =
  /^\{"type":"tool_result","timestamp":"[^"\\]*","tool_id":"[^"\\]*","status":"(?:success|error)","output":"/;
/** The longest head that can be: an id has some sixty letters. */
const HEAD_BYTES = 384;

/** The end of one tool, without what the tool printed, the last that is said of it but for an error (0.61.0). */
export function briefResult(event: LineBytes): string | undefined {
  const head = HEAD.exec(event.slice(0, HEAD_BYTES))?.[0];
  return head === undefined ? undefined : `${head}"}`;
}
