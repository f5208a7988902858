import type { Scope } from '../../core/signal.ts';
import type { DurationMs, EpochMs } from '../../core/time.ts';
import { durationMs } from '../../core/time.ts';
import type { Finding } from '../classify.ts';
import { readRetryAfter } from '../reset.ts';

/** What a provider answered over HTTP. Names of headers may have any case. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  /** When it came. */
  readonly at: EpochMs;
  /** The model that was asked. */
  readonly model?: string | undefined;
}

/** One quota window as a provider describes it. */
export interface ProviderWindow {
  /** By its length or by what it counts: `5h`, `7d`, `requests`, `tokens`. */
  readonly name: string;
  readonly scope: Scope;
  /** 0 to 100 and above. */
  readonly usedPercent: number | undefined;
  readonly resetAt: EpochMs | undefined;
  readonly closed: boolean;
}

/**
 * What an answer says of quota. Without its headers `windows` is empty and `finding` rests on status and body alone: a
 * missing header never degrades anybody.
 */
export interface ProviderReading {
  readonly windows: readonly ProviderWindow[];
  readonly finding: Finding;
}

/** Headers by their lower-case names, without those that have no value. */
export function headerMap(headers: Answer['headers']): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name.toLowerCase(), value.trim()]],
    ),
  );
}

/** A header that holds a number; `undefined` for anything else, never zero by accident. */
export function numberHeader(headers: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = headers.get(name);
  return text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

/** `retry-after-ms` (OpenAI, Azure) before `retry-after`, which rounds it to seconds. */
export function retryAfterOf(headers: ReadonlyMap<string, string>, at: EpochMs): EpochMs | undefined {
  const milliseconds = numberHeader(headers, 'retry-after-ms');
  if (milliseconds !== undefined && milliseconds >= 0) return (at + Math.ceil(milliseconds)) as EpochMs;
  const value = headers.get('retry-after');
  return value === undefined ? undefined : readRetryAfter(value, at);
}

/** How long a window lasts, by the name providers give it; `undefined` for a name without a length. */
export function lengthOfWindow(name: string): DurationMs | undefined {
  const match = /^(\d+)(h|d)/.exec(name);
  if (match === null) return undefined;
  return durationMs(Number(match[1]) * (match[2] === 'h' ? 3_600_000 : 86_400_000));
}

/** The reset of the last of these windows to open: until then they block together. */
export function lastReset(windows: readonly ProviderWindow[]): EpochMs | undefined {
  const resets = windows.flatMap(({ resetAt }) => (resetAt === undefined ? [] : [resetAt]));
  return resets.length === 0 ? undefined : (Math.max(...resets) as EpochMs);
}
