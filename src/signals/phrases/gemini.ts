import { book } from './book.ts';
import type { Phrase, PhraseBook } from './book.ts';
import { httpPhrases, limitPhrases, startPhrases } from './shared.ts';

const notices: readonly Phrase[] = [
  {
    class: 'notice',
    reason: 'work goes on with another model',
    says: /^you have reached your daily (?:\S+ )?quota limit\b/i,
    source:
      'gemini 0.1.10 to 0.13 TUI: falls back to flash by itself, or asks; an API error follows where it cannot',
  },
  {
    class: 'notice',
    reason: 'a notice of the CLI',
    says: /^(?:automatically switching from|slow response times detected|we have switched you from|please submit a new query to continue|yolo mode is enabled|loaded cached credentials|ripgrep is not available|\[startup\]|true color)/i,
    source: 'gemini 0.1.10 to 0.61.0',
  },
];

const access: readonly Phrase[] = [
  {
    class: 'authentication',
    reason: 'not logged in',
    says: /^(?:code assist login required|please set an auth method\b.*|when using (?:gemini api|vertex ai), you must specify .*|invalid auth method selected|manual authorization is required|no auth(?:entication)? (?:method|type)|failed to (?:log ?in|sign ?in)|error (?:authenticating|during authentication)|opening authentication page in your browser|authentication (?:failed|timed out|cancelled))/i,
    source: 'gemini 0.1 to 0.61.0, exit 41',
  },
  {
    class: 'authentication',
    reason: 'no browser to log in with',
    says: /^(?:error: )?spawn (?:xdg-open|open|wslview) ENOENT/i,
    source: 'gemini in containers: looks like a missing program and is the login',
  },
  {
    class: 'authentication',
    reason: 'the API key is not valid',
    says: /^(?:api key (?:not valid|expired|not found|is (?:invalid|disabled))|(?:the )?(?:provided )?api key is invalid|request had invalid authentication credentials|request is missing required authentication|invalid_grant|permission denied on resource|the caller does not have permission|user location is not supported|this request failed\. please see \S*gemini-cli-auth-docs|verify your account to continue)/i,
    code: /^(?:API_KEY_INVALID|API_KEY_SERVICE_BLOCKED|ACCESS_TOKEN_EXPIRED|VALIDATION_REQUIRED|SERVICE_DISABLED|CONSUMER_SUSPENDED)$/,
    source: 'Google ErrorInfo reasons; gemini 0.61.0 captures (HTTP 400)',
  },
  {
    class: 'authentication',
    reason: 'the account may not use Gemini CLI',
    says: /^(?:this (?:account|client|service|project) (?:is not|is no longer|has been)|your (?:current )?account is not eligible|account not eligible|gemini code assist (?:for individuals )?is not available|this service has been disabled)/i,
    source: 'Code Assist onboarding and terms-of-service refusals, 2025 and 2026',
  },
];

const busy: readonly Phrase[] = [
  {
    class: 'disclaimer',
    reason: 'no capacity for the model',
    says: /^no capacity available for model (?<model>[\w.:-]*\w)/i,
    code: /^MODEL_CAPACITY_(?:EXHAUSTED|EXCEEDED)$/,
    scope: 'model',
    source: 'gemini 0.31 and later; the reason stands beside 429 RESOURCE_EXHAUSTED and beats it',
  },
  {
    class: 'overload',
    reason: 'the model is overloaded',
    says: /^(?:the model is overloaded|(?:the|this) (?:model|service) is (?:currently |temporarily )?(?:overloaded|unavailable|experiencing high demand)|we are currently experiencing high demand|resource exhausted[.,] please try again later|503 UNAVAILABLE)/i,
    scope: 'model',
    source: 'gemini 0.61.0 captures (503); Vertex error-code-429 page: shared capacity, not a quota',
  },
];

