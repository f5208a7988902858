import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quotaHistory } from '../../../src/cli/commands/quota-history.ts';
import { Course } from '../../../src/cli/quota-course.ts';
import { Samples } from '../../../src/cli/quota-samples.ts';
import type { Sample } from '../../../src/cli/quota-samples.ts';
import { seatId } from '../../../src/core/ids.ts';
import { epochMs, HOUR, MINUTE, toIso } from '../../../src/core/time.ts';
import { NOW } from '../../rig/a-cooldown.ts';
import { anIo } from '../../rig/an-io.ts';

const at = toIso(NOW);
const reading = { type: 'reading', at, seat: 'work', window: '5h', usedPercent: 10 };
const ended = { type: 'attempt.ended', at, worker: 'w', seat: 'work', session: 's1', costUsd: 0.5 };

describe('the samples of a window', () => {
  it('count each session once between two of them, and add up what was paid', () => {
    const samples = new Samples();
    samples.push(ended);
    expect(samples.push(reading)).toMatchObject({ sessions: 1, costUsd: 0.5 });
    for (const session of ['s1', 's2', 's1', 's2']) samples.push({ ...ended, session });
    expect(samples.push({ ...reading, window: '7d' })).toMatchObject({ sessions: 1, costUsd: 0.5 });
    expect(samples.push(reading)).toMatchObject({ sessions: 2, costUsd: 2 });
    expect(samples.push(reading)).toMatchObject({ sessions: 0, costUsd: undefined });
  });

  it('leave out what was done on other seats', () => {
    const samples = new Samples();
    samples.push({ ...ended, seat: 'spare' });
    expect(samples.push(reading)).toMatchObject({ sessions: 0 });
  });

  it('are not upset by any line of a ledger', () => {
    const anything = fc.oneof(fc.anything(), fc.constantFrom('__proto__', 1e308, -1, at, NOW));
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.constantFrom(...Object.keys({ ...reading, ...ended })), anything)),
        (entries) => {
          const samples = new Samples();
          for (const entry of entries) {
            const type = entry['type'] === 'reading' ? 'reading' : 'attempt.ended';
            const sample = samples.push({ ...reading, ...entry, type, at });
            expect(sample?.usedPercent ?? 0).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });
});

function aCourse(...samples: readonly Partial<Sample>[]): Course {
  const span = { since: epochMs(NOW - 10 * HOUR), until: NOW, steps: 10 };
  const course = new Course({ seat: seatId('work'), window: '5h' }, span);
  for (const sample of samples)
    course.add({
      ...{ seat: seatId('work'), window: '5h', source: 'event', at: NOW, sessions: 0, costUsd: undefined },
      ...{ usedPercent: undefined, resetAt: undefined, ...sample },
    });
  course.end();
  return course;
}

const ago = (hours: number) => epochMs(NOW - hours * HOUR);

describe('the course of a window', () => {
  it('holds what was seen until the window begins anew, and is unknown from then on', () => {
    const course = aCourse({ at: ago(9), usedPercent: 40, resetAt: ago(5) });
    expect(course.levels).toEqual([...[undefined, 40, 40, 40, 40, 40], ...Array.from({ length: 4 })]);
    expect(course.level).toBeUndefined();
    expect(course.resets).toEqual({ count: 1, newest: [ago(5)] });
  });

  it('fills once until it is reset, however often that is said', () => {
    const full = { usedPercent: 100, resetAt: ago(5) };
    const course = aCourse(
      { at: ago(9), ...full },
      { at: ago(8), ...full },
      { at: ago(4), usedPercent: 3, resetAt: epochMs(NOW + HOUR) },
      { at: ago(2), usedPercent: 99.6, resetAt: epochMs(NOW + HOUR) },
    );
    expect(course.filled).toEqual({ count: 2, newest: [ago(9), ago(2)] });
    expect(course.resets).toEqual({ count: 1, newest: [ago(5)] });
    expect(course.level).toBe(99.6);
  });

  it('takes resets some seconds apart for one', () => {
    const resetAt = epochMs(NOW + HOUR);
    const course = aCourse(
      { at: ago(3), usedPercent: 10, resetAt },
      { at: ago(2), usedPercent: 20, resetAt: epochMs(resetAt + MINUTE) },
      { at: ago(1), usedPercent: 30, resetAt: epochMs(resetAt - MINUTE) },
    );
    expect(course.resets.count).toBe(0);
  });

  it('knows an emptier window without a reset for one that begun anew', () => {
    const course = aCourse({ at: ago(3), usedPercent: 90 }, { at: ago(2), usedPercent: 2 });
    expect(course.resets).toEqual({ count: 1, newest: [ago(2)] });
  });

  it('keeps the newest of very many resets, and the count of all', () => {
    const samples = Array.from({ length: 1_000 }, (_, index) => ({
      at: epochMs(ago(9) + index * 1_000),
      usedPercent: index % 2 === 0 ? 90 : 1,
    }));
    expect(aCourse(...samples).resets.count).toBe(500);
    expect(aCourse(...samples).resets.newest).toHaveLength(200);
  });
});

it('a ledger with torn, foreign and hostile lines still has its history', async () => {
  const io = anIo();
  const lines = [
    '{"type":"reading","at":"2026-11-29T1',
    '"type":"reading"',
    '[{"type":"reading"}]',
    '{"type":"reading","at":"yesterday","seat":"work","window":"5h"}',
    `{"type":"reading","at":"${at}","seat":7,"window":null}`,
    JSON.stringify({
      ...reading,
      at,
      window: '=cmd|"x"\u001b[2J',
      usedPercent: 1e308,
      resetAt: '+275760-09-13T00:00:00Z',
    }),
    JSON.stringify(reading),
  ];
  mkdirSync(join(io.stateHome, 'ledger'), { recursive: true });
  writeFileSync(join(io.stateHome, 'ledger', `${at.slice(0, 10)}.jsonl`), `${lines.join('\n')}\n`);
  await quotaHistory(io, { csv: true });
  expect(io.said().split('\n').slice(1)).toEqual([
    `${at},work,"'=cmd|""x""\u{fffd}[2J",,,event,0,`,
    `${at},work,5h,10,,event,0,`,
    '',
  ]);
});
