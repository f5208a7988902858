import type { Clearance, Cooldown, CooldownTarget } from '../core/cooldown.ts';
import { targetKey } from '../core/cooldown.ts';
import type { Event } from '../core/event.ts';
import type { Health, HealthNote } from '../core/health.ts';
import type { Result } from '../core/result.ts';
import type { EpochMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import { isActive, rests } from './gate.ts';

/** What all processes of one home know of rests and of health, and whom a session tells. */
export interface RecordingEffects {
  readonly emit: (event: Event) => void;
  readonly readCooldowns: () => Promise<readonly Cooldown[]>;
  readonly recordCooldown: (cooldown: Cooldown) => Promise<Result<void, string>>;
  readonly clearCooldowns: (clearance: Clearance) => Promise<Result<readonly Cooldown[], string>>;
  readonly readHealth: () => Promise<readonly Health[]>;
  /** What cannot be noted is said, and stops nothing. */
  readonly noteHealth: (note: HealthNote) => Promise<void>;
}

/**
 * A limit may be on a model by another name than was asked for (`auto`, `opusplan`): then what was asked for rests too,
 * or the next to ask would be let through to the same limit.
 */
export async function record(
  cooldown: Cooldown,
  worker: Worker,
  asked: string | undefined,
  effects: RecordingEffects,
): Promise<boolean> {
  const { kind, until, source, reason, target } = cooldown;
  let recorded = await effects.recordCooldown(cooldown);
  if (recorded.ok && asked !== undefined && !rests(cooldown, worker, asked)) {
    const alias: CooldownTarget = { type: 'model', seat: worker.seat, model: asked };
    recorded = await effects.recordCooldown({ ...cooldown, target: alias });
  }
  if (!recorded.ok) {
    effects.emit({ type: 'cooldown.not-recorded', worker: worker.id, kind, reason: recorded.error });
    return false;
  }
  const model = target.type === 'model' ? target.model : undefined;
  effects.emit({
    type: 'cooldown.recorded',
    ...{ worker: worker.id, seat: worker.seat, model, kind, until, source, reason },
  });
  return true;
}

/**
 * A clean run is evidence that room is back, for cooldowns that were there before it began (DESIGN 5). What an operator
 * added was not about room.
 */
export async function clearAfterCleanRun(
  worker: Worker,
  model: string | undefined,
  startedAt: EpochMs,
  effects: RecordingEffects,
): Promise<void> {
  const known = await effects.readCooldowns();
  const disproved = known.filter(
    (cooldown) =>
      cooldown.since <= startedAt &&
      isActive(cooldown, startedAt) &&
      rests(cooldown, worker, model ?? worker.model),
  );
  const targets = new Map(disproved.map(({ target }) => [targetKey(target), target]));
  for (const { target, source } of disproved) if (source === 'operator') targets.delete(targetKey(target));
  let wasAny = false;
  for (const target of targets.values()) {
    const cleared = await effects.clearCooldowns({ target, kind: undefined, at: startedAt, by: 'clean-run' });
    wasAny ||= cleared.ok && cleared.value.length > 0;
  }
  if (wasAny) effects.emit({ type: 'cooldown.cleared', worker: worker.id, by: 'clean-run' });
}
