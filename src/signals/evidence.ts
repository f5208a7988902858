import { withoutEscapes } from './normalise.ts';

/** What is kept of a vendor's line, at most. */
const EVIDENCE_LENGTH = 500;

/** More is never looked at: a line may be 16 MiB, and what a vendor says about itself stands at its beginning. */
const LOOKED_AT = 8_000;

/** What must never be kept or shown, and what stands in its place. Ordered: whole headers before the tokens in them. */
const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[key]'],
  [/\b((?:set-)?cookie"?\s*[:=]\s*"?)[^"\r\n]+/gi, '$1[cookie]'],
  [/\b((?:proxy-)?authorization"?\s*[:=]\s*"?)(?:(?:bearer|basic|token)\s+)?[^\s",;]+/gi, '$1[token]'],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [token]'],
  // user:password@ in a URL, before addresses are looked for
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1[login]@'],
  [/\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,2}/g, '[token]'],
  // Keys by their vendors' own prefixes: Anthropic, OpenAI, OpenRouter, Google, GitHub, AWS, Slack, xAI, Groq, Hugging Face
  [/\b(?:sk|rk|pk)-[A-Za-z0-9_*.-]{6,}/g, '[key]'],
  [/\bAIza[A-Za-z0-9_-]{10,}|\bya29\.[A-Za-z0-9_-]+|\b1\/\/[A-Za-z0-9_-]{20,}/g, '[key]'],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xai-|gsk_|hf_|npm_)[A-Za-z0-9_-]{8,}/g, '[key]'],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, '[key]'],
  [
    /(?<![A-Za-z0-9])((?:[A-Za-z0-9]+[_-])*(?:api[_-]?key|x-api-key|x-goog-api-key|secret[_-]?access[_-]?key|session[_-]?key|private[_-]?key|(?:access|refresh|id|auth|session)[_-]?token|client[_-]?secret|secret|password|passwd)["']?\s*[:=]\s*["']?)[^\s"',;&}]+/gi,
    '$1[secret]',
  ],
  [/([?&](?:key|token|code|sig|signature|access_token)=)[^&\s"']+/gi, '$1[secret]'],
  [/[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})+/g, '[email]'],
  [
    /\b(?:req|org|proj|user|acct|cus|wrkspc|workspace|sess|resp|msg)[_-][A-Za-z0-9]{6,}[A-Za-z0-9-]*/g,
    '[id]',
  ],
  [/\b(request[ _-]?id["']?\s*[:=]?\s*["']?)[A-Za-z0-9][A-Za-z0-9:_-]{7,}/gi, '$1[id]'],
  [/\b(cf-ray["']?\s*[:=]\s*["']?)[A-Za-z0-9-]{8,}/gi, '$1[id]'],
  [
    /\b((?:organi[sz]ation|account|workspace|project|session|user|team)(?:[ _-]?(?:id|uuid|number))?["']?\s*[:=]\s*["']?)(?=[A-Za-z0-9-]*\d)[A-Za-z0-9-]{8,}/gi,
    '$1[id]',
  ],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '[id]'],
  [/\b[A-Fa-f0-9]{32,}\b/g, '[id]'],
];

/** Characters that move the cursor, hide text or turn its direction: nothing of a vendor's line may reach a terminal with them. */
const HARMFUL =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * The vendor's own line, fit to be kept and shown: keys, tokens, cookies, e-mail addresses, organisation and request
 * ids removed; control and escape characters made harmless; one line; 500 characters at most.
 */
export function evidence(line: string): string {
  // Harmless first: an invisible character inside a key must not keep it from being recognised.
  let text = withoutEscapes(line.slice(0, LOOKED_AT)).replace(/\s+/g, ' ').replace(HARMFUL, '').trim();
  for (const [pattern, replacement] of SECRETS) text = text.replace(pattern, replacement);
  if (text.length <= EVIDENCE_LENGTH) return text;
  // Cut between characters: half a surrogate pair is no character.
  return text.slice(0, EVIDENCE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '') + '…';
}
