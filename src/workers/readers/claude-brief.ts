import type { LineBytes } from '../../core/line.ts';
import type { JsonEvent } from '../json-lines.ts';
import { isOneEvent, nextObject } from '../long-event.ts';

const HEAD =
  /^\{"type":"user","message":\{"role":"user","content":\[\{"tool_use_id":"([^"\\]+)","type":"tool_result","content":(?:"|\[\{")/;
/** The longest head that can be: an id has some thirty letters. */
const HEAD_BYTES = 256;

/** How the message ends when it holds nothing but that one result, and none that failed; then what Claude Code adds. */
const END = String.raw`[^\\]"(?:\}\])?(?:,"is_error":false)?\}\]\}(?:,"\w+":(?:null|"[^"\\]*"))*`;
const BEFORE_DATA = new RegExp(`${END},"tool_use_result":\\{$`);
const WITHOUT_DATA = new RegExp(`${END}\\}$`);
const END_BYTES = 320;

/** The end of one tool, without what the tool found, which Claude Code prints twice (2.1.197). */
export function briefResult(event: LineBytes): JsonEvent | undefined {
  const head = HEAD.exec(event.slice(0, HEAD_BYTES));
  const id = head?.[1];
  if (head === null || id === undefined) return undefined;
  const data = nextObject(event, head[0].length);
  if (data === 'many') return undefined;
  const [end, until] = data === undefined ? [WITHOUT_DATA, event.length] : [BEFORE_DATA, data.at + 1];
  if (!end.test(event.slice(Math.max(0, until - END_BYTES), until))) return undefined;
  if (!isOneEvent(event, until)) return undefined;
  return {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '' }] },
  };
}