const task: readonly Phrase[] = [
  {
    class: 'task',
    reason: 'the conversation is not there any more',
    says: /^error resuming session: .*/i,
    lostConversation: true,
    source: 'gemini 0.61.0, exit 42: no sessions in this project, or none of that id (sessionUtils.ts)',
  },
  {
    class: 'task',
    reason: 'the context window is full',
    says: /^(?:the )?input (?:token count|context is too long)\b|^sending this message \(\d+ tokens\) might exceed/i,
    source: 'gemini 0.61.0 captures (HTTP 400)',
  },
  {
    class: 'task',
    reason: 'a limit of the run itself was reached',
    says: /^(?:reached max session turns|maximum session turns|a potential loop was detected|loop detected)/i,
    source: 'gemini exit 53',
  },
  {
    class: 'task',
    reason: 'the model cannot be used',
    says: /^(?:request contains an invalid argument|models\/\S+ is not found|model (?:'|")?\S+ (?:was )?not found|requested entity was not found|publisher model .* (?:was )?not found)/i,
    source: 'Google HTTP 404',
  },
  {
    class: 'task',
    reason: 'the folder is not trusted',
    says: /^(?:gemini cli is not running in a trusted directory|.{0,60}\buntrusted (?:workspace|folder|directory))/i,
    source: 'gemini 0.5x and later, exit 55',
  },
];

const money: readonly Phrase[] = [
  {
    class: 'credits',
    reason: 'the plan has no quota for the model',
    says: /^(?=.*\blimit: 0(?![\d.])).*(?:quota|retry)/i,
    scope: 'model',
    reset: 'none',
    source: 'gemini googleQuotaErrors.ts 0.61.0: "limit: 0" is terminal despite its retry hint',
  },
  {
    class: 'credits',
    reason: 'out of credits',
    says: /^insufficient (?:g1 )?credits?/i,
    code: /^INSUFFICIENT_G1_CREDITS_BALANCE$/,
    scope: 'model',
    source: 'gemini googleQuotaErrors.ts 0.61.0',
  },
  {
    class: 'credits',
    reason: 'the project has reached its spending cap',
    says: /^your project has exceeded its (?:monthly )?spending cap/i,
    untilCleared: true,
    source: 'reported of gemini 0.61',
  },
  {
    class: 'credits',
    reason: 'out of credits',
    says: /^your (?:prepayment )?credits? (?:are|is) (?:depleted|exhausted)/i,
    code: /^BILLING_DISABLED$/,
    source: 'gemini googleQuotaErrors.ts 0.61.0',
  },
];

const limits: readonly Phrase[] = [
  {
    class: 'plan-limit',
    reason: "the model's daily quota",
    says: /^(?:you have exhausted your daily quota on this model|quota exceeded for (?:quota )?metric.*\bper day\b)/i,
    code: /PerDay|Daily/,
    scope: 'model',
    reset: 'midnight-pacific',
    source:
      'gemini 0.1 to 0.61.0; ai.google.dev/gemini-api/docs/rate-limits: requests per day reset at midnight Pacific',
  },
  {
    class: 'plan-limit',
    reason: "the model's quota",
    says: /^(?:you have exhausted your (?:capacity|quota) on this model|your quota will reset (?:after|at|in)\b|quotaResetDelay\b)/i,
    code: /^QUOTA_EXHAUSTED$/,
    scope: 'model',
    source: 'gemini 0.5 to 0.62: "capacity" in the words, and quota is meant',
  },
  {
    class: 'plan-limit',
    reason: '$model limit',
    says: /^usage limit reached for (?:all )?(?<model>[\w.-]*\w)(?: models)?(?=[. ]|$)/i,
    scope: 'model',
    source: 'gemini 0.24 to 0.41: "Usage limit reached for … Access resets at 10:57 PM GMT-3."',
  },
  {
    class: 'plan-limit',
    reason: '$model quota',
    says: /^(?:model quota (?:limit )?(?:exceeded|reached)|quota limit (?:is )?reached|quota exceeded for (?<model>[\w.-]*\d[\w.-]*\w)(?=[. ]|$))/i,
    scope: 'model',
    source: 'gemini 0.41, agy 1.2',
  },
  {
    class: 'plan-limit',
    reason: 'individual quota',
    says: /^(?:individual|group|team) quota reached/i,
    source: 'agy 1.2.2 and Cloud Code Assist 429, 2026: "Individual quota reached. … Resets in 2h39m52s."',
  },
  {
    class: 'throttle',
    reason: "the model's quota per minute",
    says: /^(?:you exceeded your current quota|quota exceeded for (?:quota )?metric|please retry in \d|resource has been exhausted)/i,
    code: /PerMinute|PerSecond/,
    scope: 'model',
    source: 'Google 429 bodies; the same words stand for money elsewhere',
  },
];

const trouble: readonly Phrase[] = [
  {
    class: 'connection',
    reason: 'the API cannot be reached',
    says: /^(?:exception typeerror: fetch failed|.{0,40}\bfetch failed\b|request to \S+ failed)/i,
    source: 'gemini 0.61.0 captures',
  },
  {
    class: 'server-error',
    reason: 'the API failed',
    says: /^(?:an internal error has occurred|internal error encountered|an unknown error occurred)/i,
    source: 'Google HTTP 500 INTERNAL',
  },
];

export const geminiOwn: readonly Phrase[] = [
  ...notices,
  ...access,
  ...busy,
  ...task,
  ...money,
  ...limits,
  ...trouble,
];

/** Gemini CLI: `result` errors, its known stderr lines, bodies of the Google APIs. */
export const geminiPhrases: PhraseBook = book(startPhrases, geminiOwn, limitPhrases, httpPhrases);
