import type { LineBytes } from '../../core/line.ts';
import type { JsonEvent } from '../json-lines.ts';
import { parseEvent } from '../json-lines.ts';
import { isOneEvent } from '../long-event.ts';

const HEAD = '{"type":"item.completed","item":{';
const OUTPUT = '"aggregated_output":"';
/** As most begin: nothing before the output has to be unescaped. */
const PLAIN =
  /^\{"type":"item\.completed","item":\{"id":"([^"\\]*)","type":"command_execution","command":"([^"\\]*)","aggregated_output":"/;
const PLAIN_BYTES = 384;
const TAIL = /","exit_code":(-?\d+|null),"status":"(\w+)"\}\}$/;
/** The longest tail that can be. */
const TAIL_BYTES = 96;

/** The end of one command, without what the command printed (codex-rs/exec/src/exec_events.rs, 0.171). */
export function briefOutput(event: LineBytes): JsonEvent | undefined {
  const head = event.slice(0, PLAIN_BYTES);
  if (!head.startsWith(HEAD)) return undefined;
  const tail = TAIL.exec(event.slice(event.length - TAIL_BYTES));
  if (tail === null) return undefined;
  const plain = PLAIN.exec(head);
  // In letters, of which there are no more than bytes: to look over the end of the command too does no harm.
  const from = plain === null ? endOfBeginning(event) : plain[0].length;
  if (from === undefined || from + tail[0].length > event.length || !isOneEvent(event, from))
    return undefined;
  if (plain === null) return parseEvent(event.slice(0, from) + tail[0]);
  const [, id, command] = plain;
  const [, code, status] = tail;
  return {
    type: 'item.completed',
    item: {
      id,
      type: 'command_execution',
      command,
      exit_code: code === 'null' ? null : Number(code),
      status,
    },
  };
}

function endOfBeginning(event: LineBytes): number | undefined {
  const output = event.indexOf(OUTPUT);
  return output === -1 ? undefined : output + OUTPUT.length;
}
