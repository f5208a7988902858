import type { QuotaReading } from '../core/quota.ts';
import type { EpochMs } from '../core/time.ts';
import type { Standing } from '../fleet/standing.ts';
import { formatInstant } from './format.ts';
import { quotaWords } from './quota-view.ts';
import type { State } from './standing-words.ts';
import { leftWords, stateOf, untilWords, whyWords } from './standing-words.ts';
import type { Style } from './style.ts';
import type { Cell } from './table.ts';
import { textTable } from './table.ts';
import { wrap } from './wrap.ts';

export interface FrameOptions {
  readonly now: EpochMs;
  readonly zone: string;
  readonly style: Style;
  /** How full the windows of each seat were last seen. */
  readonly readings: readonly QuotaReading[];
  /** As wide as the terminal; `undefined`: there is none. */
  readonly columns: number | undefined;
}

/** Who can take a task and who cannot, at a glance: a sentence and a table, the first back first. */
export function statusFrame(
  all: readonly Standing[],
  { now, zone, style, readings, columns }: FrameOptions,
): readonly string[] {
  const rows = all.map((one): readonly Cell[] => {
    const state = stateOf(one);
    return [
      ...[one.worker.id, { text: state, paint: (text: string) => coloured(style, state, text) }],
      ...[untilWords(one, now, zone), leftWords(one, now)],
      ...[quotaWords(one.worker.seat, readings, now, one.type === 'candidate'), whyWords(one)],
    ];
  });
  const look = { columns, paintHead: style.faint };
  const table = textTable(['WORKER', 'STATE', 'UNTIL', 'IN', 'USED', 'WHY'], rows, look);
  return [...wrap(summary(all, now, zone), columns ?? Infinity, 0), '', ...table.trimEnd().split('\n')];
}

/** `2 of 4 workers can take a task now; the next back is claude, at 23:16.` */
function summary(all: readonly Standing[], now: EpochMs, zone: string): string {
  const able = all.filter(({ type }) => type === 'candidate').length;
  const next = all.find(
    (one) => one.type === 'skipped' && one.why.because === 'resting' && one.why.until !== undefined,
  );
  const until = next?.type === 'skipped' ? next.why.until : undefined;
  const at = until === undefined ? undefined : formatInstant(until, now, zone);
  const [first] = all;
  if (first === undefined) return 'There are no workers, as no CLI is installed: see secondwind doctor.';
  if (all.length === 1) {
    const can = able === 1 ? 'can' : 'cannot';
    return `The only worker, ${first.worker.id}, ${can} take a task now${at === undefined ? '' : `; it is back at ${at}`}.`;
  }
  const back = next === undefined || at === undefined ? '' : `; the next back is ${next.worker.id}, at ${at}`;
  return `${howMany(able, all.length)} workers can take a task now${back}.`;
}

function howMany(able: number, all: number): string {
  if (able === 0) return `None of ${String(all)}`;
  if (able < all) return `${String(able)} of ${String(all)}`;
  return all === 2 ? 'Both' : `All ${String(all)}`;
}

function coloured(style: Style, state: State, text: string): string {
  switch (state) {
    case 'ready':
      return style.good(text);
    case 'last-resort':
    case 'resting':
    case 'unhealthy':
    case 'busy':
      return style.warn(text);
    case 'missing':
    case 'spent':
      return style.bad(text);
    case 'reserve':
      return style.faint(text);
  }
}
