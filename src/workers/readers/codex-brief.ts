import type { LineBytes } from '../../core/line.ts';
import type { JsonEvent } from '../json-lines.ts';
import { parseEvent } from '../json-lines.ts';
import { isOneEvent } from '../long-event.ts';

const HEAD = '{"type":"item.completed","item":{';
const OUTPUT = '"aggregated_output":"';
const TAIL = /","exit_code":(?:-?\d+|null),"status":"\w+"\}\}$/;
/** The longest tail that can be. */
const TAIL_BYTES = 96;

/** The end of one command, without what the command printed (codex-rs/exec/src/exec_events.rs, 0.171). */
export function briefOutput(event: LineBytes): JsonEvent | undefined {
  if (event.slice(0, HEAD.length) !== HEAD) return undefined;
  const output = event.indexOf(OUTPUT);
  const tail = TAIL.exec(event.slice(event.length - TAIL_BYTES))?.[0];
  if (output === -1 || tail === undefined) return undefined;
  const from = output + OUTPUT.length;
  if (from + tail.length > event.length || !isOneEvent(event, from)) return undefined;
  return parseEvent(event.slice(0, from) + tail);
}
