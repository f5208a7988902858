import type { QuotaReading } from '../core/quota.ts';
import type { EpochMs } from '../core/time.ts';
import type { Standing } from '../fleet/standing.ts';
import { formatInstant } from './format.ts';
import { quotaWords } from './quota-view.ts';
import type { State } from './standing-words.ts';
import { leftWords, stateOf, untilWords, whyWords } from './standing-words.ts';
import type { Style } from './style.ts';
import { textTable } from './table.ts';

export interface FrameOptions {
  readonly now: EpochMs;
  readonly zone: string;
  readonly style: Style;
  /** How full the windows of each seat were last seen. */
  readonly readings: readonly QuotaReading[];
  /** Lines are cut to this; `undefined`: as long as they are. */
  readonly columns: number | undefined;
}

/** Who can take a task and who cannot, at a glance: a sentence and a table, the first back first. */
export function statusFrame(
  all: readonly Standing[],
  { now, zone, style, readings, columns }: FrameOptions,
): readonly string[] {
  const rows = all.map((one) => [
    ...[one.worker.id, stateOf(one), untilWords(one, now, zone), leftWords(one, now)],
    ...[quotaWords(one.worker.seat, readings, now), whyWords(one)],
  ]);
  const [head = '', ...lines] = textTable(['WORKER', 'STATE', 'UNTIL', 'IN', 'USED', 'WHY'], rows)
    .trimEnd()
    .split('\n');
  const at = Math.max(...['WORKER', ...all.map(({ worker }) => worker.id)].map(({ length }) => length)) + 2;
  const shown = all.map((one, index) => {
    const state = stateOf(one);
    const line = cut(lines[index] ?? '', columns);
    const end = at + state.length;
    return line.slice(0, at) + coloured(style, state, line.slice(at, end)) + line.slice(end);
  });
  return [cut(summary(all, now, zone), columns), '', style.faint(cut(head, columns)), ...shown];
}

/** `2 of 4 workers can take a task now; the next back is claude, at 23:16.` */
function summary(all: readonly Standing[], now: EpochMs, zone: string): string {
  const able = all.filter(({ type }) => type === 'candidate').length;
  const next = all.find(
    (one) => one.type === 'skipped' && one.why.because === 'resting' && one.why.until !== undefined,
  );
  const until = next?.type === 'skipped' ? next.why.until : undefined;
  const back =
    next === undefined || until === undefined
      ? ''
      : `; the next back is ${next.worker.id}, at ${formatInstant(until, now, zone)}`;
  const who = all.length === 1 ? 'worker' : 'workers';
  return `${able === 0 ? 'None' : String(able)} of ${String(all.length)} ${who} can take a task now${back}.`;
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

function cut(line: string, columns: number | undefined): string {
  if (columns === undefined || line.length <= columns) return line;
  return `${line.slice(0, Math.max(0, columns - 1))}…`;
}
