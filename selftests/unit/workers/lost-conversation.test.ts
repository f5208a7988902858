import { describe, expect, it } from 'vitest';
import type { Line } from '../../../src/core/line.ts';
import { loadAdapter } from '../../../src/workers/registry.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { aLine } from '../../rig/builders.ts';

const ID = '3b0c1a52-0f0a-4a77-9b58-4d2a3c0a1b11';
const err = (text: string): Partial<Line> => ({ channel: 'stderr', text });

async function verdictOf(cli: string, lines: readonly Partial<Line>[], code: number) {
  const reader = (await loadAdapter(cli)).reader({ zone: 'UTC', model: undefined });
  for (const line of lines) reader.push(aLine(line));
  return { ...reader.end({ code, signal: undefined }, NOW), unknown: reader.unknown() };
}

/** As the real CLIs print it (2026-11-30, `--resume` with an id that they do not know). */
const REFUSALS: readonly {
  readonly cli: string;
  readonly what: string;
  readonly code: number;
  readonly lines: readonly Partial<Line>[];
}[] = [
  {
    ...{ cli: 'claude', what: '2.1.197, as events', code: 1 },
    lines: [
      {
        text: `{"type":"result","subtype":"error_during_execution","duration_ms":0,"duration_api_ms":0,"is_error":true,"num_turns":0,"stop_reason":null,"session_id":"${ID}","total_cost_usd":0,"permission_denials":[],"uuid":"28cb95dc-7172-434b-8166-65396e7db882","errors":["No conversation found with session ID: ${ID}"]}`,
      },
      err(`No conversation found with session ID: ${ID}`),
    ],
  },
  {
    ...{ cli: 'claude', what: 'as a plain line only', code: 1 },
    lines: [err(`No conversation found with session ID: ${ID}`)],
  },
  {
    ...{ cli: 'claude', what: '2.1.197, of an id of another kind', code: 1 },
    lines: [
      err(
        'Error: --resume requires a valid session ID or session title when used with --print. Usage: claude -p --resume <session-id|title>. Provided value "nonsense" is not a UUID and does not match any session title.',
      ),
    ],
  },
  {
    ...{ cli: 'codex', what: '0.171.0', code: 1 },
    lines: [
      err('Reading additional input from stdin...'),
      err(`Error: thread/resume: thread/resume failed: no rollout found for thread id ${ID} (code -32600)`),
    ],
  },
  {
    ...{ cli: 'gemini', what: '0.61.0, in a project without any', code: 42 },
    lines: [err('Error resuming session: No previous sessions found for this project.')],
  },
  {
    ...{ cli: 'gemini', what: '0.61.0, in a project with others', code: 42 },
    lines: [
      err('YOLO mode is enabled. All tool calls will be automatically approved.'),
      err(`Error resuming session: Invalid session identifier "${ID}".`),
      err('  Searched for sessions in /home/one/.gemini/tmp/project/chats.'),
      err(
        '  Use --list-sessions to see available sessions, then use --resume {number}, --resume {uuid}, or --resume latest.',
      ),
    ],
  },
];

describe('a conversation that its CLI does not have', () => {
  it.each(REFUSALS)('is known for lost: $cli $what', async ({ cli, lines, code }) => {
    expect(await verdictOf(cli, lines, code)).toMatchObject({
      type: 'failed',
      lost: true,
      recognised: true,
      reason: 'the conversation is not there any more',
      unknown: [],
    });
  });

  it.each(REFUSALS)('is not lost when an agent says so: $cli $what', async ({ cli, lines }) => {
    const said = lines.map(({ text }) => text).join('\n');
    const events: Readonly<Record<string, readonly object[]>> = {
      claude: [
        { type: 'system', subtype: 'init', session_id: ID },
        {
          type: 'assistant',
          message: { model: 'claude-sonnet-4-5', content: [{ type: 'text', text: said }] },
        },
      ],
      codex: [
        { type: 'thread.started', thread_id: ID },
        { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: said } },
      ],
      gemini: [
        { type: 'init', session_id: ID },
        { type: 'message', role: 'assistant', content: said },
      ],
    };
    const printed = (events[cli] ?? []).map((event) => ({ text: JSON.stringify(event) }));
    expect(
      await verdictOf(cli, [...printed, ...lines.map(({ text }) => err(text ?? ''))], 1),
    ).not.toHaveProperty('lost');
  });
});
