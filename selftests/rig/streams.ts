import type { DurationMs } from '../../src/core/time.ts';
import type { CapturedLine, ReplayInput, ReplayVerdict } from '../../src/fleet/replay.ts';
import { replay } from '../../src/fleet/replay.ts';

/** Changes to a fixture's stream, for tests of what such a change may and may not do. */

export type JsonObject = Readonly<Record<string, unknown>>;

export function withLines(
  input: ReplayInput,
  change: (lines: readonly CapturedLine[]) => readonly CapturedLine[],
): ReplayInput {
  return { ...input, lines: change(input.lines) };
}

/** Puts lines before the line at `index` (from 0), at the moment of the one before it. */
export function inserted(input: ReplayInput, index: number, ...texts: readonly string[]): ReplayInput {
  return withLines(input, (lines) =>
    lines.toSpliced(index, 0, ...texts.map((text) => line(text, timeAt(lines, index)))),
  );
}

export function onStderr(input: ReplayInput, index: number, ...texts: readonly string[]): ReplayInput {
  return withLines(input, (lines) =>
    lines.toSpliced(
      index,
      0,
      ...texts.map((text) => ({ ...line(text, timeAt(lines, index)), channel: 'stderr' as const })),
    ),
  );
}

/** Changes every JSON event on stdout; other lines stay. */
export function eachEvent(input: ReplayInput, change: (event: JsonObject) => unknown): ReplayInput {
  return eachEventLine(input, (text) => JSON.stringify(change(JSON.parse(text) as JsonObject)));
}

/** Changes the text of every line that is a JSON event. */
export function eachEventLine(input: ReplayInput, change: (text: string) => string): ReplayInput {
  return withLines(input, (lines) =>
    lines.map((one) => (isEvent(one) ? { ...one, text: change(one.text) } : one)),
  );
}

export function isEvent({ channel, text }: CapturedLine): boolean {
  return channel === 'stdout' && text.startsWith('{');
}

export function line(text: string, t: number): CapturedLine {
  return { t: t as DurationMs, channel: 'stdout', text };
}

function timeAt(lines: readonly CapturedLine[], index: number): number {
  return lines[Math.max(0, index - 1)]?.t ?? 0;
}

/** What must not change when a stream says the same in another way. */
export function verdictOf(input: ReplayInput): ReplayVerdict {
  return replay(input);
}

/** The verdict without what the vendor's line looks like, how many lines came before it, and what was strange in them. */
export function essence({ signal, actedAt, ...rest }: ReplayVerdict): object {
  return {
    ...rest,
    unknown: [],
    signal: signal === null ? null : { ...signal, evidence: '' },
    actedAt: actedAt === null ? null : actedAt.t,
  };
}

/** What agents say and tools print, in the CLI's own events around it. `text` may be anything at all. */
export const AGENT_LINES: Readonly<Record<string, (text: string) => Readonly<Record<string, string>>>> = {
  claude: (text) => ({
    'the assistant': assistant([{ type: 'text', text }]),
    'the thinking assistant': assistant([{ type: 'thinking', thinking: text, signature: 's' }]),
    "a subagent's words": assistant([{ type: 'text', text }], 'toolu_9'),
    'the input of a tool': assistant([
      { type: 'tool_use', id: 'toolu_9', name: 'Bash', input: { command: text, description: text } },
    ]),
    'a written file': assistant([
      { type: 'tool_use', id: 'toolu_9', name: 'Write', input: { file_path: text, content: text } },
    ]),
    'the result of a tool': toolResult({ type: 'tool_result', tool_use_id: 'toolu_9', content: text }, text),
    'the failure of a tool': toolResult(
      { type: 'tool_result', tool_use_id: 'toolu_9', content: text, is_error: true },
      text,
    ),
    'the parts of a result': toolResult(
      { type: 'tool_result', tool_use_id: 'toolu_9', content: [{ type: 'text', text }] },
      text,
    ),
    'a piece of a message': JSON.stringify({
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
      parent_tool_use_id: null,
    }),
    "a person's words": JSON.stringify({ type: 'user', message: { role: 'user', content: text } }),
    'a hook': JSON.stringify({
      ...{ type: 'system', subtype: 'hook_response', hook_name: 'PostToolUse' },
      ...{ stdout: text, stderr: text, output: text, error: text },
    }),
  }),
  codex: (text) => ({
    'the assistant': item('item.completed', { type: 'agent_message', text }),
    'the thinking assistant': item('item.completed', { type: 'reasoning', text }),
    'a started command': item('item.started', {
      ...{ type: 'command_execution', command: text, aggregated_output: '', exit_code: null },
      status: 'in_progress',
    }),
    'the output of a command': item('item.updated', {
      ...{ type: 'command_execution', command: 'cat log', aggregated_output: text, exit_code: null },
      status: 'in_progress',
    }),
    'the result of a command': item('item.completed', {
      ...{ type: 'command_execution', command: text, aggregated_output: text, exit_code: 0 },
      status: 'completed',
    }),
    'a failed command': item('item.completed', {
      ...{ type: 'command_execution', command: text, aggregated_output: text, exit_code: 1 },
      status: 'failed',
    }),
    'a changed file': item('item.completed', {
      ...{ type: 'file_change', changes: [{ path: text, kind: 'update' }], status: 'completed' },
    }),
    'a tool of an MCP server': item('item.completed', {
      ...{ type: 'mcp_tool_call', server: 'github', tool: 'get', arguments: { text } },
      ...{ result: { content: [{ type: 'text', text }] }, error: { message: text }, status: 'failed' },
    }),
    'a search': item('item.completed', { type: 'web_search', query: text }),
    'a plan': item('item.updated', { type: 'todo_list', items: [{ text, completed: false }] }),
  }),
  gemini: (text) => ({
    'the assistant': JSON.stringify({ type: 'message', role: 'assistant', content: text, delta: true }),
    "a person's words": JSON.stringify({ type: 'message', role: 'user', content: text }),
    'the input of a tool': JSON.stringify({
      ...{ type: 'tool_use', tool_name: 'run_shell_command', tool_id: 't9' },
      parameters: { command: text, description: text },
    }),
    'the result of a tool': JSON.stringify({
      ...{ type: 'tool_result', tool_id: 't9', status: 'success', output: text },
    }),
    'the failure of a tool': JSON.stringify({
      ...{ type: 'tool_result', tool_id: 't9', status: 'error', output: text },
      error: { type: 'TOOL_ERROR', message: text },
    }),
  }),
};

function assistant(content: readonly object[], parent: string | null = null): string {
  return JSON.stringify({
    type: 'assistant',
    message: { type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content },
    parent_tool_use_id: parent,
  });
}

function toolResult(block: object, text: string): string {
  return JSON.stringify({
    ...{ type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null },
    tool_use_result: { stdout: text, stderr: text, interrupted: false },
  });
}

function item(type: string, words: object): string {
  return JSON.stringify({ type, item: { id: 'item_9', ...words } });
}
