import type { WireName } from './scenario.ts';

/**
 * What the tools of an agent had printed, as its CLI reports it to the model in a request: the proof that a command
 * was really run, and that a resumed conversation still knows of it.
 */
export function toolOutputs(wire: WireName, body: unknown): readonly string[] {
  switch (wire) {
    case 'messages':
      return list(body, 'messages')
        .flatMap((message) => list(message, 'content'))
        .filter((block) => field(block, 'type') === 'tool_result')
        .map((block) => plain(field(block, 'content')));
    case 'responses':
      return list(body, 'input')
        .filter((item) => field(item, 'type') === 'function_call_output')
        .map((item) => plain(field(item, 'output')));
    case 'generateContent':
      return list(body, 'contents')
        .flatMap((content) => list(content, 'parts'))
        .map((part) => field(field(field(part, 'functionResponse'), 'response'), 'output'))
        .filter((output) => output !== undefined)
        .map(plain);
  }
}

/** Text, or the text of the blocks that it comes in. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return value.map((block) => field(block, 'text')).join('');
}

function list(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
