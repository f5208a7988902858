import type { SeatId } from '../core/ids.ts';
import type { QuotaReading } from '../core/quota.ts';
import { ageOf, believable, FULL_PERCENT, isFull, NEARLY_FULL_PERCENT, stateOf } from '../core/quota.ts';
import type { DurationMs, EpochMs } from '../core/time.ts';
import { between, formatDuration, toIso } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import { harmlessLine } from '../core/harmless.ts';
import { formatInstant } from './format.ts';
import type { Style } from './style.ts';

/** One window of a seat, or a seat of which nothing was ever seen. */
export interface WindowRow {
  readonly seat: SeatId;
  readonly reading: QuotaReading | undefined;
}

export interface QuotaLook {
  readonly now: EpochMs;
  readonly zone: string;
  readonly style: Style;
  readonly columns: number;
}

/** The windows of every seat of the fleet in its order, then those of seats that are only on record. */
export function windowRows(
  fleet: readonly Pick<Worker, 'seat'>[],
  readings: readonly QuotaReading[],
): readonly WindowRow[] {
  const seats = new Set([...fleet.map(({ seat }) => seat), ...readings.map(({ seat }) => seat)]);
  return [...seats].flatMap((seat): readonly WindowRow[] => {
    const own = readings.filter((reading) => reading.seat === seat).map(believable);
    return own.length === 0 ? [{ seat, reading: undefined }] : own.map((reading) => ({ seat, reading }));
  });
}

/** What a line says, in words: a colour only repeats it. */
interface Cells {
  readonly seat: string;
  readonly window: string;
  /** `undefined`: not known. */
  readonly percent: number | undefined;
  readonly used: string;
  readonly resets: string;
  readonly seen: string;
}

const LONGEST_BAR = 20;
const SHORTEST_BAR = 8;
const GAP = 2;
const NEVER = 'never';

/** A bar for every window, as lines: a table where it fits into `columns`, else a few lines each. */
export function quotaLines(rows: readonly WindowRow[], look: QuotaLook): readonly string[] {
  const all = rows.map((row) => cellsOf(row, look));
  return tableOf(all, look) ?? all.flatMap((cells) => stackOf(cells, look));
}

/**
 * The windows of one seat in a few words: `5h 42 %, 7d 10 %`. What is not known is said to be unknown. Where the seat is
 * not closed (`isOpen`), a full window is something of the past, so its age is said.
 */
export function quotaWords(
  seat: SeatId,
  readings: readonly QuotaReading[],
  now: EpochMs,
  isOpen: boolean,
): string {
  const own = readings.filter((reading) => reading.seat === seat).map(believable);
  const words = own.map((reading) => {
    const age = ageOf(reading, now);
    const seen = isOpen && isFull(reading) && age !== undefined ? ` (${roughly(age)} ago)` : '';
    return `${harmlessLine(reading.window)} ${usedWords(reading, now, seen)}`;
  });
  return words.length === 0 ? 'unknown' : words.join(', ');
}

function usedWords(reading: QuotaReading, now: EpochMs, seen = ''): string {
  const state = stateOf(reading, now);
  switch (state.type) {
    case 'known':
      return percentWords(state.usedPercent) + seen;
    case 'reset':
      return 'was reset';
    case 'unknown':
      return reading.source === 'run' ? 'has room' : 'unknown';
  }
}

const HEAD = { seat: 'SEAT', window: 'WINDOW', used: 'USED', resets: 'RESETS', seen: 'SEEN' } as const;

function tableOf(all: readonly Cells[], look: QuotaLook): readonly string[] | undefined {
  const wide = (key: keyof typeof HEAD): number =>
    Math.max(HEAD[key].length, ...all.map((cells) => cells[key].length));
  const [seat, window, used, resets] = [wide('seat'), wide('window'), wide('used'), wide('resets')];
  const room = look.columns - seat - window - used - resets - wide('seen') - 4 * GAP - 1;
  if (room < SHORTEST_BAR) return undefined;
  const bar = Math.min(LONGEST_BAR, room);
  const line = (cells: Readonly<Record<keyof typeof HEAD, string>>, drawn: string): string =>
    [
      ...[cells.seat.padEnd(seat), cells.window.padEnd(window), drawn],
      ...[cells.resets.padEnd(resets), cells.seen],
    ]
      .join(' '.repeat(GAP))
      .trimEnd();
  return [
    look.style.faint(line(HEAD, HEAD.used.padEnd(bar + 1 + used))),
    ...all.map((cells) =>
      line(cells, `${drawBar(cells.percent, bar, look.style)} ${cells.used.padStart(used)}`),
    ),
  ];
}

