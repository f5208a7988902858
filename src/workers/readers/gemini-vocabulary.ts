import type { Vocabulary } from '../vocabulary.ts';

/** packages/core/src/output/types.ts, 0.61.0. */
export const geminiVocabulary: Vocabulary = {
  nameOf: (event) => event.type,
  events: {
    init: { session_id: 'text', model: 'text' },
    message: { role: ['user', 'assistant'], content: 'text', delta: 'truth' },
    tool_use: { tool_id: 'text', tool_name: 'text', parameters: 'record' },
    tool_result: { tool_id: 'text', status: ['success', 'error'] },
    error: { severity: ['warning', 'error'], message: 'text' },
    result: { status: ['success', 'error'], error: 'record', 'error.message': 'text' },
  },
};
