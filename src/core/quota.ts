import type { SeatId } from './ids.ts';
import type { Scope } from './signal.ts';
import type { DurationMs, EpochMs } from './time.ts';
import { after, between, DAY, durationMs, MINUTE } from './time.ts';

/**
 * Where a reading comes from: a CLI's stream, its files, an answer's headers, a refusal, a free look; `run`: work that
 * went through, which says of a full window no more than that it is not full.
 */
export const READING_SOURCES = ['event', 'file', 'header', 'refusal', 'probe', 'run'] as const;
export type ReadingSource = (typeof READING_SOURCES)[number];

/** One observation of one quota window of a seat. It advises; nothing is ever refused because of it. */
export interface QuotaReading {
  readonly seat: SeatId;
  /** By its length and model, not by its slot: `5h`, `7d`, `7d opus`; `limit` when nobody said how long it is. */
  readonly window: string;
  /** 0 to 100, and somewhat more where a vendor lets work go on beyond; `undefined`: not told. */
  readonly usedPercent: number | undefined;
  readonly resetAt: EpochMs | undefined;
  readonly observedAt: EpochMs;
  readonly source: ReadingSource;
}

/** What can be said of a window at some moment. */
export type WindowState =
  | { readonly type: 'known'; readonly usedPercent: number }
  /** It has begun anew since it was last seen: what was used before says nothing any more. */
  | { readonly type: 'reset'; readonly at: EpochMs }
  | { readonly type: 'unknown' };

/** Full is 100; servers have rounded it from 99.5 up. */
export const FULL_PERCENT = 99.5;
/** From here on a window is nearly full (Claude Code's own `allowed_warning` comes at about the same). */
export const NEARLY_FULL_PERCENT = 90;

export function isFull({ usedPercent }: Pick<QuotaReading, 'usedPercent'>): boolean {
  return usedPercent !== undefined && usedPercent >= FULL_PERCENT;
}

/** With extra usage a vendor counts on beyond 100; what is far beyond was meant in another unit. */
const MOST_PERCENT = 200;
/** No plan has a longer window than a month. */
const LONGEST_WINDOW = durationMs(45 * DAY);
/** Two clocks differ by so much. */
const SKEW = MINUTE;
/** How long a window that nobody speaks of any more is remembered. */
const REMEMBERED = durationMs(35 * DAY);
const MOST_WINDOWS = 200;

/** A reading as it can be believed: what is no percentage and no reset becomes unknown, never something near it. */
export function believable(reading: QuotaReading): QuotaReading {
  const { usedPercent, resetAt, observedAt } = reading;
  const isPercent = usedPercent !== undefined && usedPercent >= 0 && usedPercent <= MOST_PERCENT;
  const isReset =
    resetAt !== undefined && resetAt >= observedAt - LONGEST_WINDOW && resetAt <= observedAt + LONGEST_WINDOW;
  return {
    ...reading,
    usedPercent: isPercent ? usedPercent : undefined,
    resetAt: isReset ? resetAt : undefined,
  };
}

export function stateOf({ usedPercent, resetAt }: QuotaReading, now: EpochMs): WindowState {
  if (resetAt !== undefined && resetAt <= now) return { type: 'reset', at: resetAt };
  return usedPercent === undefined ? { type: 'unknown' } : { type: 'known', usedPercent };
}

/** How old a reading is; `undefined` when it is dated after now, as a clock that was ahead has left it. */
export function ageOf({ observedAt }: QuotaReading, now: EpochMs): DurationMs | undefined {
  return observedAt > now + SKEW ? undefined : between(observedAt, now);
}

/** A text that is the same for the same window of the same seat and for no other. */
export function windowKey({ seat, window }: Pick<QuotaReading, 'seat' | 'window'>): string {
  return `${seat}\n${window}`;
}

/**
 * The newest of every window. A reading that does not say how full the window is takes the place of none that does, as
 * long as that window goes on.
 */
export function newestReadings(
  known: readonly QuotaReading[],
  news: readonly QuotaReading[],
  now: EpochMs,
): readonly QuotaReading[] {
  const newest = new Map(known.map((reading) => [windowKey(reading), reading]));
  for (const reading of news.map(believable)) {
    const before = newest.get(windowKey(reading));
    if (before === undefined || replaces(reading, before, now)) newest.set(windowKey(reading), reading);
  }
  return [...newest.values()]
    .filter((reading) => isWorthKeeping(reading, now))
    .sort((a, b) => b.observedAt - a.observedAt)
    .slice(0, MOST_WINDOWS)
    .sort((a, b) => (windowKey(a) < windowKey(b) ? -1 : 1));
}

function replaces(reading: QuotaReading, before: QuotaReading, now: EpochMs): boolean {
  if (ageOf(before, now) === undefined) return true;
  if (reading.observedAt < before.observedAt) return false;
  if (reading.source === 'run') return isFull(before);
  const saysLess = reading.usedPercent === undefined && before.usedPercent !== undefined;
  return !(saysLess && before.resetAt !== undefined && before.resetAt > reading.observedAt);
}

function isWorthKeeping(reading: QuotaReading, now: EpochMs): boolean {
  if (after(reading.observedAt, REMEMBERED) < now) return false;
  return !(
    reading.window === UNNAMED &&
    (reading.source === 'run' || stateOf(reading, now).type === 'reset')
  );
}

const UNNAMED = 'limit';

/** The name of a window from its length, whatever slot it was told in. */
export function windowOfLength(minutes: number | undefined, scope: Scope): string {
  return withModel(lengthName(minutes), scope);
}

function lengthName(minutes: number | undefined): string {
  if (minutes === undefined || !(minutes > 0)) return UNNAMED;
  // Servers have told 299 and 10079.
  if (Math.abs(minutes - 300) <= 5) return '5h';
  if (Math.abs(minutes - 10_080) <= 60) return '7d';
  const days = Math.round(minutes / 1_440);
  if (days >= 2) return `${String(days)}d`;
  return minutes < 55 ? `${String(Math.round(minutes))}m` : `${String(Math.round(minutes / 60))}h`;
}

const LENGTH_WORDS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:five|5)-hour\b|\bsession limit\b/i, 300],
  [/\bweekly\b|\b(?:seven|7)-day\b/i, 10_080],
  [/\bdaily\b/i, 1_440],
  [/\bmonthly\b/i, 43_200],
];

/** The name of a window from what people call it: "five-hour limit", "weekly Opus limit", "30-day limit". */
export function windowOfWords(words: string, scope: Scope): string {
  if (/^usage credits$/i.test(words)) return 'overage';
  const known = LENGTH_WORDS.find(([pattern]) => pattern.test(words))?.[1];
  const days = /\b(\d+)-day\b/i.exec(words)?.[1];
  const hours = /\b(\d+)-hour\b/i.exec(words)?.[1];
  const counted = days === undefined ? hours && Number(hours) * 60 : Number(days) * 1_440;
  return windowOfLength(known ?? (typeof counted === 'number' ? counted : undefined), scope);
}

function withModel(length: string, scope: Scope): string {
  return scope.startsWith('model:') ? `${length} ${scope.slice('model:'.length)}` : length;
}

/** The model that a window is about; `undefined`: all of the seat. */
export function modelOf(window: string): string | undefined {
  const space = window.indexOf(' ');
  return space === -1 ? undefined : window.slice(space + 1);
}
