import { expect, it } from 'vitest';
import type { EpochSeconds } from '../../src/core/time.ts';
import { durationMs, HOUR, SECOND } from '../../src/core/time.ts';
import * as codex from '../../src/upstream/scenarios/codex.ts';
import { aFleet } from '../rig/live-fleet.ts';
import { inThreeDays, isSameDay, isSameMinute, laterToday } from '../rig/live-zones.ts';

const TASK = 'Say hello to the crew.';
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata'];

it.each(
  ZONES.flatMap((zone) => [
    { zone, day: 'later today', reset: laterToday(Date.now(), zone) },
    { zone, day: 'on another day', reset: inThreeDays(Date.now()) },
  ]),
)('codex rests until the minute that it names $day in $zone', async ({ zone, reset }) => {
  const fleet = await aFleet({ codex: codex.usageLimit({ resetsAt: (reset / SECOND) as EpochSeconds }) });
  const run = await fleet.run(TASK, { zone });
  expect(run).toMatchObject({ exitCode: 75 });

  const [signal] = run.events.filter(({ type }) => type === 'signal');
  const form = isSameDay(Date.parse(String(signal?.['at'])), reset, zone)
    ? /try again at \d{1,2}:\d\d [AP]M/
    : /try again at [A-Z][a-z]{2} \d{1,2}[a-z]{2}, \d{4} \d{1,2}:\d\d [AP]M/;
  expect(signal?.['evidence']).toMatch(form);

  const [cooldown, ...others] = await fleet.cooldowns();
  expect(others).toEqual([]);
  expect(cooldown).toMatchObject({ worker: 'codex', kind: 'rate-limit', source: 'text' });
  expect(isSameMinute(Date.parse(String(cooldown?.until)), reset)).toBe(true);
  expect(fleet.upstream.calls('codex')).toHaveLength(1);
});

it('codex rests until the second that its rollout file names, when its words name nothing', async () => {
  const fleet = await aFleet({ codex: codex.usageLimit({ windows: codex.fullFiveHours() }) });
  expect(await fleet.run(TASK)).toMatchObject({ exitCode: 75 });
  const [cooldown] = await fleet.cooldowns();
  expect(cooldown).toMatchObject({ worker: 'codex', kind: 'rate-limit', source: 'file' });
  const askedAt = fleet.upstream.calls('codex')[0]?.at ?? 0;
  const reset = askedAt + durationMs(2 * HOUR);
  expect(Math.abs(Date.parse(String(cooldown?.until)) - reset)).toBeLessThanOrEqual(2_000);
});
