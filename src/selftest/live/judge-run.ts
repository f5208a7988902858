import type { Unknown } from '../../core/unknown.ts';
import type { DurationMs, EpochMs } from '../../core/time.ts';
import { after, between, durationMs, formatDuration, fromIso, MINUTE, SECOND } from '../../core/time.ts';
import { unreachable } from '../../core/unreachable.ts';
import type { Call } from '../../upstream/upstream.ts';
import type { Expected } from './live-case.ts';

/** One line of `secondwind run --json`. */
export type ProductEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** What there is to judge a run by. */
export interface Evidence {
  readonly worker: string;
  readonly events: readonly ProductEvent[];
  readonly exitCode: number | undefined;
  /** What the provider was asked by the worker. */
  readonly calls: readonly Call[];
}

/** What happened in a run, in words, and what of it is not as expected. */
export interface Judgement {
  /** Sentences without their full stops. */
  readonly problems: readonly string[];
  readonly happened: string;
  /** From the provider's last refusal until the worker was gone; where none was refused, the length of the attempt. */
  readonly reactionMs: DurationMs | undefined;
  readonly unknown: readonly Unknown[];
}

/** What a machine may be busy with besides; on an idle one the reaction takes tens of milliseconds. */
const LONGEST_REACTION = durationMs(5 * SECOND);

export function judgeRun(expected: Expected, evidence: Evidence): Judgement {
  const found = facts(evidence);
  return {
    problems: problems(expected, evidence, found),
    happened: happened(found),
    reactionMs: found.reactionMs,
    unknown: found.unknown,
  };
}

interface Facts {
  readonly attempts: readonly ProductEvent[];
  readonly first: ProductEvent | undefined;
  readonly signals: readonly ProductEvent[];
  readonly rests: readonly ProductEvent[];
  readonly holds: number;
  readonly session: ProductEvent | undefined;
  readonly reactionMs: DurationMs | undefined;
  readonly lastAskedAt: EpochMs | undefined;
  readonly unknown: readonly Unknown[];
}

function facts({ worker, events, calls }: Evidence): Facts {
  const of = (type: string): readonly ProductEvent[] => events.filter((event) => event.type === type);
  const attempts = of('attempt.ended').filter((event) => event['worker'] === worker);
  const [first] = attempts;
  const endedAt = instant(first?.['at']);
  const asked = endedAt === undefined ? calls : calls.filter(({ at }) => at <= endedAt);
  const lastAskedAt = asked.at(-1)?.at;
  const isDone = first?.['outcome'] === 'done';
  return {
    ...{ attempts, first, signals: of('signal'), rests: of('cooldown.recorded'), lastAskedAt },
    ...{
      holds: of('hold.started').length,
      session: of('session.ended').at(-1),
      how: of('handoff')[0]?.['how'],
    },
    reactionMs:
      isDone || endedAt === undefined || lastAskedAt === undefined
        ? (first?.['durationMs'] as DurationMs | undefined)
        : between(lastAskedAt, endedAt),
    unknown: of('attempt.unknown')
      .filter((event) => event['worker'] === worker)
      .flatMap((event) => event['unknown'] as readonly Unknown[]),
  };
}

function problems(expected: Expected, evidence: Evidence, found: Facts): readonly string[] {
  const { exitCode, worker, calls } = evidence;
  const { attempts, first, signals, rests, session } = found;
  const by = session?.['worker'];
  const told: string[] = [];
  const say = (isWrong: boolean, text: string): void => {
    if (isWrong) told.push(text);
  };
  say(first === undefined, 'the worker was never tried');
  say(
    exitCode !== 0,
    `secondwind exited with ${exitCode === undefined ? 'a signal' : String(exitCode)}, expected 0`,
  );
  const isUnreachable = expected.type === 'rests' && expected.kind === 'connection-failure';
  say(calls.length === 0 && !isUnreachable, 'the provider was never asked');
  const nobodyRests = (): void => {
    say(rests.length > 0, `${String(rests[0]?.['kind'])} rests a seat, and nobody was to rest`);
  };
  switch (expected.type) {
    case 'done': {
      say(by !== worker, 'the worker did not do the task');
      say(signals.length > 0, `a refusal was read where there was none: ${String(signals[0]?.['evidence'])}`);
      say(attempts.length > 1, `it took ${String(attempts.length)} attempts, expected one`);
      const { text, saw = [] } = expected;
      say(text !== undefined && session?.['text'] !== text, 'the answer is not the one that the model gave');
      const printed = calls.flatMap(({ toolOutputs }) => toolOutputs).join('\n');
      say(
        saw.some((line) => !printed.includes(line)),
        'the tool did not print what it was to print',
      );
      nobodyRests();
      break;
    }
    case 'recovers':
      say(by !== worker, 'the worker did not overcome it');
      nobodyRests();
      break;
    case 'survives':
      say(
        rests.some((rest) => rest['kind'] !== 'connection-failure'),
        `${String(rests[0]?.['kind'])} rests a seat, and nobody's quota was touched`,
      );
      break;
    case 'passed-on':
      say(by === worker, 'the worker did the task itself');
      nobodyRests();
      break;
    case 'goes-on':
    case 'resumes': {
      say(by !== worker, 'the worker did not finish its task');
      say(expected.type === 'goes-on' && rests.length === 0, 'nobody rested over the window that closed');
      const last = calls.at(-1)?.toolOutputs.join('\n') ?? '';
      say(!last.includes(expected.remembers), 'it went on without knowing what its tool had printed before');
      break;
    }
    case 'rests':
      told.push(...restProblems(expected, evidence, found));
      break;
    default:
      return unreachable(expected);
  }
  return told;
}

