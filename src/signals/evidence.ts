import { withoutEscapes } from './normalise.ts';
import { SECRETS } from './secrets.ts';

/** What is kept of a vendor's line, at most. */
const EVIDENCE_LENGTH = 500;

/** More is never looked at: a line may be 16 MiB, and what a vendor says about itself stands at its beginning. */
const LOOKED_AT = 8_000;

/** What says who somebody is, and is no part of what the vendor said: addresses, organisations, requests. */
const PERSONAL: readonly (readonly [pattern: RegExp, replacement: string])[] = [
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

/**
 * Text without keys, tokens, cookies, logins, e-mail addresses and ids; `[key]` and the like stand in their places.
 * `tell` is told of each, by the word that stands there now and what stood there before.
 */
export function withoutSecrets(text: string, tell?: (word: string, found: string) => void): string {
  let left = text;
  for (const [pattern, replacement] of [...SECRETS, ...PERSONAL]) {
    left = left.replace(pattern, (found: string, kept: unknown) => {
      const put = replacement.replace('$1', typeof kept === 'string' ? kept : '');
      const word = /\[(\w+)\]/.exec(replacement)?.[1] ?? 'secret';
      if (found !== put) tell?.(word, typeof kept === 'string' ? found.slice(kept.length) : found);
      return put;
    });
  }
  return left;
}

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
  text = withoutSecrets(text);
  if (text.length <= EVIDENCE_LENGTH) return text;
  // Cut between characters: half a surrogate pair is no character.
  return text.slice(0, EVIDENCE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '') + '…';
}