function stackOf(cells: Cells, { columns, style }: QuotaLook): readonly string[] {
  const bar = Math.max(SHORTEST_BAR, Math.min(LONGEST_BAR, columns - 2 - 1 - cells.used.length));
  return [
    style.strong(cells.seen === NEVER ? cells.seat : `${cells.seat} ${cells.window}`),
    `  ${drawBar(cells.percent, bar, style)} ${cells.used}`,
    ...(cells.resets === '' ? [] : [`  ${/^\d|^[A-Z]/.test(cells.resets) ? 'resets ' : ''}${cells.resets}`]),
    `  ${cells.seen === NEVER ? 'never seen' : `seen ${cells.seen}`}`,
  ];
}

/** A bar of so many characters; dots: nobody knows. It is full only when the window is. */
function drawBar(percent: number | undefined, width: number, style: Style): string {
  if (percent === undefined) return style.faint('·'.repeat(width));
  const isFull = percent >= FULL_PERCENT;
  const drawn = isFull ? width : Math.min(width - 1, Math.round((percent / 100) * width));
  const paint = isFull ? style.bad : percent >= NEARLY_FULL_PERCENT ? style.warn : style.good;
  return paint('█'.repeat(drawn)) + style.faint('░'.repeat(width - drawn));
}

function cellsOf({ seat, reading }: WindowRow, { now, zone }: QuotaLook): Cells {
  if (reading === undefined)
    return {
      seat: harmlessLine(seat),
      window: '-',
      percent: undefined,
      used: 'unknown',
      resets: '',
      seen: NEVER,
    };
  const state = stateOf(reading, now);
  const percent = state.type === 'known' ? state.usedPercent : undefined;
  const age = ageOf(reading, now);
  return {
    ...{ seat: harmlessLine(seat), window: harmlessLine(reading.window), percent },
    used: state.type === 'reset' ? 'unknown' : usedWords(reading, now),
    resets: resetWords(reading, now, zone),
    seen: `${age === undefined ? 'in the future' : `${roughly(age)} ago`} (${reading.source})`,
  };
}

/** `100 %` is said of a full window only. */
export function percentWords(percent: number): string {
  const shown =
    percent >= FULL_PERCENT ? Math.max(100, Math.round(percent)) : Math.min(99, Math.round(percent));
  return `${String(shown)} %`;
}

function resetWords({ resetAt, source }: QuotaReading, now: EpochMs, zone: string): string {
  if (resetAt === undefined) return source === 'run' ? '' : 'unknown';
  if (resetAt <= now) return `was reset ${roughly(between(resetAt, now))} ago`;
  return `${formatInstant(resetAt, now, zone)} (in ${formatDuration(between(now, resetAt))})`;
}

/** Its largest unit alone: `3m`, `2d`. */
function roughly(duration: DurationMs): string {
  return formatDuration(duration).split(' ')[0] ?? '0s';
}

/** A window as `--json` has it; what is not known is null. */
export function windowJson({ seat, reading }: WindowRow, now: EpochMs): Record<string, unknown> {
  if (reading === undefined) {
    const nothing = { usedPercent: null, resetAt: null, resetsInMs: null, observedAt: null };
    return { seat, window: null, state: 'unknown', ...nothing, ageMs: null, source: null };
  }
  const { window, resetAt, observedAt, source } = reading;
  const state = stateOf(reading, now);
  const isAhead = resetAt !== undefined && resetAt > now;
  return {
    ...{ seat, window, state: state.type },
    usedPercent: state.type === 'known' ? state.usedPercent : null,
    resetAt: resetAt === undefined ? null : toIso(resetAt),
    resetsInMs: isAhead ? between(now, resetAt) : null,
    ...{ observedAt: toIso(observedAt), ageMs: ageOf(reading, now) ?? null, source },
  };
}
