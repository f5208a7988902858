import { epochMs } from '../../../src/core/time.ts';
import type { EpochMs } from '../../../src/core/time.ts';

/** The zone of the made-up host on which messages without a zone were printed. */
export const HOST_ZONE = 'America/New_York';

/** What the `reset` note of a reported message means: when to say that it was printed, and what must be read from it. */
export type ExpectedReset =
  | { readonly type: 'at'; readonly printedAt: EpochMs; readonly resetAt: EpochMs }
  | { readonly type: 'none'; readonly printedAt: EpochMs }
  /** Google's daily quota: the message names nothing, a rule does. */
  | { readonly type: 'midnight-pacific'; readonly printedAt: EpochMs }
  /** The note itself says that the message does not tell. */
  | { readonly type: 'open'; readonly printedAt: EpochMs };

const USUAL = epochMs(Date.parse('2026-03-10T09:17:23Z'));
const HOUR = 3_600_000;

/** Reads the corpus's notes with its own few rules, and finds instants by asking Intl minute by minute: no code of the product. */
export function expectedReset(note: string): ExpectedReset {
  const epoch = /epoch (\d{10})/.exec(note)?.[1];
  if (
    /not useful|bug|meaningless|FALSE|\{time\}|tail follows|-unified-reset|not verified|cut off/.test(note)
  ) {
    return { type: 'open', printedAt: USUAL };
  }
  if (/daily|per day/i.test(note)) return { type: 'midnight-pacific', printedAt: USUAL };
  if (epoch !== undefined) return before(Number(epoch) * 1_000);
  const iso = /(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2})?)(?:Z| UTC)/.exec(note);
  if (iso !== null) return before(Date.parse(`${iso[1] ?? ''}T${iso[2] ?? ''}Z`));
  const american = /on (\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(note);
  if (american !== null) {
    const [, month, day, year] = american.map(Number);
    return before(
      shownAt({ year: year ?? 0, month: month ?? 0, day: day ?? 0, hour: 0, minute: 0 }, HOST_ZONE),
    );
  }
  return dated(note) ?? timed(note) ?? lasting(note) ?? { type: 'none', printedAt: USUAL };
}

function before(resetAt: number): ExpectedReset {
  return { type: 'at', printedAt: epochMs(resetAt - 20 * HOUR - 37_000), resetAt: epochMs(resetAt) };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

function dated(note: string): ExpectedReset | undefined {
  const match =
    /([A-Z][a-z]{2}) (\d{1,2})(?:st|nd|rd|th)?(?:, | )?(\d{4})?,? ?(\d{1,2})(?::(\d{2}))? ?([ap])\.?m/i.exec(
      note,
    ) ?? undefined;
  const spanish = /(\d{1,2}) ([a-z]{3}) (\d{4}), (\d{1,2}):(\d{2}) ([ap])\.m/.exec(note);
  const [, month = '', day = '', year, hour = '', minute, half = ''] =
    spanish === null ? (match ?? []) : [...spanish.slice(0, 1), spanish[2], spanish[1], ...spanish.slice(3)];
  if (day === '') return undefined;
  return before(
    shownAt(
      {
        year: Number(year ?? 2026),
        month: MONTHS.indexOf(month.toLowerCase()) + 1,
        day: Number(day),
        hour: (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0),
        minute: Number(minute ?? 0),
      },
      zoneIn(note),
    ),
  );
}

function timed(note: string): ExpectedReset | undefined {
  const match = /(\d{1,2})(?::(\d{2}))? ?([ap])m/i.exec(note);
  const weekday = /(\w{3})\w*day,/.exec(note)?.[1];
  if (match === null) return undefined;
  const [, hour = '', minute, half = ''] = match;
  const wanted = `${String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)).padStart(2, '0')}:${minute ?? '00'}`;
  const zone = zoneIn(note);
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const calendar = new Intl.DateTimeFormat('en-GB', { timeZone: zone, weekday: 'short' });
  for (
    let instant = Math.ceil(USUAL / 600_000) * 600_000;
    instant < USUAL + 8 * 24 * HOUR;
    instant += 60_000 * (wanted.endsWith('0') ? 10 : 1)
  ) {
    if (clock.format(instant) !== wanted) continue;
    if (weekday === undefined || calendar.format(instant) === weekday) {
      return { type: 'at', printedAt: USUAL, resetAt: epochMs(instant) };
    }
  }
  return undefined;
}

function lasting(note: string): ExpectedReset | undefined {
  const units: Readonly<Record<string, number>> = { d: 24 * HOUR, h: HOUR, m: 60_000, s: 1_000, ms: 1 };
  const words = note.replace(/\(.*|,.*/, '');
  const parts = [...words.matchAll(/(\d+(?:\.\d+)?) ?(days?|hours?|minutes?|seconds?|ms|[dhms])(?![a-z])/g)];
  if (parts.length === 0) return undefined;
  const length = parts.reduce((sum, [, amount, unit = '']) => {
    return sum + Number(amount) * (units[unit === 'ms' ? 'ms' : unit.slice(0, 1)] ?? 0);
  }, 0);
  return { type: 'at', printedAt: USUAL, resetAt: epochMs(USUAL + length) };
}

function zoneIn(note: string): string {
  const name = /\b(UTC|Etc\/GMT[+-]\d+|[A-Z][a-z]+\/[A-Z][A-Za-z_]+)\b/.exec(note)?.[1] ?? HOST_ZONE;
  // Not a zone that Intl knows: the message falls back to its host.
  return name === 'Europe/Barcelona' ? HOST_ZONE : name;
}

interface Shown {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** The last instant at which a clock in the zone shows this, found by trying. */
function shownAt({ year, month, day, hour, minute }: Shown, zone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  });
  const near = Date.UTC(year, month - 1, day, hour, minute);
  const wanted = [year, month, day, hour, minute].join(' ');
  for (let shift = 15 * HOUR; shift >= -15 * HOUR; shift -= 15 * 60_000) {
    const parts = Object.fromEntries(
      format.formatToParts(near + shift).map(({ type, value }) => [type, Number(value)]),
    );
    const { year: y, month: mo, day: d, hour: h, minute: mi } = parts as Record<string, number>;
    if ([y, mo, d, h, mi].join(' ') === wanted) return near + shift;
  }
  throw new Error(`no clock in ${zone} shows ${wanted}`);
}
