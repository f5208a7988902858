import type { QuotaReading } from '../../../src/core/quota.ts';
import { describe, expect, it } from 'vitest';
import { statusFrame } from '../../../src/cli/status-frame.ts';
import { style } from '../../../src/cli/style.ts';
import { wrap } from '../../../src/cli/wrap.ts';
import type { Health } from '../../../src/core/health.ts';
import { epochMs, HOUR, MINUTE, SECOND } from '../../../src/core/time.ts';
import { standings } from '../../../src/fleet/standing.ts';
import { aCooldown, NOW } from '../../rig/a-cooldown.ts';
import { aSituation, aWorker } from '../../rig/builders.ts';

const [claude, codex, gemini, key] = [
  aWorker({ id: 'claude' }),
  aWorker({ id: 'codex' }),
  aWorker({ id: 'gemini' }),
  aWorker({ id: 'key', billing: 'api' }),
];
const rest = (worker: typeof claude, minutes: number | undefined) =>
  aCooldown({
    ...{ target: { type: 'seat', seat: worker.seat }, worker: worker.id },
    until: minutes === undefined ? undefined : epochMs(NOW + minutes * MINUTE),
  });
const ill: Health = { worker: gemini.id, triedAt: NOW, troubles: { timeout: { steps: 2, at: NOW } } };

const reading = { seat: claude.seat, observedAt: NOW, source: 'event' as const };
const readings: readonly QuotaReading[] = [
  { ...reading, window: '5h', usedPercent: 100, resetAt: epochMs(NOW + HOUR) },
  { ...reading, window: '7d', usedPercent: 41.6, resetAt: undefined },
  { ...reading, seat: codex.seat, window: '5h', usedPercent: 80, resetAt: epochMs(NOW - HOUR) },
];

const all = (overrides: Parameters<typeof aSituation>[0]) =>
  standings(aSituation({ fleet: [claude, codex, gemini, key], ...overrides }));
const frame = (overrides: Parameters<typeof aSituation>[0], columns?: number, level: 0 | 1 = 0) =>
  statusFrame(all(overrides), { now: NOW, zone: 'UTC', style: style(level), readings, columns });

describe('the table of status', () => {
  it('names who can take a task first, then the others, the first back first', () => {
    const cooldowns = [rest(claude, 119)];
    expect(frame({ cooldowns, health: [ill] }).join('\n')).toMatchInlineSnapshot(`
      "2 of 4 workers can take a task now; the next back is claude, at 21:59.

      WORKER  STATE      UNTIL  IN      USED               WHY
      codex   ready                     5h reset
      gemini  unhealthy  20:00  20s     unknown            stalled or died without a result, 2 times
      claude  resting    21:59  1h 59m  5h 100 %, 7d 42 %  out of quota (five-hour limit)
      key     reserve                   unknown            it is billed per use, and --on-quota api was not asked for"
    `);
  });

  it('says when nobody can, who is back first, and who only by hand', () => {
    const cooldowns = [rest(claude, 300), rest(codex, undefined)];
    const fleet = [claude, codex];
    expect(frame({ fleet, cooldowns }).join('\n')).toMatchInlineSnapshot(`
      "None of 2 workers can take a task now; the next back is claude, at Nov 30, 01:00.

      WORKER  STATE    UNTIL          IN  USED               WHY
      claude  resting  Nov 30, 01:00  5h  5h 100 %, 7d 42 %  out of quota (five-hour limit)
      codex   resting  until cleared      5h reset           out of quota (five-hour limit)"
    `);
  });

  it('says who is asked for want of anybody healthy', () => {
    expect(frame({ fleet: [gemini], health: [ill] }).join('\n')).toMatchInlineSnapshot(`
      "1 of 1 worker can take a task now.

      WORKER  STATE        UNTIL  IN   USED     WHY
      gemini  last-resort  20:00  20s  unknown  stalled or died without a result, 2 times"
    `);
  });

  it.each([20, 40, 80])('fits a terminal of %d columns', (columns) => {
    const lines = frame({ cooldowns: [rest(claude, 119)], health: [ill] }, columns);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it('says the same with colour as without', () => {
    const situation = { cooldowns: [rest(claude, 119)], health: [ill] };
    const colours = /\u001b\[\d+m/g;
    const coloured = frame(situation, undefined, 1).join('\n');
    expect(coloured).toMatch(colours);
    expect(coloured.replace(colours, '')).toBe(frame(situation).join('\n'));
  });

  it('counts down', () => {
    const cooldowns = [rest(claude, 2)];
    const at = (now: number) =>
      statusFrame(standings(aSituation({ fleet: [claude], cooldowns, now: epochMs(now) })), {
        ...{ now: epochMs(now), zone: 'UTC', style: style(0), readings, columns: undefined },
      }).at(-1);
    expect(at(NOW)).toContain('2m');
    expect(at(NOW + SECOND)).toContain('1m 59s');
    expect(at(NOW + HOUR)).toContain('ready');
  });
});

describe('a text that is broken into lines', () => {
  it.each([
    ['a bb ccc', 40, 4, ['a bb ccc']],
    ['aaaa bbbb cccc dddd', 16, 4, ['aaaa bbbb', '    cccc dddd']],
    ['/a/very/long/path/that/has/no/space', 16, 4, ['/a/very/long', '    /path/that/h', '    as/no/space']],
    ['', 40, 4, []],
  ])('%j in %d columns', (text, columns, indent, lines) => {
    expect(wrap(text, columns, indent)).toEqual(lines);
  });
});