function restProblems(
  { kind, scope, reset, calls: most }: Extract<Expected, { type: 'rests' }>,
  { worker, calls }: Evidence,
  { rests, session, reactionMs, lastAskedAt, signals }: Facts,
): readonly string[] {
  const [rest] = rests;
  if (rest === undefined) return ['nobody rests'];
  const told: string[] = [];
  if (rest['kind'] !== kind) told.push(`it rests for ${String(rest['kind'])}, expected ${kind}`);
  const found = signals[0]?.['scope'];
  if (found !== scope) told.push(`${String(found)} rests, expected ${scope}`);
  if (session?.['worker'] === worker) told.push('the worker did the task itself');
  if (calls.length > most) {
    told.push(`the provider was asked ${String(calls.length)} times, expected ${String(most)} at most`);
  }
  if (reactionMs !== undefined && lastAskedAt !== undefined && reactionMs > LONGEST_REACTION) {
    told.push(`it took ${formatDuration(reactionMs)} from the refusal until the worker was gone`);
  }
  const isNamed = rest['source'] !== 'default';
  if (reset === undefined && isNamed) told.push('a reset was read where none was named');
  if (reset !== undefined && !isNamed) told.push('the reset that was named was not read');
  const until = instant(rest['until']);
  if (typeof reset === 'object' && isNamed && until !== undefined && lastAskedAt !== undefined) {
    const named = after((Math.floor(lastAskedAt / SECOND) * SECOND) as EpochMs, reset.in);
    const off = Math.abs(until - named);
    if (off > reset.within) told.push(`the rest ends ${formatDuration(durationMs(off))} beside the reset`);
  }
  return told;
}

function happened({ rests, holds, session, first, attempts }: Facts): string {
  const parts: string[] = [];
  const [rest] = rests;
  if (rest !== undefined) {
    const until = instant(rest['until']);
    const since = instant(rest['at']);
    const length =
      until === undefined || since === undefined
        ? 'until cleared'
        : formatDuration(rounded(between(since, until)));
    const what = rest['model'] === undefined ? 'seat' : 'model';
    parts.push(`${String(rest['kind'])}, ${what} rests ${length} (${String(rest['source'])})`);
  }
  if (holds > 0) parts.push('held');
  if (session?.['outcome'] !== 'done') parts.push(outcomeWords(session, first));
  else if (session['worker'] !== first?.['worker']) {
    const reason = rest === undefined && typeof first?.['reason'] === 'string' ? first['reason'] : undefined;
    parts.push(...(reason === undefined ? [] : [reason]), 'next worker');
  } else parts.push(attempts.length > 1 && holds === 0 ? 'went on, done' : 'done');
  return parts.join(', ');
}

/** Nobody wants to know that two hours were a second less when the line was read. */
function rounded(length: DurationMs): DurationMs {
  return length < 10 * MINUTE ? length : durationMs(Math.round(length / MINUTE) * MINUTE);
}

function outcomeWords(session: ProductEvent | undefined, first: ProductEvent | undefined): string {
  const reason = session?.['reason'] ?? first?.['reason'];
  const outcome = typeof session?.['outcome'] === 'string' ? session['outcome'] : 'no end';
  return typeof reason === 'string' ? `${outcome}: ${reason}` : outcome;
}

function instant(value: unknown): EpochMs | undefined {
  return typeof value === 'string' ? fromIso(value) : undefined;
}
