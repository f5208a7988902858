import type { Clearance, Cooldown } from '../core/cooldown.ts';
import type { CooldownState } from '../core/merge.ts';
import { believed, isCovered, join, NOTHING_KNOWN, prune } from '../core/merge.ts';
import type { Result } from '../core/result.ts';
import type { EpochMs } from '../core/time.ts';
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
  /** Resolves when it is on the disk. It only ever lengthens a rest, and does nothing against newer evidence that ended it. */
  record(cooldown: Cooldown): Promise<Result<void, StoreProblem>>;
  /** Resolves with the cooldowns that this ended. An operator's clearance ends all it covers, whatever their dates say. */
  clear(clearance: Clearance): Promise<Result<readonly Cooldown[], StoreProblem>>;
}

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
    schema: async () => (await import('./cooldown-schema.ts')).cooldownsSchema,
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

  let last: { readonly saved: SavedCooldowns; readonly known: CooldownState } | undefined;
  return {
    async read() {
      const saved = await file.read();
      if (saved.ok) {
        // The file gives the same object for as long as it is unchanged.
        if (last?.saved !== saved.value) last = { saved: saved.value, known: fromSaved(saved.value) };
        return believed(last.known, clock.now());
      }
      report(saved.error);
      return [];
    },
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
