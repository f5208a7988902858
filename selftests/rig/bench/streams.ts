import { closeSync, openSync, writeSync } from 'node:fs';

/** What a child prints in the bench: how it begins, what comes again and again, how it ends. */
export interface Stream {
  readonly name: string;
  readonly adapter: 'claude' | 'codex' | 'gemini';
  readonly first: string;
  /** Some megabytes at a time. */
  readonly middle: string;
  readonly last: string;
  /** Made to be hard: nothing prints so. */
  readonly isPathological?: true;
}

const ID = '5a1de5a1-0000-4000-8000-000000000000';
const CLAUDE = {
  first: lineOf({ type: 'system', subtype: 'init', session_id: ID, model: 'claude-opus-4-5' }),
  last: lineOf({ type: 'result', subtype: 'success', is_error: false, result: 'Done.' }),
};

/** What an agent at work prints, in the shapes of the captures in fixtures/: mostly what its tools found. */
export function streams(): readonly Stream[] {
  return [
    { name: 'claude at work', adapter: 'claude', ...CLAUDE, middle: many(claudeTurn) },
    {
      ...{ name: 'codex at work', adapter: 'codex', middle: many(codexTurn) },
      first: lineOf({ type: 'thread.started', thread_id: ID }),
      last:
        lineOf({ type: 'item.completed', item: { id: 'item_9', type: 'agent_message', text: 'Done.' } }) +
        lineOf({ type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 3 } }),
    },
    {
      ...{ name: 'gemini at work', adapter: 'gemini', middle: many(geminiTurn) },
      first: lineOf({ type: 'init', timestamp: STAMP, session_id: ID, model: 'gemini-2.5-pro' }),
      last: lineOf({ type: 'result', timestamp: STAMP, status: 'success', stats: { total_tokens: 14 } }),
    },
    {
      ...{ name: 'lines of two bytes', adapter: 'claude', ...CLAUDE, middle: 'x\n'.repeat(2_000_000) },
      isPathological: true,
    },
    {
      ...{ name: 'lines of 8 MiB', adapter: 'claude', ...CLAUDE, middle: claudeResult(0, code(90_000)) },
      isPathological: true,
    },
  ];
}

/** Writes so many bytes, or somewhat more, of a stream into a file. */
export function saveStream(stream: Stream, path: string, bytes: number): number {
  const middle = Buffer.from(stream.middle);
  const file = openSync(path, 'w');
  let written = writeSync(file, stream.first);
  while (written < bytes) written += writeSync(file, middle);
  written += writeSync(file, stream.last);
  closeSync(file);
  return written;
}

const STAMP = '2026-11-29T19:55:36.826Z';

function many(turn: (n: number) => string): string {
  return Array.from({ length: 400 }, (_, n) => turn(n)).join('');
}

function lineOf(event: object): string {
  return `${JSON.stringify(event)}\n`;
}

/** What a file or a command shows: quotes, tabs, a letter beyond ASCII here and there. */
function code(lines: number): string {
  return Array.from(
    { length: lines },
    (_, n) =>
      `${String(n)}\tconst value${String(n)} = compute("${String(n)}", { naïve: 'x' }); // ${String(n % 7)}\n`,
  ).join('');
}

function claudeTurn(n: number): string {
  const said = (block: object) =>
    lineOf({
      type: 'assistant',
      message: {
        ...{ model: 'claude-opus-4-5', id: `msg_${String(n)}`, type: 'message', role: 'assistant' },
        ...{ content: [block], stop_reason: null, stop_sequence: null },
        usage: {
          input_tokens: 4,
          cache_read_input_tokens: 20_000,
          output_tokens: 4,
          service_tier: 'standard',
        },
      },
      ...{ parent_tool_use_id: null, session_id: ID, uuid: ID },
    });
  const input = { file_path: `/home/dev/project/src/file-${String(n)}.ts` };
  return (
    said({ type: 'text', text: 'I look at the next file, and at what calls it, before I change either. ' }) +
    said({ type: 'tool_use', id: `toolu_${String(n)}`, name: 'Read', input }) +
    claudeResult(n, code(20 + (n % 60)))
  );
}

/** Claude Code prints what a tool found twice: for the model, and as data. */
function claudeResult(n: number, found: string): string {
  return lineOf({
    type: 'user',
    message: {
      role: 'user',
      content: [{ tool_use_id: `toolu_${String(n)}`, type: 'tool_result', content: found }],
    },
    ...{ parent_tool_use_id: null, session_id: ID, uuid: ID },
    tool_use_result: { type: 'text', file: { filePath: `/home/dev/file-${String(n)}.ts`, content: found } },
  });
}

function codexTurn(n: number): string {
  const item = {
    id: `item_${String(n)}`,
    type: 'command_execution',
    command: `bash -lc 'cat file-${String(n)}'`,
  };
  return (
    lineOf({ type: 'item.completed', item: { id: `item_m${String(n)}`, type: 'reasoning', text: 'Next.' } }) +
    lineOf({
      type: 'item.started',
      item: { ...item, aggregated_output: '', exit_code: null, status: 'in_progress' },
    }) +
    lineOf({
      type: 'item.completed',
      item: { ...item, aggregated_output: code(20 + (n % 60)), exit_code: 0, status: 'completed' },
    })
  );
}

function geminiTurn(n: number): string {
  const id = { timestamp: STAMP, tool_id: `read_file-${String(n)}` };
  return (
    lineOf({ type: 'message', timestamp: STAMP, role: 'assistant', content: 'I look at it.', delta: true }) +
    lineOf({
      type: 'tool_use',
      ...id,
      tool_name: 'read_file',
      parameters: { path: `src/file-${String(n)}.ts` },
    }) +
    lineOf({ type: 'tool_result', ...id, status: 'success', output: code(20 + (n % 60)) })
  );
}
