import { normalise } from './normalise.ts';

/** A vendor's text taken apart: everything in it that may be matched. */
export interface Message {
  /** The text on one line, and what remains of it as the vendor's prefixes are taken off; then the same of each message in a body. */
  readonly wordings: readonly string[];
  /** How many of the wordings, from the first, are the line itself and not a message in a body. */
  readonly own: number;
  /** Enum values in a body: `type`, `code`, `reason`, `status`, quota names. */
  readonly codes: readonly string[];
  readonly status: number | undefined;
  /** The model that a body names. */
  readonly model: string | undefined;
}

/**
 * What vendors and their wrappers put before the words. Explicit, because a rule such as "anything up to a colon" would
 * also take off "The docs mention: ".
 */
const PREFIXES: readonly RegExp[] = [
  // Marks of TUIs (⎿ ■ ✕ ✗ ✘ × ⚠ ⚡ 🖐 ● · └) and elisions of those who report
  /^(?:[^\p{L}\p{N}"'[{(<>+=*#@\-/|`$~]|\.\.\.|\uFE0F)+/u,
  /^\[?api error(?: \(attempt \d+\))?:\s*/i,
  /^\[(?:backend|api) error\]\s*/i,
  /^(?:error|fatal|uncaught error|warning|server error|internal error|provider error|codex error|apierror):\s*/i,
  /^error running remote compact task:\s*/i,
  /^(?:claude|codex|gemini) run failed:\s*(?:subtype=\w+:\s*)?/i,
  /^(?:claude|codex|gemini) (?=you )/i,
  /^(?:\u26a0\s*)?stream error:\s*/i,
  /^stream disconnected before completion:\s*/i,
  /^request rejected \((?:\d{3})\) · /i,
  /^failed to authenticate[.:]\s*(?=api error)/i,
  /^(?:openai|google|cloud code assist) api (?:streaming )?error(?: \(\d{3}\))?:\s*/i,
  /^(?:model call|execution|turn)(?: failed| error):\s*/i,
  /^llm provider error:\s*/i,
  /^error from provider(?: \([^)]*\))?:\s*/i,
  /^generate data error:\s*/i,
  /^upstream request failed:\s*(?:\[\w+\]\s*)?/i,
  /^error when talking to gemini api(?:\.| full report available at: \S+)?\s*/i,
  /^_?(?:[A-Z][A-Za-z]*Error):\s*(?=\S)/,
  /^(?:RESOURCE_EXHAUSTED|UNAVAILABLE|UNAUTHENTICATED|PERMISSION_DENIED)(?: \(code \d{3}\))?:\s*/,
  // A status before the words: `400 {…}`, `HTTP 429: `, `unexpected status 503 Service Unavailable: `, `Error code: 429 - `
  /^(?:unexpected status|got status:?|https?(?: status(?: code)?)?:?|http error! status:|error code:|status(?: code)?:)?\s*[45]\d\d\b(?:[:.,]| -)?\s*(?=\S)/i,
  /^(?:too many requests|bad (?:gateway|request)|service unavailable|internal server error|gateway time-?out|unauthorized|forbidden|not found|payment required)[:.]\s*(?=\S)/i,
  /^event: [\w.]+ data:\s*/,
  /^you have no quota (?=\()/i,
  /^["'](?=\w)/,
];

/** A status in the words before any body; a body names its own in a field. */
const STATUS_IN_WORDS =
  /^[45]\d\d(?=\b)|\b(?:status(?: code)?:?|https?(?:\/\d(?:\.\d)?)?:?|last status:|client error|server error|error code:|api error:?|rejected|failed:|error! status:|streaming error:)\s*\(?([45]\d\d)\b|\((?:(?:http|code|status) )?([45]\d\d)\)|\b([45]\d\d) \{/i;
const STATUS_FIELD =
  /(["'])(?:status|statusCode|code|status_code|error_status|api_error_status)\1\s*:\s*([45]\d\d)\b/;

const MESSAGE_FIELD =
  /(["'])(?:message|error|detail|chatMessage|result)\1\s*:\s*(?:"((?:[^"\\]|\\.)*)(?:"|$)|'((?:[^'\\]|\\.)*)(?:'|$))/g;
const CODE_FIELD =
  /(["'])(?:type|code|reason|status|errorCode|error_code|errorType|error_category|quotaId|quota_limit|apiError|error|rate_limit_reached_type)\1\s*:\s*["']([A-Za-z][\w.-]*)["']/g;
const MODEL_FIELD = /["']model["']\s*:\s*["']([\w.:/-]+)["']/;

/** Bodies are encoded in bodies: gemini 0.5 to 0.8 nest three deep. */
const DEEPEST = 4;
const LONGEST = 20_000;

/** Takes a vendor's text apart. Linear in its first 20,000 characters; total. */
export function takeApart(text: string): Message {
  const wordings: string[] = [];
  const codes: string[] = [];
  let own = 0;
  let status: number | undefined;
  let model: string | undefined;
  const collect = (part: string, depth: number): void => {
    const line = normalise(part);
    status ??= statusIn(line);
    model ??= MODEL_FIELD.exec(line)?.[1];
    wordings.push(...withPrefixesTakenOff(line));
    if (depth === 0) own = wordings.length;
    if (/^[A-Z][A-Z0-9_]{5,}$/.test(line)) codes.push(line);
    for (const [, , code = ''] of line.matchAll(CODE_FIELD)) codes.push(code);
    if (depth === DEEPEST) return;
    for (const [, , double, single] of line.matchAll(MESSAGE_FIELD)) {
      collect(unescaped(double ?? single ?? ''), depth + 1);
    }
  };
  collect(text.slice(0, LONGEST), 0);
  return { wordings, own, codes, status, model };
}

function statusIn(line: string): number | undefined {
  const body = line.search(/[{[]\s*["'{]/);
  const words = STATUS_IN_WORDS.exec(body === -1 ? line : line.slice(0, body + 1));
  if (words !== null) return Number(words.slice(1).join('') || words[0]);
  const field = STATUS_FIELD.exec(line)?.[2];
  return field === undefined ? undefined : Number(field);
}

/** The line, and the line after each prefix. */
function withPrefixesTakenOff(line: string): readonly string[] {
  const found = [line];
  let rest = line;
  for (let round = 0; round < 8; round += 1) {
    const prefix = PREFIXES.find((pattern) => pattern.test(rest));
    if (prefix === undefined) break;
    const shorter = rest.replace(prefix, '');
    if (shorter === rest) break;
    rest = shorter;
    found.push(rest);
  }
  return found;
}

function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\\[nrt]/g, ' ')
    .replace(/\\(.)/g, '$1');
}
