import { book } from './book.ts';
import type { Phrase, PhraseBook } from './book.ts';
import { httpPhrases, limitPhrases, startPhrases } from './shared.ts';

const notices: readonly Phrase[] = [
  {
    class: 'notice',
    reason: 'a warning: work goes on',
    says: /^(?:heads up, you|reading additional input from stdin|(?:5h|weekly|monthly|\w+) limit: \d+% left)/i,
    source: 'codex 0.63 to 0.130 TUI, exec',
  },
];

const access: readonly Phrase[] = [
  {
    class: 'could-not-start',
    reason: 'it cannot find its home folder',
    says: /^(?:error finding codex home|error: CODEX_HOME|CODEX_HOME points to)/i,
    source: 'codex-rs/utils/home-dir, 2026',
  },
  {
    class: 'authentication',
    reason: 'the login cannot be refreshed',
    says: /^(?:your (?:access|authentication) token (?:could not be refreshed|has been invalidated|has expired)\b.{0,160}|provided authentication token is expired|your refresh token|your session has (?:ended|expired)\b.{0,80}|failed to refresh (?:token|your session)\b.{0,200})/i,
    source: 'codex-rs/login/src/auth/manager.rs; openai/codex 0.118 to 0.171',
  },
  {
    class: 'authentication',
    reason: 'not logged in',
    says: /^(?:not logged in\b|please (?:log|sign) in|missing environment variable: .?\w*(?:KEY|TOKEN)|missing bearer (?:or basic )?authentication|incorrect api key provided|invalid api key|no api key|codex account authentication required|authentication failed(?:: [\w ]{0,60}(?= ?$))?|you must be logged in|unauthorized$)/i,
    source: 'codex 0.146 to 0.171',
  },
  {
    class: 'authentication',
    reason: 'the workspace may not use Codex',
    says: /^(?:workspace is not authorized|login is restricted to workspace|your account is not (?:allowed|authorized|eligible))/i,
    scope: 'workspace',
    source: 'openai/codex tests 2026; HTTP 401 that no new login mends',
  },
];

const elsewhere: readonly Phrase[] = [
  {
    class: 'authentication',
    reason: 'the provider does not serve this region',
    says: /^country, region, or territory not supported/i,
    code: /^unsupported_country_region_territory$/i,
    source: 'OpenAI HTTP 403',
  },
];

