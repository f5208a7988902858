import type { EpochMs, EpochSeconds } from '../core/time.ts';
import { after, DAY, durationMs, epochMs, fromSeconds, SECOND } from '../core/time.ts';
import { readDuration } from './durations.ts';
import { momentAtStart } from './moments.ts';
import type { Printed } from './moments.ts';
import { normalise } from './normalise.ts';
import { GRACE, MIDNIGHT, nextTimeOfDay } from './wall-clock.ts';

/** How far ahead a reset is believed: a weekly window and a day. */
export const CEILING = durationMs(8 * DAY);

/** A reset as it may be acted on. `past` and nonsense give way to the kind's own default length. */
export type Belief =
  { readonly type: 'believed' | 'clamped'; readonly resetAt: EpochMs } | { readonly type: 'past' };

/** A reset up to two minutes old is believed: it means now, and two machines' clocks differ. */
export function believe(resetAt: EpochMs, now: EpochMs): Belief {
  if (!Number.isFinite(resetAt) || resetAt < now - GRACE) return { type: 'past' };
  const ceiling = after(now, CEILING);
  return resetAt > ceiling ? { type: 'clamped', resetAt: ceiling } : { type: 'believed', resetAt };
}

/** Fields in JSON, in Node's dumps of it and in headers. They name the instant itself, so they win over any sentence. */
const INSTANT_FIELDS =
  /(?:resets?[_-]?at|reset[_-]?time(?:stamp)?|quotaResetTimeStamp|anthropic-ratelimit-[a-z0-9_-]*reset|x-codex-[a-z-]*reset-at)\\*["']?\s*[:= ]\s*\\*["']?(?=\d)/gi;

/** Fields that count from when they were printed. */
const DELAY_FIELDS =
  /(?:retryDelay|quotaResetDelay|resets?_in_seconds|reset_after_seconds|retry[_-]after(?:_seconds)?|retryDelayMs|retry-after-ms|retry_delay_ms)\\*["']?\s*[:= ]\s*\\*["']?(?=\d)/gi;

/**
 * What stands before a moment in a sentence. `reset`, `try again`, `retry`, `regain access`, `refreshes`, the
 * billing cycle's end, and their translations in the codex app. A date after any other word is no reset (qwen 0.14:
 * "will be discontinued on 2026-04-15").
 */
const LEADS = [
  '\\b(?:limits?|quota|access|usage)?\\s*(?:(?:will|to)\\s+)?(?:be\\s+)?(?:resets?|refresh(?:es)?|renews?|replenish(?:es)?|available again|reopens?)\\b[:,]?\\s*(?:on|at|in|after|by)?',
  '\\b(?:try|trying) again\\s+(?:at|in|after|on)',
  '\\bretry(?:ing)?\\s+(?:again\\s+)?(?:at|in|after)',
  '\\bretry-after:',
  '\\bback\\s+(?:at|in|on)',
  '\\b(?:regain|restored?)\\s+(?:access\\s+)?(?:on|at|in)',
  '\\bcycle\\s+(?:ends|resets)\\s+(?:on|at|in)',
  '\\bse\\s+restablece(?:rá)?\\s+(?:el|a las|en)',
  '\\bredefinido\\s+(?:em|às)',
  'limit reached[^|]{0,40}\\|',
  '(?:재설정|초기화)[^0-9]{0,12}|重置[^0-9]{0,12}|بعد',
].map(asLead);

/** Words that also stand before other moments ("double limits until Dec 31"): asked only when none of the others reads. */
const WEAK_LEADS = ['\\bwait(?:ing)?\\s+(?:until|for|about)?', '\\buntil'].map(asLead);

function asLead(lead: string): RegExp {
  return new RegExp(`(?:${lead})\\s*[:·]?\\s*(?:~|about )?(?=[\\dA-Za-z~])`, 'gi');
}

/**
 * When the text says that room is back, in every form of `moments.ts`; far moments as they stand (see `believe`).
 * `undefined` when it names nothing that can be read, or only what is over. Never throws.
 */
export function readReset(text: string, at: EpochMs, zone: string): EpochMs | undefined {
  if (!Number.isFinite(at) || Math.abs(at) > 8e15) return undefined;
  const printed: Printed = { at, zone };
  // The longest message in the corpus has 1,100 characters; a body far longer names its reset at its beginning or in a field.
  const line = normalise(text.slice(0, 20_000)).replace(WEEKDAY_BEFORE_DATE, '');
  return (
    first(line, [INSTANT_FIELDS], (rest) => momentAtStart(rest, printed)) ??
    first(line, [DELAY_FIELDS], (rest, field) => readDelay(rest, field, printed)) ??
    first(line, LEADS, (rest) => momentAtStart(rest, printed)) ??
    first(line, WEAK_LEADS, (rest) => momentAtStart(rest, printed)) ??
    (/^\d{10}(?:\d{3})?$/.test(line) ? momentAtStart(line, printed) : undefined)
  );
}

/** "Thu, Dec 3 at 9am": the date says it all, and the weekday alone would be read as its midnight. */
const WEEKDAY_BEFORE_DATE =
  /\b(?:sun|mon|tues?|wed|thu(?:rs)?|fri|sat)(?:day|nesday|urday|sday|rsday)?\.?,?\s+(?=(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d)/gi;

/** The reading of the earliest place in the text that any of the patterns marks and that can be read. */
function first(
  line: string,
  patterns: readonly RegExp[],
  read: (rest: string, marked: string) => EpochMs | undefined,
): EpochMs | undefined {
  const places = patterns
    .flatMap((pattern) => [...line.matchAll(pattern)])
    .sort((left, right) => left.index - right.index);
  for (const place of places) {
    const instant = read(line.slice(place.index + place[0].length), place[0]);
    if (instant !== undefined) return instant;
  }
  return undefined;
}

function readDelay(rest: string, field: string, { at, zone }: Printed): EpochMs | undefined {
  const bare = /^(\d+(?:\.\d+)?)(?![\d.]*[a-z])/i.exec(rest)?.[1];
  if (bare === undefined) return momentAtStart(rest, { at, zone });
  const length = readDuration(`${bare}${/ms\\*["']?\s*[:= ]/i.test(field) ? 'ms' : 's'}`);
  return length === undefined ? undefined : after(at, length);
}

/** The three forms of RFC 9110, 5.6.7: the last two are obsolete, and must be read all the same. */
const HTTP_DATES: readonly { readonly pattern: RegExp; readonly suffix: string }[] = [
  { pattern: /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/, suffix: '' },
  { pattern: /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/, suffix: '' },
  { pattern: /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/, suffix: ' GMT' },
];

/** `Retry-After` as RFC 9110, 10.2.3 has it: whole seconds or an HTTP date. A date that is over means now. */
export function readRetryAfter(value: string, at: EpochMs): EpochMs | undefined {
  const text = value.trim();
  if (/^\d{1,12}(?:\.\d+)?$/.test(text)) return epochMs(at + Math.ceil(Number(text) * SECOND));
  const form = HTTP_DATES.find(({ pattern }) => pattern.test(text));
  const instant = form === undefined ? Number.NaN : Date.parse(text + form.suffix);
  return Number.isNaN(instant) ? undefined : epochMs(Math.max(instant, at));
}

/**
 * A reset in a field that is documented as epoch seconds, and that proxies and older servers also fill with RFC 3339
 * (`anthropic-ratelimit-unified-reset: 2026-09-17T09:13:32Z`).
 */
export function readInstantField(value: string | number): EpochMs | undefined {
  if (typeof value === 'number')
    return Number.isFinite(value) && value > 0 ? fromSeconds(value as EpochSeconds) : undefined;
  const text = value.trim();
  if (/^\d{9,11}(?:\.\d+)?$/.test(text)) return fromSeconds(Number(text) as EpochSeconds);
  if (!/^\d{4}-\d{2}-\d{2}T/.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : epochMs(instant);
}

/**
 * When Gemini's requests-per-day quota of a project returns: midnight Pacific time, always after `at`
 * (ai.google.dev/gemini-api/docs/rate-limits).
 */
export function nextMidnightPacific(at: EpochMs): EpochMs {
  const pacific = 'America/Los_Angeles';
  return nextTimeOfDay(MIDNIGHT, pacific, epochMs(at + GRACE + 1)) ?? after(at, DAY);
}
