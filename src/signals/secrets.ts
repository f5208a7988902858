/** What must never be kept or shown, and what stands in its place. Ordered: whole headers before the tokens in them. */
export const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, '[key]'],
  [/\b((?:set-)?cookie"?\s*[:=]\s*"?)[^"\r\n]+/gi, '$1[cookie]'],
  [/\b((?:proxy-)?authorization"?\s*[:=]\s*"?)(?:(?:bearer|basic|token)\s+)?[^\s",;]+/gi, '$1[token]'],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, '$1 [token]'],
  // user:password@ in a URL, before addresses are looked for
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1[login]@'],
  [/\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){0,2}/g, '[token]'],
  // Keys by their vendors' own prefixes: Anthropic, OpenAI, OpenRouter, Google, GitHub, AWS, Slack, xAI, Groq, Hugging Face
  // What they follow may be a name that ends in an underscore, which is no boundary of a word.
  [/(?<![A-Za-z0-9])(?:sk|rk|pk)-[A-Za-z0-9_*.-]{6,}/g, '[key]'],
  [/(?<![A-Za-z0-9])(?:AIza[A-Za-z0-9_-]{10,}|ya29\.[A-Za-z0-9_-]+|1\/\/[A-Za-z0-9_-]{20,})/g, '[key]'],
  [
    /(?<![A-Za-z0-9])(?:gh[pousr]_|github_pat_|glpat-|xox[a-z]-|xai-|gsk_|hf_|npm_)[A-Za-z0-9_-]{8,}/g,
    '[key]',
  ],
  [/(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{12,}/g, '[key]'],
  [
    /(?<![A-Za-z0-9])((?:[A-Za-z0-9]+[_-])*(?:api[_-]?key|x-api-key|x-goog-api-key|secret[_-]?access[_-]?key|session[_-]?key|private[_-]?key|(?:access|refresh|id|auth|session)[_-]?token|client[_-]?secret|secret|password|passwd)["']?\s*[:=]\s*["']?)[^\s"',;&}]+/gi,
    '$1[secret]',
  ],
  [/([?&](?:key|token|code|sig|signature|access_token)=)[^&\s"']+/gi, '$1[secret]'],
];

/** What all that `SECRETS` knows has in it: a text without any of these is looked at once and not once for each. */
const HINT =
  /-----BEGIN|cookie|authorization|bearer|basic|:\/\/|eyJ|[rsp]k-|AIza|ya29|1\/\/|gh[pousr]_|github_pat_|glpat-|xox|xai-|gsk_|hf_|npm_|A[KS]IA|key|token|secret|passw|[?&]/i;

/** A text without the keys, tokens, passwords and cookies in it that can be known by their form. Paths, addresses and ids stay. */
export function withoutKeys(text: string): string {
  if (!HINT.test(text)) return text;
  return SECRETS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

const SECRET_NAME =
  /(?:key|token|secret|password|passwd|passphrase)s?(?:_\d+)?$|(?:^|_)(?:secret|password|token)_/i;

/** Whether a variable of that name holds a secret, as far as its name says: `OPENAI_API_KEY`, `PGPASSWORD`. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Shorter values stand in too many texts by chance. */
const SHORTEST = 8;
/** Of a value that was cut off at the end of a text so much gives it away. */
const SHORTEST_BEGINNING = 4;

/**
 * Removes from texts the secrets of an environment too: the values of variables whose names say that they are, whole or
 * cut off at the end of the text, as they are or as JSON writes them. A value that is a path is none.
 */
export function secretRemover(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const values = new Set<string>();
  for (const [name, value = ''] of Object.entries(env)) {
    if (!isSecretName(name) || value.trim().length < SHORTEST || /^(?:~|\.{1,2})?\//.test(value)) continue;
    for (const form of [
      value.trim(),
      JSON.stringify(value.trim()).slice(1, -1),
      value.trim().replace(/\s+/g, ' '),
    ])
      values.add(form);
  }
  const longestFirst = [...values].sort((one, other) => other.length - one.length);
  return (text) => {
    const whole = longestFirst.reduce((rest, value) => rest.replaceAll(value, '[secret]'), text);
    return withoutKeys(withoutBeginning(whole, longestFirst));
  };
}

/** A text that was cut ends in `…`, and may have been cut within a value. */
function withoutBeginning(text: string, values: readonly string[]): string {
  if (!text.endsWith('…')) return text;
  const kept = text.slice(0, -1);
  for (const value of values) {
    for (let length = value.length - 1; length >= SHORTEST_BEGINNING; length -= 1) {
      if (kept.endsWith(value.slice(0, length))) return `${kept.slice(0, -length)}[secret]…`;
    }
  }
  return text;
}
