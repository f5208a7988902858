import { book } from './book.ts';
import type { Phrase, PhraseBook } from './book.ts';
import { httpPhrases, limitPhrases, startPhrases } from './shared.ts';

/** Where the vendor's limit sentence may stop: its end, a bullet, a full stop, a dash, its own hints. Prose goes on otherwise. */
const STOP = '(?= ?$| ?[·|∙]| ?[.!](?: |$)| [-–—] | resets? | /[a-z]| \\(|, (?:now using|please try))';
/** Limits of one model family, which leave the others open (claude 2.1.x; "fast" is Opus in fast mode, 2.1.233). */
const FAMILY = '(?:claude )?(?<model>opus|sonnet|haiku|fable|mythos|fast)(?: [\\d.]+)?';
const rx = (...parts: string[]) => new RegExp(`^${parts.join('')}`, 'i');

const notices: readonly Phrase[] = [
  {
    class: 'notice',
    reason: 'a warning: work goes on',
    says: /^(?:you've used\b|you're close to\b|you are close to\b|approaching (?:your |the )?(?:[\w-]+ ){0,4}limit|you're approaching )/i,
    source:
      '@anthropic-ai/claude-agent-sdk 0.3.332: warning prefixes "never arrive as API errors"; claude 2.1.x footer',
  },
  {
    class: 'notice',
    reason: 'work goes on in paid usage',
    says: /^(?:you're )?now using (?:usage credits|extra usage|your usage allocation|\w)/i,
    source: '@anthropic-ai/claude-agent-sdk 0.3.332: overage transitions',
  },
  {
    class: 'notice',
    reason: 'work goes on with another model',
    says: /^(?:claude )?(?:[\w.-]+ ){0,3}limit reached, now using /i,
    source: 'claude 1.0.x: "Claude Opus 4 limit reached, now using Sonnet 4"',
  },
  {
    class: 'notice',
    reason: 'a notice of the CLI',
    says: /^(?:(?:warning: )?no stdin data received|claude\.ai connectors are disabled|fast mode (?:is )?(?:now )?(?:disabled|unavailable|cooling))/i,
    source: 'claude 2.1.x print mode',
  },
];

const access: readonly Phrase[] = [
  {
    class: 'could-not-start',
    reason: 'it refuses to run here',
    says: /^(?:--dangerously-skip-permissions cannot be used with root|claude code on windows requires git-bash|claude code is not supported|your operating system is not supported|it looks like your version of claude code|your version of claude code .* needs an update)/i,
    source: 'claude 2.1.x, exit 1 before any event',
  },
  {
    class: 'could-not-start',
    reason: 'the version is too old for the organisation',
    says: /^claude code \S* ?is older than the minimum version required\b.*/i,
    source: 'code.claude.com errors page, autumn 2026',
  },
  {
    class: 'authentication',
    reason: 'not logged in',
    says: /^(?:not logged in\b|not signed in\b.*|please run \/login|(?:\w+ ){0,3}login expired\b|invalid (?:api key|auth token|bearer token|x-api-key|anthropic_custom_headers|request header from the environment)\b|no api key\b|authentication required\b|could not resolve authentication method\b.*|your apikeyhelper script is failing\b.*|apikeyhelper failed\b.*|claude login not accepted\b|administrator policy requires a cloud gateway sign-in\b.*|signed out of claude\b)/i,
    source: 'claude 1.0.77 to 2.1.332; code.claude.com errors page, autumn 2026',
  },
  {
    class: 'authentication',
    reason: 'the login has expired or was revoked',
    says: /^(?:oauth (?:token|session|authentication)\b.*\b(?:expired|revoked|not (?:supported|allowed)|invalid|failed|unavailable)\b|(?:aws|google cloud|anthropic profile|cloud gateway) (?:credentials?|session|login)(?: has| have)? expired\b.*|(?:aws|google cloud|microsoft foundry) authentication failed\b.*|could not load (?:the default|aws|google cloud) credentials\b.*|cloud gateway \S+ no longer accepts this session|.{0,60}\bdoes not meet scope requirement\b.*|failed to authenticate\b(?:: oauth [\w ]{0,80})?|authentication (?:failed|error)(?:: [\w ]{0,60}(?= ?$))?|invalid authentication credentials|your (?:login|session|oauth token) (?:has |was |is )?(?:expired|revoked))/i,
    source: 'claude 1.0.86 to 2.1.332',
  },
  {
    class: 'authentication',
    reason: 'the organisation does not allow this login',
    says: /^(?:your organi[sz]ation (?:has (?:disabled|been disabled)|does not allow|is disabled)[\w ]{0,80}|this organi[sz]ation has been disabled|oauth authentication is currently not allowed for this organi[sz]ation)/i,
    scope: 'workspace',
    source: 'claude 2.1.x, HTTP 403, SDK enum oauth_org_not_allowed: no new login mends it',
  },
  {
    class: 'authentication',
    reason: 'the account may not use Claude Code',
    says: /^(?:your anthropic_api_key belongs to a disabled organi[sz]ation\b|gateway refused the request\b.*|your (?:account|organi[sz]ation) (?:does not have access|doesn't have access|has disabled|has been disabled|is (?:on hold|disabled|suspended)\b.{0,160}|has been (?:suspended|banned))|(?:claude )?account (?:is )?on hold|verification required|verify your (?:account|identity))/i,
    source:
      'claude 2.1.197 capture (403); SDK enum oauth_org_not_allowed, account_on_hold, verification_required',
  },
  {
    class: 'authentication',
    reason: 'the login was refused',
    failing: {
      code: /^(?:authentication_failed|oauth_org_not_allowed|account_on_hold|verification_required|cloud_credential_error)$/i,
    },
    source: '@anthropic-ai/claude-agent-sdk 0.3.332 SDKAssistantMessageError',
  },
];

const busy: readonly Phrase[] = [
  {
    class: 'disclaimer',
    reason: 'the server limits requests for a moment',
    says: /^(?:server is temporarily limiting requests|.{0,120}\(not your usage limit\))/i,
    source: 'claude 2.1.108 and later: throttles are worded apart from limits',
  },
  {
    class: 'overload',
    reason: 'the API is overloaded',
    framedOnly: true,
    says: /^(?:overloaded\b|repeated 529\b|529\b|the api is at capacity|the service may be temporarily overloaded|spend limit unavailable\b)/i,
    source: 'claude 1.0.x to 2.1.332',
  },
  {
    class: 'overload',
    reason: 'the model is under high load',
    says: /^(?:claude )?(?<model>opus|sonnet|haiku|fable)(?: [\d.]+)? is (?:currently )?(?:experiencing high load|overloaded|at capacity)/i,
    scope: 'model',
    source: 'code.claude.com errors page, autumn 2026',
  },
];

const task: readonly Phrase[] = [
  {
    class: 'task',
    reason: 'the conversation is not there any more',
    says: /^(?:no conversation found (?:with session id: \S+|to continue)|--resume requires a valid session id\b.*)/i,
    lostConversation: true,
    source:
      'claude 2.1.197, exit 1: on stderr, and in the `errors` of a result; also of an empty or damaged transcript',
  },
  {
    class: 'task',
    reason: 'the prompt or the conversation is too long',
    says: /^(?:prompt is too long|input is too long|input length and .?max_tokens|context (?:limit|window)|conversation (?:is )?too long|request (?:body )?too large|max_tokens\b|claude's response exceeded|response exceeded|automatic compaction failed|(?:image|pdf) (?:was|is)? ?too large|image exceeds|pdf is password protected|unable to resize image|could not process image)/i,
    source: 'claude 1.0.x to 2.1.332',
  },
  {
    class: 'task',
    reason: 'the turn limit of the run was reached',
    says: /^(?:reached max(?:imum)? (?:number of )?turns|max(?:imum)? turns reached)/i,
    source: 'claude --max-turns',
  },
  {
    class: 'task',
    reason: 'the budget of the run was reached',
    says: /^(?:reached max(?:imum)? budget|exceeded usd budget|max(?:imum)? budget (?:reached|exceeded))/i,
    source: 'claude --max-budget-usd, 2.1.x',
  },
  {
    class: 'task',
    reason: 'the model cannot be used',
    says: /^(?:there's an issue with the selected model|model: \S|(?:the )?model '?\S+'? (?:was )?(?:not found|does not exist|is (?:not (?:available|supported|a recognized)|restricted by))|invalid model\b|claude opus is not available with the claude pro plan|claude code \S+ does not support this model|couldn't confirm model\b|.{0,40} is not supported for this model)/i,
    source: 'claude 2.1.197 and 2.1.259 (404)',
  },
  {
    class: 'task',
    reason: 'the provider refuses this request',
    says: /^(?:claude code is unable to respond to this request|.{0,80}\bviolates? our usage policy|output blocked by content filtering policy|\S+(?: [\d.]+)?(?:'s safeguards flagged| has safety measures that flagged| can't help with this))/i,
    source: 'claude 1.0.x to 2.1.332',
  },
  {
    class: 'task',
    reason: 'the call is not what Claude Code wants',
    says: /^(?:input (?:must be provided|contained only)|unknown (?:option|command)|extra inputs are not permitted|due to tool use concurrency issues|(?:orphaned|duplicate) tool_|messages\.\d+|tools\.\d+|invalid (?:data|encrypted_)|upstream rejected the request|cannot use both)/i,
    source: 'claude 2.1.197',
  },
];

const money: readonly Phrase[] = [
  {
    class: 'credits',
    reason: 'the credit balance is too low',
    says: /^(?:your )?credit balance (?:is )?too low/i,
    source: 'claude 0.2.32 to 2.1.197 (HTTP 400)',
  },
  {
    class: 'credits',
    reason: '$model needs usage credits, and they are spent',
    says: rx(
      "you(?:'re| are) out of (?:usage credits|extra usage)\\b.{0,20} /usage-credits to keep using ",
      FAMILY,
    ),
    scope: 'model',
    source: 'claude 2.1.2xx, July 2026: the weekly window of one model, the others still run',
  },
  {
    class: 'credits',
    reason: 'out of usage credits',
    says: /^you(?:'re| are|'ve run| have run) out of (?:usage credits|extra usage|usage|credits)\b/i,
    source: 'claude 2.1.23 to 2.1.123 "extra usage"; 2.1.144 and later "usage credits"; SDK 0.3.332 prefixes',
  },
  {
    class: 'credits',
    reason: 'the organisation is out of usage',
    says: /^your org(?:ani[sz]ation)? is out of usage\b/i,
    scope: 'workspace',
    source: '@anthropic-ai/claude-agent-sdk 0.3.332 USAGE_LIMIT_ERROR_PREFIXES',
  },
  {
    class: 'credits',
    reason: 'the seat includes no usage',
    says: /^your (?:seat type doesn't include (?:usage credits|usage|extra usage)|usage allocation has been disabled(?: by your admin)?)/i,
    untilCleared: true,
    source: '@anthropic-ai/claude-agent-sdk 0.3.332 USAGE_LIMIT_ERROR_PREFIXES',
  },
  {
    class: 'credits',
    reason: "the group's usage limit is zero",
    says: /^your group's usage limit is set to \$0/i,
    scope: 'workspace',
    untilCleared: true,
    source: '@anthropic-ai/claude-agent-sdk 0.3.332; result text in the field',
  },
  {
    class: 'credits',
    reason: 'the model requires usage credits',
    says: rx('(?:claude )?', FAMILY, ' (?:requires|now uses) usage credits'),
    code: /^(?:model_requires_usage_credits|credits_required)$/i,
    scope: 'model',
    source: 'claude 2.1.2xx, SDK 0.3.332: "Fable 5 requires usage credits"',
  },
  {
    class: 'credits',
    reason: 'the long context requires usage credits',
    says: /^(?:usage credits required for 1m context|extra usage is required for long context)/i,
    scope: 'model',
    source: 'code.claude.com errors page, autumn 2026: what the plan includes, not what is left of it',
  },
  {
    class: 'credits',
    reason: 'the spend cap of the gateway was reached',
    says: /^spend limit reached\b/i,
    untilCleared: true,
    source: 'Claude apps gateway, 2.1.225: "(daily; resets 2026-08-09 00:00 UTC)"; before it without a reset',
  },
  {
    class: 'credits',
    reason: 'the spend limit of the organisation was reached',
    says: rx(
      "you(?:'ve| have)? (?:hit|reached) your (?:org(?:ani[sz]ation)?'?s?|team'?s?(?: shared)?|group'?s?|workspace'?s?)(?: \\w+){0,3} (?:limit|budget)",
      STOP,
    ),
    scope: 'workspace',
    untilCleared: true,
    source: 'claude 2.1.119 and later; wording narrowed in 2.1.221',
  },
  {
    class: 'credits',
    reason: 'the spend limit was reached',
    says: rx(
      "you(?:'ve| have)? (?:hit|reached) (?:your|the) (?:[\\w'-]+ ){0,4}(?:spend(?:ing)? (?:limit|cap)|budget)|you(?:'ve| have)? (?:hit|reached) your individual usage limit|monthly spend limit reached",
      STOP,
    ),
    untilCleared: true,
    source: 'claude 2.1.177 and later; 2.1.239 also names the window that resets first',
  },
  {
    class: 'credits',
    reason: 'the API usage limit of the workspace was reached',
    says: /^you have reached your specified (?:workspace )?api usage limits?/i,
    scope: 'workspace',
    source: 'claude 0.2.107, message of the HTTP 400 body',
  },
  {
    class: 'credits',
    reason: 'the budget of the gateway is spent',
    says: /^(?:budget has been exceeded|exceededbudget|.{0,40}\bover budget\b)/i,
    scope: 'workspace',
    untilCleared: true,
    source: 'LiteLLM behind claude: HTTP 429, yet money',
  },
];

const limits: readonly Phrase[] = [
  {
    class: 'plan-limit',
    reason: '$model limit',
    says: rx("you(?:'ve| have)? (?:hit|reached) your (?:weekly |monthly |usage )*limit for ", FAMILY, STOP),
    scope: 'model',
    source: 'the pattern of claude 2.1.x messages',
  },
  {
    class: 'plan-limit',
    reason: '$model limit',
    says: rx(
      "you(?:'ve| have)? (?:hit|reached) your (?:weekly |monthly )?",
      FAMILY,
      '(?: weekly| usage)? limit',
      STOP,
    ),
    scope: 'model',
    source: 'claude 2.1.x; code.claude.com errors page',
  },
  {
    class: 'plan-limit',
    reason: '$model limit',
    says: rx('(?:claude )?(?:weekly )?', FAMILY, '(?: weekly| usage)? limit reached', STOP),
    scope: 'model',
    source: 'claude 1.0.x to 2.0.49 footer: "Opus weekly limit reached ∙ resets …"',
  },
  {
    class: 'plan-limit',
    reason: 'weekly limit',
    says: rx(
      "(?:you(?:'ve| have)? (?:hit|reached) your (?:[\\w-]+ )?weekly (?:usage )?limit|weekly (?:usage )?limit reached)",
      STOP,
    ),
    source: 'claude 2.0.x footer; 2.1.156 and later',
  },
  {
    class: 'plan-limit',
    reason: 'five-hour limit',
    says: rx(
      "(?:you(?:'ve| have)? (?:hit|reached) your (?:session|(?:5|five)-hour) (?:usage )?limit|(?:session|(?:5|five)-hour) (?:usage )?limit reached)",
      STOP,
    ),
    source: 'claude 1.0.89 and later; 2.1.332 says "5-hour" where 2.1.197 says "session"',
  },
  {
    class: 'plan-limit',
    reason: 'usage limit',
    says: rx(
      "you(?:'ve| have)? (?:hit|reached) your (?:(?:usage|plan|monthly|daily|account|message|free) ){0,2}limits?(?: for claude messages)?",
      STOP,
    ),
    source: 'claude 2.1.x: "You\'ve hit your limit"; the window is not named',
  },
  {
    class: 'plan-limit',
    reason: 'usage limit',
    says: rx('(?:claude (?:ai|max|pro|team|enterprise|code)?(?: ai)? ?)?(?:usage )?limit reached', STOP),
    source:
      'claude up to 2.0.69: "Claude AI usage limit reached|<epoch>", "Claude usage limit reached. Your limit will reset at …", "Limit reached · resets …"',
  },
  {
    class: 'plan-limit',
    reason: "the account's rate limit",
    says: /^this request would exceed your account'?s? rate limit/i,
    source: 'Anthropic 429 rate_limit_error body; claude 2.1.197 captures',
  },
  {
    class: 'throttle',
    reason: "the organisation's rate limit",
    says: /^(?:this request would exceed (?:your|the) (?:organi[sz]ation|workspace)(?:'s)? (?:rate limit|maximum)|number of request tokens has exceeded your)/i,
    scope: 'workspace',
    source: 'Anthropic 429 rate_limit_error body of API keys',
  },
  {
    class: 'throttle',
    framedOnly: true,
    reason: 'rate limited',
    says: /^(?:rate limited\.|rate limit(?:ed)? reached$|rate limit exceeded\b|upstream rate limit exceeded|(?:upstream )?provider (?:rate limit|\w+ returned http 429)|too many requests)/i,
    source: 'claude 2.1.105 and later: "Request rejected (429) · …" of gateways',
  },
];

const trouble: readonly Phrase[] = [
  {
    class: 'connection',
    reason: 'the API cannot be reached',
    says: /^(?:unable to connect to (?:the )?(?:api|anthropic\w*)(?: services)?(?: due to [\w ]{0,40})?|can't reach the api server\b|no internet route\b|couldn't connect through your proxy\b|proxy refused the connection\b|socket is closed\b|ssl certificate (?:verification failed|error)\b|(?:connection (?:lost|closed|dropped)|your computer went to sleep)\b.{0,80}|connection (?:refused|error|timed out|closed|reset|failed)|failed to connect|could not connect|cannot connect|check your internet connection|the socket connection was closed|self[- ]signed certificate|unable to (?:verify|get) (?:the first|local issuer) certificate)/i,
    source: 'claude 2.1.39, 2.1.197, 2.1.259',
  },
  {
    class: 'server-error',
    reason: 'the API failed',
    says: /^(?:internal server error|no response from api|server error mid-response\b.{0,80}|(?:the )?response stal\w+\b.{0,80}|the response stopped arriving\b.{0,80}|part of the response never arrived\b.{0,80}|the response stream was malformed\b.{0,80}|content block (?:not found|already closed)|stream event unreadable|streaming response ended before\b.{0,80}|all upstreams failed\b.{0,80}|could not refresh your login because another\b.{0,120}|api returned an empty or malformed response|the api (?:returned|sent) an (?:empty|invalid)|server error\b)/i,
    source: 'claude 2.1.197 capture overloaded-mid-stream; HTTP 500 api_error',
  },
];

export const claudeOwn: readonly Phrase[] = [
  ...notices,
  ...access,
  ...busy,
  ...task,
  ...money,
  ...limits,
  ...trouble,
];

/** Claude Code: `result` texts, synthetic assistant lines, stderr, and the plain lines of old versions. */
export const claudePhrases: PhraseBook = book(startPhrases, claudeOwn, limitPhrases, httpPhrases);
