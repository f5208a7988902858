import type { Reading } from '../../src/core/event.ts';
import { seatId, sessionId, workerId } from '../../src/core/ids.ts';
import { DAY, durationMs, epochMs, HOUR, MINUTE } from '../../src/core/time.ts';
import type { EpochMs } from '../../src/core/time.ts';
import { eventLine } from '../../src/library/event-json.ts';
import { openLedger } from '../../src/store/ledger.ts';

/**
 * GENERATED samples: nobody measured them. A fortnight of one seat that works from 8 to 20 every day, on a five-hour window
 * that begins with its first use and a weekly one; every second day the five-hour window fills after lunch.
 */

export const FORTNIGHT_ENDS = epochMs(Date.UTC(2026, 8, 29, 12));
const BEGINS = epochMs(FORTNIGHT_ENDS - 14 * DAY);
const EVERY = durationMs(15 * MINUTE);

interface Window {
  readonly name: string;
  readonly length: number;
  used: number;
  resetAt: EpochMs | undefined;
}

/** Writes them into the ledger of a home. */
export function writeGeneratedFortnight(home: string): void {
  const ledger = openLedger({
    home,
    report: ({ message }) => {
      throw new Error(message);
    },
  });
  const windows: Window[] = [
    { name: '5h', length: 5 * HOUR, used: 0, resetAt: undefined },
    { name: '7d', length: 7 * DAY, used: 0, resetAt: undefined },
  ];
  for (let at: EpochMs = BEGINS; at < FORTNIGHT_ENDS; at = epochMs(at + EVERY)) {
    const hour = Math.floor((at % DAY) / HOUR);
    if (hour < 8 || hour >= 20) continue;
    const isHardDay = Math.floor(at / DAY) % 2 === 0;
    for (const window of windows) {
      if (window.resetAt === undefined || window.resetAt <= at) {
        window.used = 0;
        window.resetAt = epochMs(at + window.length);
      }
      const pace = window.name === '5h' ? (isHardDay && hour >= 12 ? 9 : 3) : isHardDay ? 0.35 : 0.2;
      window.used = Math.min(100, window.used + pace);
      ledger.append(eventLine({ ...reading(window), at, session: session(at) }).trimEnd(), at);
    }
    if (at % HOUR === 0) {
      const line = eventLine({
        ...{ type: 'attempt.ended', worker: workerId('work'), outcome: 'done', exitCode: 0 },
        ...{ reason: undefined, killedBecause: undefined, durationMs: MINUTE },
        ...{ seat: seatId('work'), costUsd: 0.25, at, session: session(at) },
      });
      ledger.append(line.trimEnd(), at);
    }
  }
  ledger.close();
}

function reading({ name, used, resetAt }: Window): Reading {
  return {
    ...{ type: 'reading', worker: workerId('work'), seat: seatId('work'), window: name },
    ...{ usedPercent: Math.round(used * 10) / 10, resetAt, warning: used >= 90, source: 'event' },
  };
}

function session(at: EpochMs) {
  return sessionId(`generated-${String(at)}`);
}
