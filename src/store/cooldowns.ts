import type { Clearance, Cooldown, CooldownTarget } from '../core/cooldown.ts';
import type { CooldownState } from '../core/merge.ts';
import { believed, isCovered, join, NOTHING_KNOWN, prune } from '../core/merge.ts';
import type { Result } from '../core/result.ts';
import type { EpochMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import { fromSaved, toSaved } from './cooldown-json.ts';
import type { SavedCooldowns } from './cooldown-schema.ts';
import { isSavedCooldowns } from './cooldown-shape.ts';
import type { StoreProblem } from './problem.ts';
import { onceEach } from './problem.ts';
import type { StateFileOptions } from './state-look.ts';
import { openStateFile } from './state-file.ts';

/** What all processes of one home know about rests. */
export interface CooldownStore {
  /** Those that nothing has ended but time: whoever asks compares `until` with the clock. What cannot be read is reported, and counts as none. */
  read(): Promise<readonly Cooldown[]>;
  /** Of these the ones that can close one of `workers`: found at once, however many there are. */
  readFor(workers: readonly Seated[]): Promise<readonly Cooldown[]>;
  /** Resolves when it is on the disk. It only ever lengthens a rest, and does nothing against newer evidence that ended it. */
  record(cooldown: Cooldown): Promise<Result<void, StoreProblem>>;
  /** Resolves with the cooldowns that this ended. An operator's clearance ends all it covers, whatever their dates say. */
  clear(clearance: Clearance): Promise<Result<readonly Cooldown[], StoreProblem>>;
}

/** What of a worker a cooldown may be on. */
type Seated = Pick<Worker, 'seat' | 'workspace'>;

type CooldownStoreOptions = Pick<
  StateFileOptions<SavedCooldowns>,
  'clock' | 'report' | 'waitAtMost' | 'signal' | 'disk'
> & {
  /** The folder, made when something is first recorded. */
  readonly home: string;
};

export function openCooldowns({ home, ...options }: CooldownStoreOptions): CooldownStore {
  const { clock } = options;
  const report = onceEach(options.report);
  const file = openStateFile<SavedCooldowns>({
    ...options,
    report,
    path: `${home}/cooldowns.json`,
    version: 1,
    check: async () => (await import('./cooldown-schema.ts')).checkCooldowns,
    isSound: isSavedCooldowns,
    empty: { cooldowns: [], clearances: [] },
  });

  /** Everything that is saved goes through the same join. */
  function learn<Value>(
    change: (known: CooldownState, now: EpochMs) => { readonly news: CooldownState; readonly value: Value },
  ): Promise<Result<Value, StoreProblem>> {
    return file.update((saved) => {
      const known = prune(fromSaved(saved), clock.now());
      const { news, value } = change(known, clock.now());
      return { state: toSaved(join(known, news), saved), value };
    });
  }

  // The file gives the same object for as long as it is unchanged.
  const understood = new WeakMap<SavedCooldowns, CooldownState>();
  function obeyed(saved: Result<SavedCooldowns, StoreProblem>): readonly Cooldown[] {
    if (!saved.ok) {
      report(saved.error);
      return [];
    }
    const known = understood.get(saved.value) ?? fromSaved(saved.value);
    understood.set(saved.value, known);
    return believed(known, clock.now());
  }

  return {
    read: async () => obeyed(await file.read()),
    readFor: async (workers) =>
      obeyed(await file.readHolding(workers.flatMap(wordsOf))).filter(({ target }) =>
        workers.some((worker) => isOn(target, worker)),
      ),
    record: (cooldown) =>
      learn(() => ({ news: { ...NOTHING_KNOWN, cooldowns: [cooldown] }, value: undefined })),
    clear: (clearance) =>
      learn((known, now) => {
        const covered = known.cooldowns.filter((cooldown) => isCovered(cooldown, clearance));
        const at = clearance.by === 'operator' ? latest(clearance.at, covered) : clearance.at;
        const ended = covered.filter(({ since }) => since <= at);
        const news = { ...NOTHING_KNOWN, clearances: [{ ...clearance, at }] };
        return { news, value: believed({ ...NOTHING_KNOWN, cooldowns: ended }, now) };
      }),
  };
}

/** An operator speaks of all that is there, also of what a clock that was ahead has dated after this moment. */
function latest(at: EpochMs, cooldowns: readonly Cooldown[]): EpochMs {
  return cooldowns.reduce((newest, { since }) => (since > newest ? since : newest), at);
}

/** Each record on the worker's seat or workspace holds one of them: `toSaved` writes these keys. */
function wordsOf({ seat, workspace }: Seated): readonly string[] {
  const words = [`"seat":${JSON.stringify(seat)}`];
  return workspace === undefined ? words : [...words, `"workspace":${JSON.stringify(workspace)}`];
}

function isOn(target: CooldownTarget, { seat, workspace }: Seated): boolean {
  return target.type === 'workspace' ? target.workspace === workspace : target.seat === seat;
}
