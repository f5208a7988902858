import type { RuleOutcome, RuleWeighed } from '../core/event.ts';
import type { WorkerId } from '../core/ids.ts';
import type { QuotaReading } from '../core/quota.ts';
import { ageOf, believable, modelOf, stateOf, windowKey } from '../core/quota.ts';
import type { Rule } from '../core/rule.ts';
import type { EpochMs } from '../core/time.ts';
import { formatDuration } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import { isSameModel } from './gate.ts';

/** What a rule says at this moment, with the reading that it was held against. */
export interface WeighedRule {
  readonly rule: Rule;
  /** Its place in the configuration, from 1. */
  readonly number: number;
  readonly reading: QuotaReading | undefined;
  readonly outcome: RuleOutcome;
}

/** Holds every rule against what is known of its window. What is not known, or not fresh, matches nothing. */
export function weighRules(
  rules: readonly Rule[],
  readings: readonly QuotaReading[],
  now: EpochMs,
): readonly WeighedRule[] {
  return rules.map((rule, index) => {
    const found = readings.find((one) => windowKey(one) === windowKey(rule.when));
    const reading = found && believable(found);
    return { rule, number: index + 1, reading, outcome: outcomeOf(rule, reading, now) };
  });
}

function outcomeOf({ when }: Rule, reading: QuotaReading | undefined, now: EpochMs): RuleOutcome {
  if (reading === undefined) return 'no-reading';
  const age = ageOf(reading, now);
  if (age === undefined) return 'future';
  const state = stateOf(reading, now);
  if (state.type !== 'known') return state.type;
  if (!(age <= when.freshWithin)) return 'stale';
  return state.usedPercent >= when.usedPercent.gte ? 'matched' : 'below';
}

/**
 * The workers that the matching rules put behind the others; `isNew`: the session has no worker yet. A window of one
 * model concerns nobody who is known to ask for another.
 */
export function putBehind(
  weighed: readonly WeighedRule[],
  fleet: readonly Worker[],
  model: string | undefined,
  isNew: boolean,
): ReadonlySet<WorkerId> {
  const matching = weighed.filter(
    ({ outcome, rule }) => outcome === 'matched' && (isNew || rule.then === 'prefer-others'),
  );
  const concerned = fleet.filter((worker) =>
    matching.some(
      ({ rule: { when } }) =>
        when.seat === worker.seat && isAbout(modelOf(when.window), model ?? worker.model),
    ),
  );
  return new Set(concerned.map(({ id }) => id));
}

function isAbout(limited: string | undefined, asked: string | undefined): boolean {
  return limited === undefined || asked === undefined || isSameModel(limited, asked);
}

/** Whom one rule puts behind others of the fleet. Nobody leaves the worker that a session is on, the `current` one, over it. */
export function movedBy(
  weighed: WeighedRule,
  fleet: readonly Worker[],
  model: string | undefined,
  current: WorkerId | undefined,
): readonly WorkerId[] {
  const behind = putBehind([weighed], fleet, model, current === undefined);
  return fleet.every(({ id }) => behind.has(id)) ? [] : [...behind].filter((id) => id !== current);
}

/** The event that tells of it. */
export function ruleEvent(
  { rule, number, reading, outcome }: WeighedRule,
  behind: readonly WorkerId[],
): RuleWeighed {
  const { seat, window, usedPercent } = rule.when;
  return {
    ...{ type: 'rule', rule: number, seat, window, then: rule.then, gte: usedPercent.gte, outcome },
    ...{ usedPercent: reading?.usedPercent, observedAt: reading?.observedAt, note: rule.note, behind },
  };
}

/** What a rule looks at, and what it does then: `prefer-others when 5h of seat work is at 90 % or more`. */
export function ruleWords({ when: { seat, window, usedPercent }, then }: Rule): string {
  return `${then} when ${window} of seat ${seat} is at ${String(usedPercent.gte)} % or more`;
}

/** One sentence for people: what the rule looked at, what it found, and why it did or did not match. */
export function describeRule({ rule, number, reading, outcome }: WeighedRule, now: EpochMs): string {
  const { window, freshWithin } = rule.when;
  const what = `rule ${String(number)} (${ruleWords(rule)})`;
  const note = rule.note === undefined ? '' : `: ${rule.note}`;
  const age = reading && ageOf(reading, now);
  const ago = age === undefined ? '' : `, seen ${formatDuration(age)} ago`;
  const value = `${window} is at ${String(Math.round(reading?.usedPercent ?? 0))} %${ago}`;
  switch (outcome) {
    case 'matched':
      return `${what} matches: ${value}${note}`;
    case 'below':
      return `${what} does not match: ${value}`;
    case 'stale':
      return `${what} does not match: its reading is older than ${formatDuration(freshWithin)}${ago}`;
    case 'reset':
      return `${what} does not match: the window has begun anew since its last reading`;
    case 'unknown':
      return `${what} does not match: how full the window is was not told`;
    case 'future':
      return `${what} does not match: its reading is dated in the future`;
    case 'no-reading':
      return `${what} does not match: there is no reading of that window`;
  }
}
