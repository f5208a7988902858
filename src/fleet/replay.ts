import type { Cooldown } from '../core/cooldown.ts';
import { seatId, workerId } from '../core/ids.ts';
import type { Exit } from '../core/line.ts';
import type { RestLengths } from '../core/policy.ts';
import type { Scope, SignalKind, Source } from '../core/signal.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { after } from '../core/time.ts';
import type { Unknown } from '../core/unknown.ts';
import type { Worker } from '../core/worker.ts';
import type { Adapter } from '../workers/adapter.ts';
import { withReading } from '../workers/closed-window.ts';
import type { Patience } from '../workers/watch.ts';
import { Watch } from '../workers/watch.ts';
import { judge } from './judge.ts';

/** One line of a capture: what was printed, on which channel, how long after the start. */
export interface CapturedLine {
  readonly t: DurationMs;
  readonly channel: 'stdout' | 'stderr';
  readonly text: string;
}

export interface ReplayInput {
  readonly adapter: Adapter;
  readonly lines: readonly CapturedLine[];
  /** The instant of `t` 0. */
  readonly startedAt: EpochMs;
  /** IANA zone of the child that printed this. */
  readonly zone: string;
  /** `undefined`: the child was still running when the lines end. */
  readonly exit: Exit | undefined;
  readonly patience: Patience;
  readonly rests: RestLengths;
  /** What the CLI had noted of its windows, where that was captured too. */
  readonly notes: readonly string[];
}

/** What secondwind makes of a run: as `replay --json` prints it, with instants still as numbers. */
export interface ReplayVerdict {
  /** `exhausted`: the seat (or model) rests and the next worker goes on. */
  readonly outcome: 'done' | 'exhausted' | 'overloaded' | 'failed' | 'running';
  readonly signal: {
    readonly kind: SignalKind;
    readonly scope: Scope;
    readonly resetAt: EpochMs | undefined;
    readonly source: Source;
    readonly reason: string;
    readonly evidence: string;
  } | null;
  readonly cooldown: Pick<Cooldown, 'kind' | 'since' | 'until' | 'source' | 'reason'> | null;
  /** At which line (from 1) the worker was ended, and when; `null` when it went by itself or goes on. */
  readonly actedAt: { readonly line: number; readonly t: DurationMs } | null;
  readonly killed: boolean;
  /** Why a `failed` run failed. */
  readonly reason: string | null;
  /** What nobody here knows, of what was printed until the worker was ended. */
  readonly unknown: readonly Unknown[];
}

/** Answers "what would secondwind make of this?" with the code that `run` uses. Spawns nothing, writes nothing. */
export function replay(input: ReplayInput): ReplayVerdict {
  const { adapter, lines, startedAt, zone, exit, rests } = input;
  const watch = new Watch(adapter.reader({ zone, model: undefined }), input.patience);
  let at = startedAt;
  let actedAt: ReplayVerdict['actedAt'] = null;
  for (const [index, { t, channel, text }] of lines.entries()) {
    at = after(startedAt, t);
    if (watch.push({ channel, text, at, monotonic: t }).end === undefined) continue;
    actedAt = { line: index + 1, t };
    break;
  }
  const killed = actedAt !== null;
  const { unknown } = watch;
  if (!killed && exit === undefined && !watch.finished) {
    return { outcome: 'running', signal: null, cooldown: null, actedAt, killed, reason: null, unknown };
  }
  const ending = watch.end(exit ?? { code: undefined, signal: 'SIGTERM' }, at);
  if (ending.type !== 'refused') {
    const reason = ending.type === 'failed' ? ending.reason : null;
    return { outcome: ending.type, signal: null, cooldown: null, actedAt, killed, reason, unknown };
  }
  const signal = withReading(ending.signal, adapter, {}, { home: '', newestReading: newestOf(input.notes) });
  const consequence = judge({ type: 'refused', signal }, anyWorker(adapter), rests, at);
  const { kind, scope, resetAt, source, reason, evidence } = signal;
  return {
    outcome:
      consequence.type === 'rest' ? 'exhausted' : consequence.type === 'hold' ? 'overloaded' : 'failed',
    signal: { kind, scope, resetAt, source, reason, evidence },
    cooldown: consequence.type === 'rest' ? shown(consequence.cooldown) : null,
    ...{ actedAt, killed, reason: null, unknown },
  };
}

function shown({ kind, since, until, source, reason }: Cooldown): ReplayVerdict['cooldown'] {
  return { kind, since, until, source, reason };
}

function newestOf(notes: readonly string[]): Parameters<typeof withReading>[3]['newestReading'] {
  return ({ read }) =>
    notes
      .flatMap((line) => read(line) ?? [])
      .reduce<ReturnType<typeof read>>(
        (newest, next) => (newest === undefined || next.observedAt >= newest.observedAt ? next : newest),
        undefined,
      );
}

/** A worker as plain as can be: what is judged is the output. */
function anyWorker({ name }: Adapter): Worker {
  return {
    ...{ id: workerId(name), adapter: name, seat: seatId(name), workspace: undefined, model: undefined },
    ...{ command: undefined, args: [], env: {}, billing: undefined },
  };
}
