import type { Scope } from '../core/signal.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { fromIso, toIso } from '../core/time.ts';
import type { Variables } from '../system/environment.ts';
import { isRecord } from './json-lines.ts';

/** What a free look at a quota told: no tokens were spent on it. */
export type QuotaAnswer =
  | {
      readonly type: 'seen';
      readonly windows: readonly QuotaWindow[];
      /** What is left of the money, where it was told. */
      readonly credits: Credits | undefined;
    }
  /** No answer, or none that says anything: nothing follows from it. */
  | {
      readonly type: 'unknown';
      readonly why: string;
      /** When whoever was asked wants to be asked again, where it said so. */
      readonly retryAt?: EpochMs | undefined;
    };

export interface QuotaWindow {
  /** What people call it: "five-hour limit". */
  readonly name: string;
  readonly scope: Scope;
  /** 0 to 100. */
  readonly usedPercent: number;
  readonly resetAt: EpochMs | undefined;
  /** It is full, and work does not go on beyond it. */
  readonly isClosed: boolean;
}

export interface Credits {
  readonly isEmpty: boolean;
  /** "4.20 USD left". */
  readonly words: string;
}

/** How a CLI is asked for its windows, free of tokens. Data and pure functions, as everything of an adapter. */
export interface QuotaWays {
  /** The arguments that make it listen; `own` are those of the worker's configuration. */
  readonly args: (own: readonly string[]) => readonly string[];
  /** What it is told on stdin, which then stays open until it has answered. */
  readonly asks: readonly object[];
  /** What one line of stdout answers; `undefined` when it is something else. */
  readonly read: (line: string, at: EpochMs) => QuotaAnswer | undefined;
}

/** A pay-as-you-go balance that a worker's configuration names. */
export interface BalanceWays {
  /** What is sent, to whom; `undefined` with the reason when the worker's environment does not say enough. */
  readonly request: (env: Variables, key: string) => BalanceRequest;
  readonly read: (body: unknown) => QuotaAnswer;
}

export interface BalanceRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** How long a free look may take: Claude Code and Codex CLI answer within five seconds on a busy machine. */
export const LONGEST_LOOK = 20_000 as DurationMs;

export function unknownQuota(why: string, retryAt?: EpochMs): QuotaAnswer {
  return { type: 'unknown', why, ...(retryAt === undefined ? {} : { retryAt }) };
}

/** An answer as it lies in `probes.json`. */
export function savedAnswer(answer: QuotaAnswer): unknown {
  if (answer.type === 'unknown') return answer;
  const windows = answer.windows.map((window) => ({
    ...window,
    resetAt: window.resetAt === undefined ? null : toIso(window.resetAt),
  }));
  return { ...answer, windows };
}

/** An answer that another process got; `undefined` when it is none of ours. */
export function readAnswer(saved: unknown): QuotaAnswer | undefined {
  if (!isRecord(saved)) return undefined;
  if (saved['type'] === 'unknown' && typeof saved['why'] === 'string') return unknownQuota(saved['why']);
  const { windows, credits } = saved;
  if (saved['type'] !== 'seen' || !Array.isArray(windows)) return undefined;
  const read = windows.map(readWindow);
  const known = read.filter((window) => window !== undefined);
  if (known.length < read.length) return undefined;
  return { type: 'seen', windows: known, credits: readCredits(credits) };
}

function readWindow(saved: unknown): QuotaWindow | undefined {
  if (!isRecord(saved)) return undefined;
  const { name, scope, usedPercent, resetAt, isClosed } = saved;
  if (typeof name !== 'string' || typeof scope !== 'string') return undefined;
  if (typeof usedPercent !== 'number' || typeof isClosed !== 'boolean') return undefined;
  const opensAt = typeof resetAt === 'string' ? fromIso(resetAt) : undefined;
  return { name, scope: scope as Scope, usedPercent, resetAt: opensAt, isClosed };
}

function readCredits(saved: unknown): Credits | undefined {
  if (!isRecord(saved) || typeof saved['isEmpty'] !== 'boolean' || typeof saved['words'] !== 'string')
    return undefined;
  return { isEmpty: saved['isEmpty'], words: saved['words'] };
}
