import type { CooldownTarget } from '../core/cooldown.ts';
import { workerId } from '../core/ids.ts';
import type { CooldownState } from '../core/merge.ts';
import type { EpochMs } from '../core/time.ts';
import { epochMs, fromIso, toIso } from '../core/time.ts';
import type { SavedCooldowns, SavedTarget } from './cooldown-schema.ts';

// Between the file's words (texts and nulls, as JSON has them) and ours. Keys that are not ours travel along.

export function fromSaved(saved: SavedCooldowns): CooldownState {
  return {
    cooldowns: saved.cooldowns.map((record) => ({
      ...record,
      target: targetFrom(record.target),
      worker: workerId(record.worker),
      since: instantFrom(record.since),
      until: record.until === null ? undefined : instantFrom(record.until),
    })),
    clearances: saved.clearances.map((record) => ({
      ...record,
      target: record.target === null ? undefined : targetFrom(record.target),
      kind: record.kind ?? undefined,
      at: instantFrom(record.at),
    })),
  };
}

/** `before` gives the keys that are not ours. */
export function toSaved(state: CooldownState, before: SavedCooldowns): SavedCooldowns {
  return {
    ...before,
    cooldowns: state.cooldowns.map((record) => ({
      ...record,
      target: { ...record.target },
      since: toIso(record.since),
      until: record.until === undefined ? null : toIso(record.until),
    })),
    clearances: state.clearances.map((record) => ({
      ...record,
      target: record.target === undefined ? null : { ...record.target },
      kind: record.kind ?? null,
      at: toIso(record.at),
    })),
  };
}

/** The same object: what differs is that its texts are known for ids. */
function targetFrom(saved: SavedTarget): CooldownTarget {
  return saved as CooldownTarget;
}

/** The schema has read it before. */
function instantFrom(text: string): EpochMs {
  return fromIso(text) ?? epochMs(0);
}
