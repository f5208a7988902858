import { seatId } from '../core/ids.ts';
import type { Poll } from '../core/poll.ts';
import type { QuotaReading } from '../core/quota.ts';
import { newestReadings } from '../core/quota.ts';
import { durationMs, epochMs, fromIso, SECOND, toIso } from '../core/time.ts';
import type { EpochMs } from '../core/time.ts';
import type { StoreProblem } from './problem.ts';
import { onceEach } from './problem.ts';
import type { SavedQuota } from './quota-schema.ts';
import { openStateFile } from './state-file.ts';
import type { StateFileOptions } from './state-look.ts';

/** What all processes of one home know of how full quota windows are. Nothing is refused because of anything in here. */
export interface QuotaStore {
  /** The newest reading of every window. What cannot be read is reported, and counts as nothing known. */
  readonly read: () => Promise<readonly QuotaReading[]>;
  /**
   * Takes readings. Saved soon, together with what comes meanwhile; a failure is reported once, and stops nothing.
   */
  readonly note: (readings: readonly QuotaReading[]) => void;
  /** Resolves when everything that was taken is saved, or cannot be. */
  readonly saved: () => Promise<void>;
  readonly polls: () => Promise<readonly Poll[]>;
  readonly notePoll: (poll: Poll) => Promise<void>;
}

type QuotaStoreOptions = Pick<StateFileOptions<SavedQuota>, 'clock' | 'report' | 'disk'> & {
  /** The folder, made when something is first noted. */
  readonly home: string;
};

/** Others hold the lock for milliseconds; whoever waits longer for it does without. */
const WAIT = durationMs(2 * SECOND);

export function openQuota({ home, clock, ...options }: QuotaStoreOptions): QuotaStore {
  const report = onceEach(options.report);
  const file = openStateFile<SavedQuota>({
    ...{ ...options, clock, report, path: `${home}/quota.json`, version: 1, waitAtMost: WAIT },
    check: async () => (await import('./quota-schema.ts')).checkQuota,
    empty: { readings: [], polls: [] },
  });
  let taken: QuotaReading[] = [];
  let saving: Promise<void> | undefined;

  async function saved(): Promise<SavedQuota> {
    const found = await file.read();
    if (found.ok) return found.value;
    report(found.error);
    return { readings: [], polls: [] };
  }

  async function update(change: (before: SavedQuota) => SavedQuota): Promise<void> {
    const written = await file.update((before) => ({ state: change(before), value: undefined }));
    if (!written.ok) report(notWritten(written.error));
  }

  async function saveAll(): Promise<void> {
    // What is taken in this same turn is saved as one, and nobody who hands a reading in waits for the disk.
    await Promise.resolve();
    while (taken.length > 0) {
      const news = taken;
      taken = [];
      await update((before) => withReadings(before, news, clock.now()));
    }
    saving = undefined;
  }

  return {
    read: async () => fromSaved(await saved()),
    note(readings) {
      if (readings.length === 0) return;
      taken.push(...readings);
      saving ??= saveAll();
    },
    saved: () => saving ?? Promise.resolve(),
    polls: async () => pollsFrom(await saved()),
    notePoll: (poll) =>
      update((before) => ({
        ...before,
        polls: [...before.polls.filter(({ seat }) => seat !== poll.seat), savedPoll(poll)],
      })),
  };
}

function notWritten(problem: StoreProblem): StoreProblem {
  return { ...problem, message: `${problem.message} Readings of quotas are not kept.` };
}

// Between the file's words (texts and nulls, as JSON has them) and ours. Keys that are not ours travel along.

function withReadings(before: SavedQuota, news: readonly QuotaReading[], now: EpochMs): SavedQuota {
  const known = fromSaved(before);
  const newest = newestReadings(known, news, now);
  const isSame = newest.length === known.length && newest.every((one, index) => one === known[index]);
  return isSame ? before : { ...before, readings: newest.map(toSaved) };
}

function fromSaved(saved: SavedQuota): readonly QuotaReading[] {
  return saved.readings.map((record) => ({
    ...record,
    seat: seatId(record.seat),
    usedPercent: record.usedPercent ?? undefined,
    resetAt: record.resetAt === null ? undefined : instantFrom(record.resetAt),
    observedAt: instantFrom(record.observedAt),
  }));
}

function toSaved(reading: QuotaReading): SavedQuota['readings'][number] {
  return {
    ...reading,
    usedPercent: reading.usedPercent ?? null,
    resetAt: reading.resetAt === undefined ? null : toIso(reading.resetAt),
    observedAt: toIso(reading.observedAt),
  };
}

function pollsFrom({ polls }: SavedQuota): readonly Poll[] {
  return polls.map((record) => ({
    ...record,
    seat: seatId(record.seat),
    at: instantFrom(record.at),
    notBefore: record.notBefore === null ? undefined : instantFrom(record.notBefore),
    why: record.why ?? undefined,
  }));
}

function savedPoll(poll: Poll): SavedQuota['polls'][number] {
  return {
    ...poll,
    at: toIso(poll.at),
    notBefore: poll.notBefore === undefined ? null : toIso(poll.notBefore),
    why: poll.why ?? null,
  };
}

/** The schema has read it before. */
function instantFrom(text: string): EpochMs {
  return fromIso(text) ?? epochMs(0);
}
