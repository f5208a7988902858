import type { Health, HealthNote } from '../core/health.ts';
import { noted } from '../core/health.ts';
import { workerId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';
import { ok } from '../core/result.ts';
import { epochMs, fromIso, toIso } from '../core/time.ts';
import type { EpochMs } from '../core/time.ts';
import type { SavedHealth } from './health-schema.ts';
import type { StoreProblem } from './problem.ts';
import { onceEach } from './problem.ts';
import { openStateFile } from './state-file.ts';
import type { StateFileOptions } from './state-look.ts';

/** What all processes of one home know about how the providers' machinery behaves. Nothing of quota is in here. */
export interface HealthStore {
  /** Whoever is not in it is healthy. What cannot be read is reported, and counts as nothing known. */
  read(): Promise<readonly Health[]>;
  /** Resolves when it is on the disk. A clean run of a worker of which nothing is known writes nothing and takes no lock. */
  note(note: HealthNote): Promise<Result<void, StoreProblem>>;
}

type HealthStoreOptions = Pick<
  StateFileOptions<SavedHealth>,
  'clock' | 'report' | 'waitAtMost' | 'signal'
> & {
  /** The folder, made when something is first noted. */
  readonly home: string;
};

export function openHealth({ home, ...options }: HealthStoreOptions): HealthStore {
  const report = onceEach(options.report);
  const file = openStateFile<SavedHealth>({
    ...options,
    report,
    path: `${home}/health.json`,
    version: 1,
    check: async () => (await import('./health-schema.ts')).checkHealth,
    empty: { workers: [] },
  });
  const read = async (): Promise<readonly Health[]> => {
    const saved = await file.read();
    if (saved.ok) return fromSaved(saved.value);
    report(saved.error);
    return [];
  };
  return {
    read,
    async note(note) {
      if (note.type === 'clean-run' && !(await read()).some(({ worker }) => worker === note.worker))
        return ok(undefined);
      return file.update((saved) => {
        const known = fromSaved(saved);
        const after = noted(known, note);
        return { state: after === known ? saved : toSaved(after, saved), value: undefined };
      });
    },
  };
}

// Between the file's words (texts, as JSON has them) and ours. Keys that are not ours travel along.

function fromSaved(saved: SavedHealth): readonly Health[] {
  return saved.workers.map((record) => {
    const { 'server-error': serverError, timeout, ...more } = record.troubles;
    return {
      ...record,
      worker: workerId(record.worker),
      troubles: {
        ...more,
        ...(serverError === undefined
          ? {}
          : { 'server-error': { ...serverError, at: instantFrom(serverError.at) } }),
        ...(timeout === undefined ? {} : { timeout: { ...timeout, at: instantFrom(timeout.at) } }),
      },
      triedAt: instantFrom(record.triedAt),
    };
  });
}

function toSaved(health: readonly Health[], before: SavedHealth): SavedHealth {
  return {
    ...before,
    workers: health.map(({ troubles, ...record }) => {
      const { 'server-error': serverError, timeout, ...more } = troubles;
      return {
        ...record,
        troubles: {
          ...more,
          ...(serverError === undefined
            ? {}
            : { 'server-error': { ...serverError, at: toIso(serverError.at) } }),
          ...(timeout === undefined ? {} : { timeout: { ...timeout, at: toIso(timeout.at) } }),
        },
        triedAt: toIso(record.triedAt),
      };
    }),
  };
}

/** The schema has read it before. */
function instantFrom(text: string): EpochMs {
  return fromIso(text) ?? epochMs(0);
}
