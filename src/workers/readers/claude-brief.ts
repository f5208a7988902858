import type { LineBytes } from '../../core/line.ts';

const HEAD =
  /^\{"type":"user","message":\{"role":"user","content":\[\{"tool_use_id":"[^"\\]+","type":"tool_result",/;
/** The longest head that can be: an id has some thirty letters. */
const HEAD_BYTES = 256;

/** The end of one tool, without what the tool found, which Claude Code prints twice (2.1.197). */
export function briefResult(event: LineBytes): string | undefined {
  const head = HEAD.exec(event.slice(0, HEAD_BYTES))?.[0];
  if (head === undefined) return undefined;
  // Another end in the same line, or one that failed: then all of it has to be read.
  if (event.indexOf('"type":"tool_result"', head.length) !== -1) return undefined;
  return event.indexOf('"is_error":true', head.length) === -1 ? `${head}"content":""}]}}` : undefined;
}
