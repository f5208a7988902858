import type { LineBytes } from '../../core/line.ts';
import type { JsonEvent } from '../json-lines.ts';
import { isOneEvent } from '../long-event.ts';

const HEAD =
  /^\{"type":"tool_result","timestamp":"[^"\\]*","tool_id":"([^"\\]*)","status":"(success|error)","output":"/;
/** The longest head that can be: an id has some sixty letters. */
const HEAD_BYTES = 384;

/** The end of one tool, without what the tool printed, the last that is said of it but for an error (0.61.0). */
export function briefResult(event: LineBytes): JsonEvent | undefined {
  const head = HEAD.exec(event.slice(0, HEAD_BYTES));
  if (head === null || !isOneEvent(event, head[0].length)) return undefined;
  return { type: 'tool_result', tool_id: head[1], status: head[2] };
}
