import { recordField, stringField } from '../json-lines.ts';
import type { FieldRule, Vocabulary } from '../vocabulary.ts';

const ITEM_EVENTS: ReadonlySet<string> = new Set(['item.started', 'item.updated', 'item.completed']);
const ITEM: Readonly<Record<string, FieldRule>> = { 'item.id': 'text' };
const STATUS = ['in_progress', 'completed', 'failed', 'declined'];

/** codex-rs/exec/src/exec_events.rs, 0.171; @openai/codex-sdk 0.163.0 `index.d.ts`. */
export const codexVocabulary: Vocabulary = {
  nameOf(event) {
    if (!ITEM_EVENTS.has(event.type)) return event.type;
    const type = stringField(recordField(event, 'item'), 'type') ?? '';
    return ITEM_NAMES.get(type) ?? `item/${type}`;
  },
  events: {
    'thread.started': { thread_id: 'text' },
    'turn.started': {},
    'turn.completed': {},
    'turn.failed': { error: 'record', 'error.message': 'text' },
    error: { message: 'text' },
    'item/agent_message': { ...ITEM, 'item.text': 'text' },
    'item/reasoning': ITEM,
    'item/command_execution': {
      ...ITEM,
      'item.command': 'text',
      'item.exit_code': 'number|null',
      'item.status': STATUS,
    },
    'item/file_change': { ...ITEM, 'item.changes': 'list', 'item.status': STATUS },
    'item/mcp_tool_call': { ...ITEM, 'item.server': 'text', 'item.tool': 'text', 'item.status': STATUS },
    'item/collab_tool_call': { ...ITEM, 'item.tool': 'text' },
    'item/web_search': { ...ITEM, 'item.query': 'text' },
    'item/todo_list': ITEM,
    'item/error': { ...ITEM, 'item.message': 'text' },
  },
};

/** The names as they are: to put one together for each event costs more than all else that is asked of it. */
const ITEM_NAMES: ReadonlyMap<string, string> = new Map(
  Object.keys(codexVocabulary.events).flatMap((name) =>
    name.startsWith('item/') ? [[name.slice('item/'.length), name]] : [],
  ),
);
