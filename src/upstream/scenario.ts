import type { DurationMs, EpochMs } from '../core/time.ts';
import { after, SECOND, toIso } from '../core/time.ts';

/**
 * What a provider does when its model is called, as data: one step a call, and the last step for every call after
 * that. The values in it may be `Instant`s, which become real ones when the step is played.
 */
export interface Played {
  readonly wire: WireName;
  readonly steps: readonly [Step, ...Step[]];
}

/** A provider that cannot be reached: nobody listens where the CLI is pointed. */
export interface Unreachable {
  readonly wire: WireName;
  readonly steps: 'refuses-connections';
}

export type Scenario = Played | Unreachable;

/** The protocols in which CLIs ask for a model: Anthropic Messages, OpenAI Responses, Gemini generateContent. */
export type WireName = 'messages' | 'responses' | 'generateContent';

export type Step = Answer | Stream;

interface Common {
  readonly headers?: Headers;
  /** How long the provider thinks before its first byte. */
  readonly delay?: DurationMs;
}

/** A complete HTTP answer, as refusals are. */
export interface Answer extends Common {
  readonly status: number;
  readonly body: unknown;
}

/** A streamed answer with status 200. */
export interface Stream extends Common {
  readonly sse: readonly ServerSentEvent[];
  /** The connection is destroyed after these events, as when a proxy or the network fails. */
  readonly cut?: true;
}

export type Headers = Readonly<Record<string, string | Instant>>;

/** An empty name leaves the `event:` line out, as Gemini does. */
export type ServerSentEvent = readonly [name: string, data: unknown];

/** A moment counted from when the step is played, in the notation of the field that holds it. */
export interface Instant {
  readonly $in: DurationMs;
  readonly as: 'epoch-seconds' | 'iso';
}

export function epochSecondsIn($in: DurationMs): Instant {
  return { $in, as: 'epoch-seconds' };
}

export function isoIn($in: DurationMs): Instant {
  return { $in, as: 'iso' };
}

/** `value` with every `Instant` in it, however deep, replaced by what it means at `now`. */
export function resolveInstants(value: unknown, now: EpochMs): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element: unknown) => resolveInstants(element, now));
  if (isInstant(value)) return written(value, now);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveInstants(inner, now)]));
}

/** The same for header values, which are text. */
export function resolveHeaders(headers: Headers, now: EpochMs): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : String(written(value, now)),
    ]),
  );
}

function isInstant(value: object): value is Instant {
  return '$in' in value;
}

function written(instant: Instant, now: EpochMs): number | string {
  const moment = after(now, instant.$in);
  switch (instant.as) {
    case 'epoch-seconds':
      return Math.floor(moment / SECOND);
    case 'iso':
      return toIso(moment);
  }
}
