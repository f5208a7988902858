import { FULL_PERCENT } from '../core/quota.ts';
import type { EpochMs } from '../core/time.ts';
import { after, DAY, durationMs, formatDuration } from '../core/time.ts';
import { harmlessLine } from '../core/harmless.ts';
import { formatInstant } from './format.ts';
import type { Course, Occasions, Span } from './quota-course.ts';
import { stepOf } from './quota-course.ts';
import { percentWords } from './quota-view.ts';
import type { Style } from './style.ts';
import { wrap } from './wrap.ts';

export interface ChartLook {
  readonly zone: string;
  readonly style: Style;
  readonly columns: number;
}

const INDENT = 2;
const MOST_STEPS = 120;

/** How many steps of time a chart of so many columns has. */
export function stepsIn(columns: number): number {
  return Math.max(8, Math.min(MOST_STEPS, columns - INDENT));
}

/** The history of every window: a sparkline, when it filled, when it was reset, what was done meanwhile. */
export function chart(courses: readonly Course[], span: Span, look: ChartLook): readonly string[] {
  const { zone, columns, style } = look;
  const since = formatInstant(span.since, span.until, zone);
  const legend = `From ${since} until now; a column is ${formatDuration(stepOf(span))}, █ is full, · is unknown.`;
  return [
    ...wrap(legend, columns, 0),
    ...courses.flatMap((course) => [
      '',
      style.strong(harmlessLine(`${course.seat} ${course.window}`)),
      `${' '.repeat(INDENT)}${sparkline(course.levels, style)}`,
      `${' '.repeat(INDENT)}${style.faint(axis(span, since))}`,
      ...words(course, span.until, zone).flatMap((line) => told(line, columns)),
    ]),
  ];
}

/** Full blocks are for full windows alone, so that it can be told without colours. */
const LEVELS = '▁▂▃▄▅▆▇';

function sparkline(levels: readonly (number | undefined)[], style: Style): string {
  return levels
    .map((level) => {
      if (level === undefined) return style.faint('·');
      if (level >= FULL_PERCENT) return style.bad('█');
      return LEVELS[Math.min(LEVELS.length - 1, Math.floor((level / 100) * LEVELS.length))] ?? '';
    })
    .join('');
}

function axis({ steps }: Span, since: string): string {
  return since.length + 4 > steps ? 'now'.padStart(steps) : `${since}${'now'.padStart(steps - since.length)}`;
}

function words(course: Course, now: EpochMs, zone: string): readonly string[] {
  const { level, highest, filled, resets, sessions, costUsd } = course;
  const cost = costUsd === undefined ? '' : `, ${costUsd.toFixed(2)} USD`;
  const seen = highest === undefined ? '' : `, highest ${percentWords(highest)}`;
  return [
    `now ${level === undefined ? 'unknown' : percentWords(level)}${seen}; ${count(sessions, 'session')}${cost}`,
    `filled ${occasions(filled, now, zone)}`,
    `reset ${occasions(resets, now, zone)}`,
  ];
}

/** Under the chart, and what does not fit goes on a little further in. */
function told(line: string, columns: number): readonly string[] {
  return wrap(line, columns - INDENT, INDENT).map((one) => ' '.repeat(INDENT) + one);
}

const TOLD = 4;
const TWO_DAYS = durationMs(2 * DAY);

function occasions({ count: all, newest }: Occasions, now: EpochMs, zone: string): string {
  if (all === 0) return 'never';
  // Seen from another day, so that each names its own.
  const told = newest.slice(-TOLD).map((at) => formatInstant(at, after(now, TWO_DAYS), zone));
  return `${count(all, 'time')}: ${all > told.length ? '… ' : ''}${told.join('; ')}`;
}

function count(amount: number, what: string): string {
  return `${String(amount)} ${what}${amount === 1 ? '' : 's'}`;
}
