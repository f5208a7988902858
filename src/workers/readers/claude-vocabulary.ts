import { stringField } from '../json-lines.ts';
import type { FieldRule, Vocabulary } from '../vocabulary.ts';

/** `SDKAssistantMessageError`. All names here: @anthropic-ai/claude-agent-sdk 0.3.197 and 0.3.332 `sdk.d.ts`. */
const ERRORS = [
  ...['authentication_failed', 'oauth_org_not_allowed', 'account_on_hold', 'verification_required'],
  ...['billing_error', 'rate_limit', 'overloaded', 'invalid_request', 'model_not_found', 'server_error'],
  ...['unknown', 'max_output_tokens', 'cloud_credential_error'],
];

/** Which windows there are. */
const WINDOWS = [
  ...['five_hour', 'seven_day', 'seven_day_opus', 'seven_day_sonnet', 'seven_day_overage_included'],
  'overage',
];

/** What `system` tells besides, of which we read nothing. */
const TOLD = [
  ...['background_tasks_changed', 'commands_changed', 'compact_boundary', 'control_request_progress'],
  ...['elicitation_complete', 'files_persisted', 'hook_progress', 'hook_response', 'hook_started'],
  ...['informational', 'local_command_output', 'memory_recall', 'mirror_error', 'model_refusal_fallback'],
  ...['model_refusal_no_fallback', 'notification', 'permission_denied', 'plugin_install'],
  ...['session_state_changed', 'session_writes_lost', 'status', 'task_notification', 'task_progress'],
  ...['task_started', 'task_updated', 'thinking_tokens', 'worker_shutting_down'],
];

const OTHERS = [
  ...['active_goal', 'auth_status', 'control_cancel_request', 'control_request', 'control_response'],
  ...['conversation_reset', 'keep_alive', 'prompt_suggestion', 'stream_event', 'tool_progress'],
  'tool_use_summary',
];

const NOTHING: Readonly<Record<string, FieldRule>> = {};

export const claudeVocabulary: Vocabulary = {
  nameOf: (event) => (event.type === 'system' ? `system/${stringField(event, 'subtype') ?? ''}` : event.type),
  events: {
    ...Object.fromEntries(
      [...TOLD.map((name) => `system/${name}`), ...OTHERS].map((name) => [name, NOTHING]),
    ),
    'system/init': { session_id: 'text', model: 'text' },
    'system/api_retry': { retry_delay_ms: 'number', error_status: 'number|null', error: ERRORS },
    rate_limit_event: {
      rate_limit_info: 'record',
      'rate_limit_info.status': ['allowed', 'allowed_warning', 'rejected'],
      'rate_limit_info.resetsAt': 'number',
      'rate_limit_info.rateLimitType': WINDOWS,
      'rate_limit_info.utilization': 'number',
      'rate_limit_info.isUsingOverage': 'truth',
      'rate_limit_info.overageInUse': 'truth',
      'rate_limit_info.errorCode': ['credits_required'],
      'rate_limit_info.unifiedWindows': 'record',
    },
    assistant: { error: ERRORS, message: 'record', 'message.content': 'list', 'message.model': 'text' },
    user: { message: 'record' },
    result: {
      subtype: [
        ...['success', 'error_during_execution', 'error_max_turns', 'error_max_budget_usd'],
        'error_max_structured_output_retries',
      ],
      is_error: 'truth',
      result: 'text',
      errors: 'list',
      api_error_status: 'number|null',
    },
  },
};
