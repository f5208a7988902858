import type { Cooldown, CooldownTarget } from '../core/cooldown.ts';
import type { EpochMs } from '../core/time.ts';
import type { KnownWorker } from '../core/worker.ts';

/** Whether a worker may start now, and if not why and until when. */
export type Gate =
  | { readonly type: 'open' }
  /** `cooldown` is the one that ends last; `until` is `undefined` when only a person can end it. */
  | { readonly type: 'resting'; readonly cooldown: Cooldown; readonly until: EpochMs | undefined };

/**
 * The check before each dispatch. Everything that shows whether a worker may run asks here, so no two of them can
 * disagree. `model` is the one asked for on the command line, which wins over the worker's own.
 */
export function gate(
  worker: KnownWorker,
  cooldowns: readonly Cooldown[],
  now: EpochMs,
  model?: string,
): Gate {
  const last = cooldowns
    .filter((cooldown) => isActive(cooldown, now) && rests(cooldown, worker, model ?? worker.model))
    .reduce<Cooldown | undefined>(
      (latest, next) => (latest === undefined || endsAfter(next, latest) ? next : latest),
      undefined,
    );
  return last === undefined ? { type: 'open' } : { type: 'resting', cooldown: last, until: last.until };
}

export function isActive({ until }: Cooldown, now: EpochMs): boolean {
  return until === undefined || until > now;
}

function endsAfter(a: Cooldown, b: Cooldown): boolean {
  return (a.until ?? Infinity) > (b.until ?? Infinity);
}

/** Whether a cooldown, while it is active, closes this worker when it asks for `model`. */
export function rests(
  { target, worker: metBy }: Cooldown,
  worker: KnownWorker,
  model: string | undefined,
): boolean {
  switch (target.type) {
    case 'seat':
      return target.seat === worker.seat;
    case 'workspace':
      return target.workspace === worker.workspace;
    case 'model':
      if (target.seat !== worker.seat) return false;
      // A worker without a model takes its CLI's default: the limit that it met itself is on that one.
      return model === undefined ? metBy === worker.id : isSameModel(target.model, model);
  }
}

/** Words of a model's name that tell versions, vendors and contexts apart, and not models: `claude`, `4`, `2.5`, `1m`. */
const NO_MODEL =
  /^(?:[\d.]+[a-z]?|v\d+|latest|(?:[a-z]+\.)*(?:anthropic|claude|openai|gpt|google|gemini|models))$/;

/**
 * Whether a limit named for `limited` closes `asked`. Vendors name a family (`opus`) where people ask for a model
 * (`claude-opus-4-5`), or the reverse: so the words of the one must be found, in order, among the words of the other,
 * and what is left over must not name another model (`gemini-2.5-flash-lite` is not `gemini-2.5-flash`).
 */
export function isSameModel(limited: string, asked: string): boolean {
  const [shorter, longer] = [wordsOf(limited), wordsOf(asked)].sort((a, b) => a.length - b.length);
  if (shorter === undefined || longer === undefined || shorter.length === 0) return false;
  return longer.some(
    (_, start) =>
      shorter.every((word, index) => word === longer[start + index]) &&
      [...longer.slice(0, start), ...longer.slice(start + shorter.length)].every((word) =>
        NO_MODEL.test(word),
      ),
  );
}

function wordsOf(model: string): readonly string[] {
  return model
    .toLowerCase()
    .split(/[^a-z0-9.]+/)
    .filter((word) => word !== '');
}

/** What a cooldown met by `worker` closes. Without a workspace in the configuration its limit is only this seat's. */
export function targetOf(scope: string, worker: KnownWorker): CooldownTarget {
  if (scope.startsWith('model:'))
    return { type: 'model', seat: worker.seat, model: scope.slice('model:'.length) };
  return scope === 'workspace' && worker.workspace !== undefined
    ? { type: 'workspace', workspace: worker.workspace }
    : { type: 'seat', seat: worker.seat };
}
