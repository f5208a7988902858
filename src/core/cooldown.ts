import type { SeatId, WorkerId } from './ids.ts';
import type { CooldownKind, Source } from './signal.ts';
import type { EpochMs } from './time.ts';

/** What a cooldown closes. A model's cooldown leaves the seat's other models open. */
export type CooldownTarget =
  | { readonly type: 'seat'; readonly seat: SeatId }
  | { readonly type: 'model'; readonly seat: SeatId; readonly model: string }
  | { readonly type: 'workspace'; readonly workspace: string };

/** A rest of a seat, of one model on a seat, or of a workspace, until an instant, with its evidence. */
export interface Cooldown {
  readonly target: CooldownTarget;
  /** The worker whose attempt met the limit; the target, not this, decides who rests. */
  readonly worker: WorkerId;
  readonly kind: CooldownKind;
  /** When the evidence was seen. */
  readonly since: EpochMs;
  /** `undefined`: until somebody clears it (a spend cap). */
  readonly until: EpochMs | undefined;
  readonly source: Source;
  /** One clause for people. */
  readonly reason: string;
  /** The vendor's own line, secrets removed; empty for a cooldown an operator added. */
  readonly evidence: string;
  /**
   * Of `auth-failure`: what the credentials were that the provider refused, as a fingerprint from which nothing can be
   * read. Others since are a reason to look again.
   */
  readonly credentials?: string | undefined;
}

/** What may end a rest before its time. */
export const CLEARED_BY = ['clean-run', 'reading', 'probe', 'operator'] as const;

/** Newer named evidence that room is back: it ends the matching cooldowns whose evidence is not newer than `at`. */
export interface Clearance {
  /** `undefined` means every target. */
  readonly target: CooldownTarget | undefined;
  /** `undefined` means every kind. */
  readonly kind: CooldownKind | undefined;
  /** The instant the evidence speaks of: for a clean run when it *began*, so that it clears nothing seen during it. */
  readonly at: EpochMs;
  readonly by: (typeof CLEARED_BY)[number];
}

/** A text that is the same for the same target and for no other. */
export function targetKey(target: CooldownTarget): string {
  switch (target.type) {
    case 'seat':
      return `seat ${target.seat}`;
    case 'model':
      return `model ${target.seat} ${target.model}`;
    case 'workspace':
      return `workspace ${target.workspace}`;
  }
}
