import type { Phrase } from './book.ts';

/** What shells, Node and the operating system say when a CLI cannot start at all. */
export const startPhrases: readonly Phrase[] = [
  {
    class: 'could-not-start',
    reason: 'the program was not found',
    // `spawn xdg-open ENOENT` is gemini looking for a browser to log in with.
    says: /^(?:failed to spawn [^:]*: )?(?:error: )?spawn (?!(?:xdg-open|open|wslview)\b)\S+ (?:ENOENT|EACCES|ENOEXEC|EPERM|ENOTDIR|UNKNOWN)\b/i,
    source: 'Node child_process errors; anthropics/claude-agent-sdk, openai/codex wrappers',
  },
  {
    class: 'could-not-start',
    reason: 'the program that runs it was not found',
    says: /^(?:\/\S*\/)?env: ['"]?[\w./-]+['"]?: (?:No such file or directory|Permission denied)/i,
    source: 'GNU env, exit 127, when the shim exists and node does not',
  },
  {
    class: 'could-not-start',
    reason: 'the program was not found',
    says: /^(?:(?:\/\S*\/)?(?:ba|z|da|k|fi)?sh: )?(?:line )?(?:\d+: )?(?:command not found: \S+$|\S+: (?:command )?not found$)/i,
    source: 'bash, zsh, dash',
  },
  {
    class: 'could-not-start',
    reason: 'the program cannot be run here',
    says: /^(?:(?:\/\S*\/)?(?:ba|z|da)?sh: )?(?:line )?(?:\d+: )?\/?\S+: (?:cannot execute|cannot execute binary file\b.*|Permission denied|No such file or directory|bad interpreter\b.*|Exec format error|error while loading shared libraries\b.*|(?:\/\S+: )?version `GLIBC\S*' not found\b.*)/i,
    source: 'bash 5, glibc',
  },
  {
    class: 'could-not-start',
    reason: 'the program was not found',
    says: /^'?[\w.-]+'? is not recognized as an internal or external command/i,
    source: 'Windows cmd',
  },
  {
    class: 'could-not-start',
    reason: 'its installation is incomplete',
    says: /^(?:error: )?(?:cannot find (?:module|package) '|missing optional dependency @|claude native binary not installed|unsupported platform: |failed to locate \S*codex)/i,
    source: 'Node module loader; @openai/codex bin/codex.js; @anthropic-ai/claude-code cli-wrapper',
  },
  {
    class: 'could-not-start',
    reason: 'it needs another Node.js version',
    says: /^.{0,60}\brequires Node(?:\.js)?(?: version)? (?:>=? ?)?v?\d/i,
    source: 'claude 2.x, gemini 0.x start-up checks',
  },
];

/** Where the vendor's words end; prose goes on. */
const STOP = '(?= ?$| ?[·|]| ?[.!\\]](?: |$)| [-–—] | resets? | \\(|, (?:please|or) )';
const SPAN =
  '(?:daily|weekly|monthly|hourly|session|5-hour|usage|quota|rate|request|token|message|plan|account|free|individual|model)';

/** Words for a limit that vendors have not used yet, but that only a refusal begins with. After every vendor's own. */
export const limitPhrases: readonly Phrase[] = [
  {
    class: 'credits',
    reason: 'the organisation has spent its budget',
    says: new RegExp(
      `^(?:your|the|this) (?:organi[sz]ation|org|workspace|team|project) (?:has )?(?:hit|reached|exceeded|run out of|used up|exhausted) (?:its|the|all) (?:\\w+ ){0,3}(?:spend(?:ing)? (?:limit|cap)|credits?|budget|usage limit)${STOP}|^(?:your|the) (?:organi[sz]ation|org|workspace|team|project) has run out of (?:\\w+ ){0,2}credits${STOP}`,
      'i',
    ),
    scope: 'workspace',
    framedOnly: true,
    source: 'the pattern of claude 2.1.x and codex 0.171 messages',
  },
  {
    class: 'credits',
    reason: 'out of credits',
    says: new RegExp(
      `^(?:your )?(?:\\w+ )?(?:credits?|balance) (?:is|are|has been|have been) (?:exhausted|depleted|used up|insufficient)${STOP}|^(?:insufficient|not enough) (?:credits?|funds|balance)${STOP}`,
      'i',
    ),
    framedOnly: true,
    source: 'the pattern of claude, Google and gateway messages',
  },
  {
    class: 'plan-limit',
    reason: 'usage limit',
    says: new RegExp(
      `^you(?:'ve| have)? (?:hit|reached|exceeded|exhausted|used up) (?:your|the|all of your) (?:${SPAN} ){0,3}(?:limit|quota|allowance|usage)s?(?: (?:on|for) (?:(?:this|the) (?:model|account|week|month|day|session|period)|[\\w. -]{1,40}?))?${STOP}`,
      'i',
    ),
    framedOnly: true,
    source: 'the pattern of claude, codex, gemini and copilot messages',
  },
  {
    class: 'plan-limit',
    reason: 'usage limit',
    says: new RegExp(
      `^(?:(?:your|the|this) )?(?:${SPAN} ){0,3}(?:limit|quota|allowance)s? (?:has been |was |is )?(?:reached|exceeded|exhausted|used up|hit)(?: for [\\w. -]{1,40}?)?${STOP}`,
      'i',
    ),
    framedOnly: true,
    source: 'the pattern of claude, codex, gemini and copilot messages',
  },
];

/** Statuses and codes that every HTTP API shares; they decide only where no words do. */
export const httpPhrases: readonly Phrase[] = [
  {
    class: 'authentication',
    reason: 'the login was refused (HTTP 401)',
    failing: {
      status: [401],
      code: /^(?:authentication_error|unauthenticated|unauthorized|invalid_api_key|token_expired)$/i,
    },
    source: 'RFC 9110; Anthropic, OpenAI and Google error types',
  },
  {
    class: 'authentication',
    reason: 'access was refused (HTTP 403)',
    failing: { status: [403], code: /^(?:permission_error|permission_denied|forbidden)$/i },
    source: 'RFC 9110; Anthropic and Google error types',
  },
  {
    class: 'overload',
    reason: 'the provider is overloaded',
    failing: { status: [529, 503, 502], code: /^(?:overloaded_error|overloaded|unavailable)$/i },
    source: 'Anthropic 529 overloaded_error; RFC 9110 503 and 502: passing by definition',
  },
  {
    class: 'task',
    reason: 'the request was refused as it is',
    failing: {
      status: [400, 404, 413, 422],
      code: /^(?:invalid_request_error|invalid_request|invalid_argument|not_found_error|not_found|model_not_found|max_output_tokens|failed_precondition|request_too_large)$/i,
    },
    source: 'Anthropic, OpenAI and Google error types',
  },
  {
    class: 'credits',
    reason: 'payment is required (HTTP 402)',
    failing: { status: [402], code: /^(?:billing_error|quota_exceeded|payment_required|out_of_credits)$/i },
    source: 'RFC 9110; copilot 0.0.367 quota_exceeded; claude assistant error enum',
  },
  {
    class: 'throttle',
    reason: 'rate limited (HTTP 429)',
    failing: {
      status: [429],
      code: /^(?:rate_limit|rate_limit_error|rate_limit_exceeded|rate_limited|rate_limit_reached_error|resource_exhausted|ratelimitexceeded|too_many_requests)$/i,
    },
    source: 'RFC 6585; Anthropic, OpenAI and Google error types',
  },
  {
    class: 'throttle',
    framedOnly: true,
    reason: 'rate limited',
    says: /^(?:(?:\w+\.)?\w+(?:Error|Exception): )*(?:\w+\.)?RateLimitError\b/i,
    source:
      'LiteLLM gateways: a 429 in an open stream arrives as a 503, MidStreamFallbackError around RateLimitError',
  },
  {
    class: 'connection',
    reason: 'the connection failed',
    says: /^(?:typeerror: )?(?:fetch failed|failed to fetch(?= ?$|[.:(])|network ?error|socket hang up|premature close|(?:request )?(?:terminated|aborted)(?= ?$|[.\]])|incomplete json segment|(?:ECONNRESET|ECONNREFUSED|ECONNABORTED|ETIMEDOUT|ENOTFOUND|ENETUNREACH|EHOSTUNREACH|EAI_AGAIN|EPIPE|UND_ERR_\w+)\b|connect (?:ECONNREFUSED|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|read ECONNRESET|connection (?:error|refused|reset|failed|closed|timed out)|request (?:timed out|timeout)|error sending request|unable to connect|dns error|tls handshake|certificate)\b/i,
    source: 'Node and undici, reqwest; all CLIs',
  },
  {
    class: 'connection',
    reason: 'something on the way answers in its place',
    says: /^(?:unexpected status )?403 forbidden: ?<(?:!doctype |html)/i,
    source: 'Cloudflare challenge pages before the codex backend, 2025 and 2026',
  },
  {
    class: 'server-error',
    reason: 'the provider failed',
    failing: {
      status: [500, 501, 504, 520, 521, 522, 524],
      code: /^(?:server_error|api_error|internal_server_error|internal)$/i,
    },
    source: 'Anthropic api_error, OpenAI server_error, Google INTERNAL; Cloudflare 52x',
  },
];
