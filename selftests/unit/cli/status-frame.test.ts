import type { QuotaReading } from '../../../src/core/quota.ts';
import { describe, expect, it } from 'vitest';
import { statusFrame } from '../../../src/cli/status-frame.ts';
import { style } from '../../../src/cli/style.ts';
import type { Cooldown } from '../../../src/core/cooldown.ts';
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
const ill: Health = {
  worker: gemini.id,
  triedAt: NOW,
  troubles: { timeout: { steps: 2, at: NOW, how: 'died' } },
};

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
      codex   ready                     5h was reset
      gemini  unhealthy  20:00  20s     unknown            died without a result, the last of 2 failures
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
      codex   resting  until cleared      5h was reset       out of quota (five-hour limit)"
    `);
  });

  it('says of a full window how old that is, where its seat is not closed', () => {
    const at = (now: number, cooldowns: readonly Cooldown[] = []) =>
      statusFrame(standings(aSituation({ fleet: [claude], cooldowns, now: epochMs(now) })), {
        ...{ now: epochMs(now), zone: 'UTC', style: style(0), readings, columns: undefined },
      }).at(-1);
    expect(at(NOW + 40 * MINUTE)).toContain('5h 100 % (40m ago), 7d 42 %');
    expect(at(NOW + 40 * MINUTE, [rest(claude, 119)])).toContain('5h 100 %, 7d 42 %');
  });

  it('says that a window has room, where a run that went through is all that is known of it', () => {
    const ran = { seat: claude.seat, window: '5h', source: 'run', observedAt: NOW } as const;
    const known = { ...ran, usedPercent: undefined, resetAt: undefined };
    const look = { now: NOW, zone: 'UTC', style: style(0), readings: [known], columns: undefined };
    expect(statusFrame(all({ fleet: [claude] }), look).at(-1)).toContain('5h has room');
  });

  it('says who is asked for want of anybody healthy', () => {
    expect(frame({ fleet: [gemini], health: [ill] }).join('\n')).toMatchInlineSnapshot(`
      "The only worker, gemini, can take a task now.

      WORKER  STATE        UNTIL  IN   USED     WHY
      gemini  last-resort  20:00  20s  unknown  died without a result, the last of 2 failures"
    `);
  });

  it.each([40, 60, 80])('fits a terminal of %d columns', (columns) => {
    const lines = frame({ cooldowns: [rest(claude, 119)], health: [ill] }, columns);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it.each([
    ['rested by hand', 'rested by hand'],
    ['the team needs it', 'rested by hand (the team needs it)'],
  ])('says of a rest that somebody added that it met no limit: %s', (reason, why) => {
    const byHand = { ...rest(claude, 119), source: 'operator' as const, reason };
    expect(frame({ fleet: [claude], cooldowns: [byHand] }).at(-1)).toContain(`  ${why}`);
  });

  it('is told worker by worker on a narrow terminal', () => {
    expect(frame({ fleet: [codex, claude], cooldowns: [rest(claude, 119)] }, 40).join('\n'))
      .toMatchInlineSnapshot(`
      "1 of 2 workers can take a task now; the
      next back is claude, at 21:59.

      codex
        state: ready; used: 5h was reset
      claude
        state: resting; until: 21:59
        in: 1h 59m; used: 5h 100 %, 7d 42 %
        why: out of quota (five-hour limit)"
    `);
  });

  it.each([
    [1, [], 'The only worker, claude, can take a task now.'],
    [1, [rest(claude, 119)], 'The only worker, claude, cannot take a task now; it is back at 21:59.'],
    [2, [], 'Both workers can take a task now.'],
    [0, [], 'There are no workers, as no CLI is installed: see secondwind doctor.'],
  ])('says of %d workers how many can take a task', (count, cooldowns, sentence) => {
    expect(frame({ fleet: [claude, codex].slice(0, count), cooldowns })[0]).toBe(sentence);
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
