import { windowKey } from '../../core/quota.ts';
import type { DurationMs, EpochMs } from '../../core/time.ts';
import { DAY, durationMs, epochMs, toIso } from '../../core/time.ts';
import { readLedger } from '../../store/ledger.ts';
import { EXIT } from '../exit-codes.ts';
import { harmlessLine, jsonText } from '../../core/harmless.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import { chart, stepsIn } from '../quota-chart.ts';
import type { Span } from '../quota-course.ts';
import { Course } from '../quota-course.ts';
import type { Sample } from '../quota-samples.ts';
import { SAMPLE_TYPES, Samples } from '../quota-samples.ts';
import { style } from '../style.ts';
import { PIPED_COLUMNS, wrap } from '../wrap.ts';

export interface HistoryFlags {
  readonly since?: DurationMs;
  readonly seat?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
}

const DEFAULT_SINCE = durationMs(7 * DAY);

/** `quota history`: how full every window was over time, from the ledger, read as a stream. */
export async function quotaHistory(io: Io, flags: HistoryFlags): Promise<number> {
  const { since = DEFAULT_SINCE, json, csv } = flags;
  if (json === true && csv === true) {
    const message = '--json and --csv exclude each other: expected one of them, but found both.';
    return refuse(io, { reason: 'usage', message });
  }
  const { terminal, zone, clock } = io;
  const until = clock.now();
  const columns = terminal.outColumns ?? PIPED_COLUMNS;
  const span = { since: epochMs(until - since), until, steps: stepsIn(columns) };
  const out = gently(io);
  if (csv === true) {
    await out.say('at,seat,window,usedPercent,resetAt,source,sessions,costUsd\n');
    await coursesOf(io, span, flags.seat, (sample) => out.say(csvLine(sample)));
    return EXIT.done;
  }
  if (json === true) {
    await out.say(`{"since":"${toIso(span.since)}","until":"${toIso(until)}","samples":[`);
    let isFirst = true;
    const courses = await coursesOf(io, span, flags.seat, async (sample) => {
      await out.say(`${isFirst ? '' : ','}\n${jsonText(sampleJson(sample))}`);
      isFirst = false;
    });
    await out.say(`\n],"windows":${jsonText(courses.map(courseJson))}}\n`);
    return EXIT.done;
  }
  const courses = await coursesOf(io, span, flags.seat, () => Promise.resolve());
  if (courses.length === 0) {
    const of = flags.seat === undefined ? '' : ` of seat ${flags.seat}`;
    terminal.out(`${wrap(`No reading${of} was written down in that time.`, columns, 0).join('\n')}\n`);
    return EXIT.done;
  }
  const look = { zone, style: style(terminal.colors.out), columns };
  for (const line of chart(courses, span, look)) terminal.out(`${line}\n`);
  return EXIT.done;
}

async function coursesOf(
  { stateHome }: Io,
  span: Span,
  seat: string | undefined,
  tell: (sample: Sample) => Promise<void>,
): Promise<readonly Course[]> {
  const samples = new Samples();
  const courses = new Map<string, Course>();
  for await (const entry of readLedger(stateHome, { since: span.since, holding: SAMPLE_TYPES })) {
    const sample = samples.push(entry);
    if (sample === undefined || (seat !== undefined && sample.seat !== seat)) continue;
    const key = windowKey(sample);
    const course = courses.get(key) ?? new Course(sample, span);
    courses.set(key, course);
    course.add(sample);
    await tell(sample);
  }
  for (const course of courses.values()) course.end();
  return [...courses].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, course]) => course);
}

/** How much is handed to stdout before it is waited for: a slow reader must not make the memory grow. */
const CHUNK = 256 * 1024;

function gently({ terminal }: Io): { readonly say: (text: string) => Promise<void> } {
  let said = 0;
  return {
    async say(text) {
      terminal.out(text);
      said += text.length;
      if (said < CHUNK) return;
      said = 0;
      await terminal.outTaken();
    },
  };
}

function csvLine({ at, seat, window, usedPercent, resetAt, source, sessions, costUsd }: Sample): string {
  const cells = [
    ...[toIso(at), seat, window, number(usedPercent), resetAt === undefined ? '' : toIso(resetAt), source],
    ...[String(sessions), number(costUsd)],
  ];
  return `${cells.map(csvCell).join(',')}\n`;
}

function number(value: number | undefined): string {
  return value === undefined ? '' : String(value);
}

/** A vendor's name may hold anything; and a spreadsheet takes what begins with `=` for a formula. */
function csvCell(text: string): string {
  const shown = harmlessLine(text);
  const plain = /^[=+@-]/.test(shown) ? `'${shown}` : shown;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

function sampleJson({ at, resetAt, costUsd, usedPercent, ...sample }: Sample): Record<string, unknown> {
  return {
    at: toIso(at),
    ...sample,
    usedPercent: usedPercent ?? null,
    resetAt: resetAt === undefined ? null : toIso(resetAt),
    costUsd: costUsd ?? null,
  };
}

function courseJson(course: Course): Record<string, unknown> {
  const { seat, window, samples, sessions, level, highest, costUsd, filled, resets } = course;
  const instants = (all: readonly EpochMs[]): readonly string[] => all.map(toIso);
  return {
    ...{ seat, window, samples, sessions, costUsd: costUsd ?? null },
    ...{ usedPercent: level ?? null, highestPercent: highest ?? null },
    ...{ filled: filled.count, filledAt: instants(filled.newest) },
    ...{ resets: resets.count, resetAt: instants(resets.newest) },
  };
}
