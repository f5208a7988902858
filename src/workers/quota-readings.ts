import type { Reading } from '../core/event.ts';
import { FULL_PERCENT, windowOfLength, windowOfWords } from '../core/quota.ts';
import type { ReadingSource } from '../core/quota.ts';
import type { Signal } from '../core/signal.ts';
import type { EpochMs } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { WindowsRecord } from '../signals/rollout.ts';
import type { Variables } from '../system/environment.ts';
import { isSystemError } from '../system/system-error.ts';
import type { Adapter, WindowReading } from './adapter.ts';
import type { NewestReading } from './closed-window.ts';
import type { Ending } from './ending.ts';
import type { QuotaAnswer } from './quota-answer.ts';

// Everything that tells how full a window is, turned into the one kind of event that the ledger, `quota.json` and the
// rules read. Nothing in here decides anything.

/** No vendor's name of a window is longer, and a line of a table has to hold it. */
const LONGEST_NAME = 40;

/** The furthest instants that are dates at all. */
const LAST_INSTANT = 8.64e15;

export function readingEvent(
  worker: Worker,
  { window, usedPercent, resetAt, warning }: Omit<WindowReading, 'type'>,
  source: ReadingSource,
  observedAt?: EpochMs,
): Reading {
  const isDate = resetAt !== undefined && Math.abs(resetAt) <= LAST_INSTANT;
  return {
    ...{ type: 'reading', worker: worker.id, seat: worker.seat, window: window.slice(0, LONGEST_NAME) },
    ...{ usedPercent, resetAt: isDate ? resetAt : undefined, warning, source, observedAt },
  };
}

/** What a free look at a quota told. */
export function answerReadings(worker: Worker, answer: QuotaAnswer): readonly Reading[] {
  if (answer.type !== 'seen') return [];
  return answer.windows.map(({ name, scope, usedPercent, resetAt }) =>
    readingEvent(
      worker,
      { window: windowOfWords(name, scope), usedPercent, resetAt, warning: false },
      'probe',
    ),
  );
}

/** An attempt that is over. */
export interface OverAttempt {
  readonly ending: Ending;
  readonly worker: Worker;
  readonly adapter: Adapter;
  readonly env: Variables;
  /** Its conversation, by which the file is known in which its CLI noted the windows. */
  readonly conversation: string | undefined;
  readonly startedAt: EpochMs;
}

/** What an attempt's end tells: what its CLI noted on disk while it ran, and the window that it was refused for. */
export function closingReadings(
  over: OverAttempt,
  tools: { readonly newestReading: NewestReading; readonly home: string },
): readonly Reading[] {
  const { ending, worker } = over;
  const noted = notedReadings(worker, notesOf(over, tools));
  if (ending.type !== 'refused') return noted;
  const closed = closedWindow(worker, ending.signal);
  const isNoted = noted.some(({ usedPercent }) => usedPercent !== undefined && usedPercent >= FULL_PERCENT);
  return closed === undefined || isNoted ? noted : [...noted, closed];
}

/** Only the file of this very conversation is read: a home may hold thousands. */
function notesOf(
  { adapter: { readings }, env, conversation, startedAt }: OverAttempt,
  { newestReading, home }: { readonly newestReading: NewestReading; readonly home: string },
): WindowsRecord | undefined {
  if (readings === undefined || conversation === undefined) return undefined;
  const own = {
    ...readings,
    matches: (path: string): boolean => path.includes(conversation) && readings.matches(path),
  };
  try {
    const newest = newestReading(own, readings.folder(env, home));
    // What is older was there before, perhaps of the seat that this conversation came from.
    return newest !== undefined && newest.observedAt >= startedAt ? newest : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function notedReadings(worker: Worker, record: WindowsRecord | undefined): readonly Reading[] {
  if (record === undefined) return [];
  const { windows, scope, observedAt } = record;
  return windows.map(({ usedPercent, minutes, resetAt }) => {
    const window = windowOfLength(minutes, scope);
    return readingEvent(worker, { window, usedPercent, resetAt, warning: false }, 'file', observedAt);
  });
}

/** A refusal for a window is a reading of it: it is full. A throttle names no window, and is none. */
function closedWindow(worker: Worker, { kind, scope, reason, resetAt }: Signal): Reading | undefined {
  if (kind !== 'rate-limit') return undefined;
  const window = windowOfWords(reason, scope);
  if (resetAt === undefined && window.startsWith('limit')) return undefined;
  return readingEvent(worker, { window, usedPercent: 100, resetAt, warning: false }, 'refusal');
}
