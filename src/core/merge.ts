import type { Clearance, Cooldown } from './cooldown.ts';
import { targetKey } from './cooldown.ts';
import type { EpochMs } from './time.ts';
import { after, DAY, durationMs } from './time.ts';

/** What is known of cooldowns: those that hold, and the evidence that ended others. */
export interface CooldownState {
  readonly cooldowns: readonly Cooldown[];
  readonly clearances: readonly Clearance[];
}

export const NOTHING_KNOWN: CooldownState = { cooldowns: [], clearances: [] };

/** The longest that a rest is believed, whatever named it; an operator's own word has no such limit. */
const LONGEST_REST = durationMs(8 * DAY);

/** How far ahead of the clock a record may be: beyond it, one of the two clocks was wrong by more than a correction. */
const AHEAD_AT_MOST = DAY;

/** How long a record that has ended is kept, so that a clock which was ahead for a while costs nothing. */
const KEPT_AFTER_END = DAY;

/**
 * All that two states know together, and nothing that does not matter any more: of their union, what no other
 * member outdoes. A clearance outdoes the cooldowns it ends (evidence not newer than its own) and an older clearance
 * of the same or less; a cooldown outdoes another of the same target and kind that is neither newer nor longer.
 *
 * Being outdone is a strict partial order, so this is a join: commutative, associative, idempotent, and processes may
 * record in any order. Keeping merely the longest would not be: a long record, cleared later, would already have
 * swallowed a shorter one seen after the clearance.
 */
export function join(a: CooldownState, b: CooldownState): CooldownState {
  const clearances = newestClearances([...a.clearances, ...b.clearances]);
  const latest = indexClearances(clearances);
  const standing = [...a.cooldowns, ...b.cooldowns].filter(
    (cooldown) => cooldown.since > clearedUntil(latest, cooldown),
  );
  return { cooldowns: undominated(standing), clearances };
}

/** The cooldowns that `clearance` speaks of, ended by it or not. */
export function isCovered(cooldown: Cooldown, clearance: Clearance): boolean {
  return (
    (clearance.target === undefined || targetKey(clearance.target) === targetKey(cooldown.target)) &&
    (clearance.kind === undefined || clearance.kind === cooldown.kind)
  );
}

/**
 * The state without what can have no effect: the long ended, and what claims to be from the future, written when
 * a clock was ahead. That must go before a join, or it would outdo everything true that is recorded until then.
 */
export function prune(state: CooldownState, now: EpochMs): CooldownState {
  return {
    cooldowns: state.cooldowns.filter((cooldown) => {
      const until = believedUntil(cooldown, now);
      return isBelievable(cooldown, now) && (until === undefined || after(until, KEPT_AFTER_END) > now);
    }),
    clearances: state.clearances.filter(({ at }) => at <= now),
  };
}

/** The cooldowns as they are to be obeyed at `now`: ended ones included, none longer than a rest may be. */
export function believed(state: CooldownState, now: EpochMs): readonly Cooldown[] {
  return state.cooldowns
    .filter((cooldown) => isBelievable(cooldown, now))
    .map((cooldown) => {
      const until = believedUntil(cooldown, now);
      return until === cooldown.until ? cooldown : { ...cooldown, until };
    });
}

function isBelievable(cooldown: Cooldown, now: EpochMs): boolean {
  return cooldown.since <= after(now, AHEAD_AT_MOST);
}

/** Bounded from `since`, so that it ends whenever it is read, and from `now`, in case `since` is a little ahead. */
function believedUntil({ since, until, source }: Cooldown, now: EpochMs): EpochMs | undefined {
  if (until === undefined || source === 'operator') return until;
  const end = Math.min(until, after(since, LONGEST_REST), after(now, LONGEST_REST));
  return end as EpochMs;
}

const ANY = '*';

function clearanceKey(target: string, kind: string): string {
  return `${kind} ${target}`;
}

function keysOf({ target, kind }: Clearance): readonly [target: string, kind: string] {
  return [target === undefined ? ANY : targetKey(target), kind ?? ANY];
}

function newestClearances(clearances: readonly Clearance[]): readonly Clearance[] {
  const newest = new Map<string, Clearance>();
  for (const clearance of clearances) {
    const key = clearanceKey(...keysOf(clearance));
    const other = newest.get(key);
    if (other === undefined || compare(clearance, other, clearance.at - other.at) > 0)
      newest.set(key, clearance);
  }
  const isOutdone = (clearance: Clearance): boolean => {
    const [target, kind] = keysOf(clearance);
    const own = clearanceKey(target, kind);
    return widerKeys(target, kind).some(
      (key) => key !== own && (newest.get(key)?.at ?? -Infinity) >= clearance.at,
    );
  };
  return [...newest.entries()]
    .filter(([, clearance]) => !isOutdone(clearance))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, clearance]) => clearance);
}

function widerKeys(target: string, kind: string): readonly string[] {
  return [
    clearanceKey(target, kind),
    clearanceKey(target, ANY),
    clearanceKey(ANY, kind),
    clearanceKey(ANY, ANY),
  ];
}

function indexClearances(clearances: readonly Clearance[]): ReadonlyMap<string, EpochMs> {
  return new Map(clearances.map((clearance) => [clearanceKey(...keysOf(clearance)), clearance.at]));
}

function clearedUntil(latest: ReadonlyMap<string, EpochMs>, { target, kind }: Cooldown): number {
  if (latest.size === 0) return -Infinity;
  return Math.max(...widerKeys(targetKey(target), kind).map((key) => latest.get(key) ?? -Infinity));
}

/** Newest first, each that lasts longer than all newer ones. */
function undominated(cooldowns: readonly Cooldown[]): readonly Cooldown[] {
  const groups = new Map<string, Cooldown[]>();
  for (const cooldown of cooldowns) {
    const key = clearanceKey(targetKey(cooldown.target), cooldown.kind);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [cooldown]);
    else group.push(cooldown);
  }
  return [...groups.keys()].sort().flatMap((key) => {
    let longest = -Infinity;
    return (groups.get(key) ?? [])
      .sort((a, b) => compare(b, a, b.since - a.since || endOf(b) - endOf(a) || 0))
      .filter((cooldown) => {
        const isLonger = endOf(cooldown) > longest;
        longest = Math.max(longest, endOf(cooldown));
        return isLonger;
      });
  });
}

function endOf({ until }: Cooldown): number {
  return until ?? Number.MAX_VALUE;
}

/** By `difference`; records that differ in nothing that matters are ordered by their text, so that any order of merging picks the same. */
function compare(a: object, b: object, difference: number): number {
  if (difference !== 0) return difference;
  const [textA, textB] = [canonical(a), canonical(b)];
  return textA < textB ? -1 : textA > textB ? 1 : 0;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