const busy: readonly Phrase[] = [
  {
    class: 'overload',
    reason: 'the model is at capacity',
    says: /^(?:selected model is at capacity|policy-restricted capacity is unavailable|flex capacity (?:is )?unavailable)/i,
    code: /^(?:server_is_overloaded|slow_down|policy_capacity_unavailable|flex_unavailable)$/i,
    scope: 'model',
    source: 'codex-rs/protocol/src/error.rs, 0.130 to 0.171',
  },
  {
    class: 'overload',
    reason: 'the provider is under high demand',
    says: /^(?:we(?:'re| are) (?:currently )?(?:under|experiencing) (?:high|heavy) (?:demand|load|traffic)\b.{0,60}|(?:the )?(?:server|service|model|engine) (?:is )?(?:currently |temporarily )?(?:overloaded|unavailable|busy)|our servers are currently overloaded|that model is currently overloaded|service (?:temporarily )?unavailable|the server had an error.{0,40}overloaded)/i,
    source: 'codex 0.13x to 0.171 (HTTP 500 and 503)',
  },
];

const task: readonly Phrase[] = [
  {
    class: 'task',
    reason: 'the conversation is not there any more',
    says: /^(?:thread\/resume: )?(?:thread\/resume failed: )?(?:no rollout found for (?:thread|conversation) id \S+|thread not found: \S+)(?: \(code -?\d+\))?/i,
    lostConversation: true,
    source:
      'codex 0.171.0, exec resume with an unknown id: on stderr, exit 1; the older words from its binary',
  },
  {
    class: 'task',
    reason: 'the context window is full',
    says: /^(?:codex ran out of room in the model's context window|your input exceeds the context window|this model's maximum context length|.{0,60}context_length_exceeded|input exceeds the context|conversation is still above the token limit)/i,
    code: /^context_length_exceeded$/i,
    source: 'codex 0.48 to 0.171',
  },
  {
    class: 'task',
    reason: 'a limit of the run itself was reached',
    says: /^(?:shared rollout token budget exhausted|session budget exceeded|agent thread limit reached|command timed out|turn aborted|interrupted\b)/i,
    source: 'codex-rs, 2026: local budgets and caps',
  },
  {
    class: 'task',
    reason: 'the model cannot be used',
    says: /^(?:the '?[\w./-]+'? model (?:is not supported|requires|does not exist|was not found)|the model '?.?[\w./-]+.?'? (?:does not exist|was not found|is not (?:supported|available))|model '?[\w./-]+'? (?:is )?not (?:found|supported)|unsupported (?:value|parameter))/i,
    source: 'OpenAI HTTP 400 and 404; openai/codex issues 2025 and 2026',
  },
  {
    class: 'task',
    reason: 'the request was refused by policy',
    says: /^(?:this (?:request|content|prompt|chat) (?:was|has been) (?:flagged|blocked)\b.{0,160}|invalid prompt\b)/i,
    code: /^(?:invalid_prompt|cyber_policy|content_policy_violation)$/i,
    source: 'codex-rs/codex-api, 2026',
  },
  {
    class: 'task',
    reason: 'the folder or the call is not what Codex wants',
    says: /^(?:not inside a trusted directory|no prompt provided|no thread found|error loading config|error parsing|unexpected argument|invalid value)/i,
    source: 'codex exec, exit 1 and 2',
  },
];

const money: readonly Phrase[] = [
  {
    class: 'credits',
    reason: 'the spend cap of the workspace was reached',
    says: /^you(?:'ve)? (?:hit|reached) your spend(?:ing)? cap set in your workspace/i,
    scope: 'workspace',
    untilCleared: true,
    source: 'codex 0.13x to 0.171, workspace_owner_usage_limit_reached',
  },
  {
    class: 'credits',
    reason: "the seat's spend cap was reached",
    says: /^you(?:'ve)? (?:hit|reached) your spend(?:ing)? (?:cap|limit)(?: set by the owner of your workspace)?/i,
    untilCleared: true,
    source: "codex 0.13x to 0.171, workspace_member_usage_limit_reached: the cap is the member's own",
  },
  {
    class: 'credits',
    reason: 'the workspace is out of credits',
    says: /^(?:you're out of credits\. )?your workspace is out of credits/i,
    code: /^workspace_(?:owner|member)_credits_depleted$/i,
    scope: 'workspace',
    source:
      'codex 0.13x to 0.171; may hide a plain window: look at the rollout first (pingdotgg/t3code#10472)',
  },
  {
    class: 'credits',
    reason: 'out of credits',
    says: /^(?:you're out of credits|quota exceeded\. check your plan(?: and billing details)?|you exceeded your current quota|your account is not active, please check your billing|billing hard limit has been reached|you(?:'ve| have) reached your spend(?:ing)? limit|monthly spend limit reached)/i,
    code: /^(?:insufficient_quota|credit_balance_exhausted|billing_hard_limit_reached|billing_not_active)$/i,
    source: 'codex 0.118 to 0.171; OpenAI error codes',
  },
  {
    class: 'credits',
    reason: 'the spend limit of the organisation or project was reached',
    says: /^you(?:'ve| have) (?:hit|reached|exceeded) your (?:organi[sz]ation|project)'?s? (?:\w+ )?(?:spend|usage|budget)/i,
    code: /^(?:organization_spend_limit_exceeded|project_spend_limit_exceeded|organization_usage_limit_exceeded)$/i,
    scope: 'workspace',
    untilCleared: true,
    source: 'codex 0.171 binary',
  },
  {
    class: 'credits',
    reason: 'the plan does not include Codex',
    says: /^to use codex with your chatgpt plan, upgrade to \w+: \S+|^to use codex with your chatgpt plan\b/i,
    code: /^usage_not_included$/i,
    source: 'codex-rs/protocol/src/error.rs, UsageNotIncluded',
  },
];

/** What follows the sentence: a full stop, or its end. "…usage limit before, so" is prose. */
const limits: readonly Phrase[] = [
  {
    class: 'plan-limit',
    reason: '$model limit',
    says: /^you(?:'ve| have) (?:hit|reached) (?:your|the) (?:[\w-]+ ){0,2}limit for (?=[\w.:/-]*\d)(?<model>[\w.:/-]*\w)(?=[.]|$| )/i,
    scope: 'model',
    source: 'codex-rs/protocol/src/error.rs, 2026: a limit_name of its own',
  },
  {
    class: 'plan-limit',
    reason: 'usage limit',
    says: /^you(?:'ve| have)? (?:hit|reached) (?:your|the) (?:[\w-]+ ){0,2}(?:usage )?limit(?: for (?!the test\b)[a-z][\w' -]{0,40})?(?=[.!]|$| ?·)/i,
    code: /^usage_limit_reached$/i,
    source: 'codex 0.23 to 0.171; ASCII apostrophe before, U+2019 in 0.171',
  },
  {
    class: 'plan-limit',
    reason: 'usage limit',
    says: /^(?:the usage limit has been reached|or try again at\b|you're out of codex messages|your rate limit resets on|tu límite de uso se restablece\b.{0,80}|você atingiu o limite\b.{0,120}|seu limite de uso será redefinido\b.{0,60}|has alcanzado (?:el|tu) límite|approaching rate limits, switch)/i,
    source: 'codex app 26.4xx to 26.6xx, also localised; elided reports of the CLI',
  },
  {
    class: 'throttle',
    framedOnly: true,
    reason: 'rate limited',
    says: /^(?:rate limit (?:reached for|is exceeded|exceeded)|rate limit reached\b|too many requests\b)/i,
    source: 'OpenAI and Azure 429 bodies, codex 0.36 to 0.171',
  },
  {
    class: 'throttle',
    reason: 'rate limited (HTTP 429)',
    says: /^(?:exceeded retry limit, last status: 429|error while reading the server response: (?:http status )?client error \(429[^)]*\)(?: for url \S+)?|prefix: error while reading the server response: http status client error \(429)/i,
    source: 'codex-rs/protocol/src/error.rs, RetryLimit and ResponseStreamFailed',
  },
];

const trouble: readonly Phrase[] = [
  {
    class: 'connection',
    reason: 'Cloudflare does not let it through',
    says: /^access blocked by cloudflare\b.*/i,
    source: 'codex 2026: replaces a Cloudflare page, HTTP 403',
  },
  {
    class: 'connection',
    reason: 'the connection failed',
    says: /^(?:error sending request|connection failed\b|transport error|request timed out|timeout waiting for|idle timeout|stream (?:disconnected|closed) before (?!completion: (?:an error occurred|the server had an error|internal server error|incomplete response))|websocket|waiting for network|network error|error decoding response body|reconnecting\.\.\. waiting for network)/i,
    source: 'codex 0.36 to 0.171',
  },
  {
    class: 'server-error',
    reason: 'the API failed',
    says: /^(?:an error occurred while processing your request|internal server error|the server had an error)\b/i,
    source: 'codex 0.56 to 0.134: response.failed with server_error',
  },
];

export const codexOwn: readonly Phrase[] = [
  ...notices,
  ...access,
  ...elsewhere,
  ...busy,
  ...task,
  ...money,
  ...limits,
  ...trouble,
];

/** Codex CLI: `turn.failed` messages, `exec` text mode, rollout errors. */
export const codexPhrases: PhraseBook = book(startPhrases, codexOwn, limitPhrases, httpPhrases);
