import type { Scope, Signal } from '../../core/signal.ts';
import type { EpochMs } from '../../core/time.ts';
import { evidence } from '../evidence.ts';
import type { Finding } from '../classify.ts';
import { believe } from '../reset.ts';
import type { Answer } from './answer.ts';

/** What headers add to what the words said: they name the window and its reset, so they win over the words. */
export interface Refinement {
  readonly scope: Scope;
  readonly resetAt: EpochMs | undefined;
  readonly reason: string;
}

/** A reset as it may be acted on: cut short when it is too far, `undefined` when it is over. */
export function believed(resetAt: EpochMs | undefined, at: EpochMs): EpochMs | undefined {
  const belief = resetAt === undefined ? undefined : believe(resetAt, at);
  return belief === undefined || belief.type === 'past' ? undefined : belief.resetAt;
}

/** A rate limit with the window and the reset that the headers name; every other finding as it is. */
export function refine(finding: Finding, answer: Answer, { scope, resetAt, reason }: Refinement): Finding {
  if (finding.type === 'signal' && finding.signal.kind !== 'rate-limit') return finding;
  const words = finding.type === 'signal' ? finding.signal : undefined;
  const named = believed(resetAt, answer.at);
  const signal: Signal = {
    kind: 'rate-limit',
    scope,
    resetAt: named ?? words?.resetAt,
    untilCleared: false,
    source: named === undefined && words?.resetAt !== undefined ? 'text' : 'header',
    reason,
    evidence: evidence(answer.body === '' ? `HTTP ${String(answer.status)}` : answer.body),
  };
  return { type: 'signal', signal };
}
