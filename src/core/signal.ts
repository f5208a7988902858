import type { EpochMs } from './time.ts';

/** The kinds of typed fact that vendor-authored output can hold about a worker's ability to work. */
export const SIGNAL_KINDS = [
  'rate-limit',
  'out-of-credits',
  'auth-failure',
  'cli-unavailable',
  'connection-failure',
  'overloaded',
  'server-error',
] as const;

export type SignalKind = (typeof SIGNAL_KINDS)[number];

/** The kinds that rest a seat. `overloaded` is held and `server-error` is health: neither writes a cooldown. */
export const COOLDOWN_KINDS = [
  'rate-limit',
  'out-of-credits',
  'auth-failure',
  'cli-unavailable',
  'connection-failure',
] as const satisfies readonly SignalKind[];

export type CooldownKind = (typeof COOLDOWN_KINDS)[number];

export function isCooldownKind(kind: string): kind is CooldownKind {
  return (COOLDOWN_KINDS as readonly string[]).includes(kind);
}

/** What a limit closes: the whole seat, one model on it, or every seat of the workspace it belongs to. */
export type Scope = 'seat' | 'workspace' | `model:${string}`;

/** Where a fact was read, best first. `default` means that nothing named a reset and the kind's own length was used. */
export const SOURCES = ['event', 'file', 'header', 'text', 'probe', 'default', 'operator'] as const;

export type Source = (typeof SOURCES)[number];

/** A typed fact read from vendor-authored output, with everything needed to dispute it later. */
export interface Signal {
  readonly kind: SignalKind;
  readonly scope: Scope;
  /** When the provider says room is back; `undefined` when it named nothing that can be read. */
  readonly resetAt: EpochMs | undefined;
  /** A spend cap does not heal with time: it rests until somebody clears it or changes the configuration. */
  readonly untilCleared: boolean;
  readonly source: Source;
  /** One short clause for people: "five-hour limit", "credit balance is too low". */
  readonly reason: string;
  /** The vendor's own line, secrets removed, 500 characters at most. */
  readonly evidence: string;
}
