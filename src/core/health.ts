import type { WorkerId } from './ids.ts';
import type { CooldownKind, SignalKind } from './signal.ts';
import type { DurationMs, EpochMs } from './time.ts';
import { after, durationMs, epochMs, MINUTE, SECOND } from './time.ts';

/**
 * How a provider's machinery can fail a worker, the worse first. No kind of cooldown is among them, and none of these is
 * a kind of cooldown: a spent quota says nothing about the machinery, and one counter for both once declared a provider
 * dead that was answering all along. `timeout` also stands for a CLI that stalled, or died without a result.
 */
export const HEALTH_CAUSES = ['server-error', 'timeout'] as const;
export type HealthCause = (typeof HEALTH_CAUSES)[number];

/** What a signal of such a kind is to health; the compiler lets no kind of cooldown in here. */
export function causeOf(kind: Exclude<SignalKind, CooldownKind>): HealthCause {
  switch (kind) {
    // DESIGN 5: being overloaded is held, and counts here only when the hold ran out.
    case 'overloaded':
    case 'server-error':
      return 'server-error';
  }
}

/** Failures of one cause: how many steps up, one down per clean run, and when the last was seen. */
export interface Trouble {
  readonly steps: number;
  readonly at: EpochMs;
  /** Of a `timeout`, what the last one was: `silent`, ended as it printed nothing for too long; `died`, without a result. */
  readonly how?: string | undefined;
}

/** What is known of the machinery behind one worker. Whoever is not on record is healthy. */
export interface Health {
  readonly worker: WorkerId;
  readonly troubles: Readonly<Partial<Record<HealthCause, Trouble>>>;
  /** The last run that told anything about it, good or bad. */
  readonly triedAt: EpochMs;
}

/** All that can change health. There is no way to say a quota signal here. */
export type HealthNote =
  | {
      readonly type: 'failure';
      readonly worker: WorkerId;
      readonly cause: HealthCause;
      readonly how?: 'silent' | 'died' | undefined;
      readonly at: EpochMs;
    }
  | { readonly type: 'clean-run'; readonly worker: WorkerId; readonly at: EpochMs };

/** A worker that is better not asked while others can be. */
export interface Unhealthy {
  /** The worst that is not over. */
  readonly cause: HealthCause;
  /** See `Trouble`. */
  readonly how?: string | undefined;
  readonly failures: number;
  /** When the last failure was seen. */
  readonly at: EpochMs;
  readonly until: EpochMs;
  readonly triedAt: EpochMs;
}

const FIRST_PAUSE: Readonly<Record<HealthCause, DurationMs>> = {
  'server-error': durationMs(30 * SECOND),
  timeout: durationMs(10 * SECOND),
};
const LONGEST_PAUSE: Readonly<Record<HealthCause, DurationMs>> = {
  'server-error': durationMs(5 * MINUTE),
  timeout: durationMs(2 * MINUTE),
};

/** The step at which both pauses have reached their longest: more would only take more clean runs to go down. */
const MOST_STEPS = 5;

/** For how long after its last failure a worker counts as unhealthy: doubling with every step. */
export function pauseOf(cause: HealthCause, steps: number): DurationMs {
  return durationMs(Math.min(FIRST_PAUSE[cause] * 2 ** (steps - 1), LONGEST_PAUSE[cause]));
}

/** What is known after `note`; the same list when it changes nothing, so that nothing is written. */
export function noted(known: readonly Health[], note: HealthNote): readonly Health[] {
  const before = known.find(({ worker }) => worker === note.worker);
  if (note.type === 'clean-run' && before === undefined) return known;
  const others = known.filter((one) => one !== before);
  const troubles = note.type === 'clean-run' ? oneStepDown(before) : oneStepUp(before, note);
  if (Object.keys(troubles).length === 0) return others;
  return [...others, { ...before, worker: note.worker, troubles, triedAt: note.at }];
}

function oneStepUp(
  before: Health | undefined,
  { cause, how, at }: Extract<HealthNote, { type: 'failure' }>,
): Health['troubles'] {
  const steps = Math.min((before?.troubles[cause]?.steps ?? 0) + 1, MOST_STEPS);
  return {
    ...before?.troubles,
    [cause]: { ...before?.troubles[cause], ...(cause === 'timeout' ? { how } : {}), steps, at },
  };
}

function oneStepDown(before: Health | undefined): Health['troubles'] {
  const { 'server-error': serverError, timeout, ...notOurs } = before?.troubles ?? {};
  const lower = { ...less('server-error', serverError), ...less('timeout', timeout) };
  return { ...notOurs, ...lower };
}

function less(cause: HealthCause, trouble: Trouble | undefined): Health['troubles'] {
  if (trouble === undefined || trouble.steps <= 1) return {};
  return { [cause]: { ...trouble, steps: trouble.steps - 1 } };
}

/**
 * Whether a worker is unhealthy at `now`: computed when it is asked, no timer ends it. A failure dated further ahead than
 * its own pause was written by a clock that was wrong, and is not believed.
 */
export function unhealthy(health: Health | undefined, now: EpochMs): Unhealthy | undefined {
  if (health === undefined) return undefined;
  const open = HEALTH_CAUSES.flatMap((cause) => {
    const { steps, at, how } = health.troubles[cause] ?? { steps: 0, at: now };
    const pause = steps > 0 ? pauseOf(cause, steps) : durationMs(0);
    const until = after(at < now ? at : now, pause);
    return until > now && at - now < pause ? [{ cause, how, steps, at, until }] : [];
  });
  const [worst] = open;
  if (worst === undefined) return undefined;
  return {
    cause: worst.cause,
    ...(worst.how === undefined ? {} : { how: worst.how }),
    failures: open.reduce((sum, { steps }) => sum + steps, 0),
    at: latest(open.map(({ at }) => at)),
    until: latest(open.map(({ until }) => until)),
    triedAt: health.triedAt,
  };
}

function latest(instants: readonly EpochMs[]): EpochMs {
  return epochMs(Math.max(...instants));
}

/** Orders by how unhealthy, the least first: severity, time left, failures, then whoever was not tried for longest. */
export function leastUnhealthyFirst(a: Unhealthy, b: Unhealthy): number {
  return (
    HEALTH_CAUSES.indexOf(b.cause) - HEALTH_CAUSES.indexOf(a.cause) ||
    a.until - b.until ||
    a.failures - b.failures ||
    a.triedAt - b.triedAt
  );
}

/** One clause for people: "server error, 3 times". */
export function describeHealth({
  cause,
  how,
  failures,
}: Pick<Unhealthy, 'cause' | 'how' | 'failures'>): string {
  const what = reasonOf(cause, how);
  if (failures <= 1) return what;
  // The others need not have been the same.
  return how === undefined
    ? `${what}, ${String(failures)} times`
    : `${what}, the last of ${String(failures)} failures`;
}

function reasonOf(cause: HealthCause, how: string | undefined): string {
  if (cause === 'server-error') return 'server error';
  if (how === 'silent') return 'printed nothing for too long';
  return how === 'died' ? 'died without a result' : 'fell silent, or died without a result';
}
