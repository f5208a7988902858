import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { seatId } from '../../../src/core/ids.ts';
import { durationMs } from '../../../src/core/time.ts';
import { openCooldowns } from '../../../src/store/cooldowns.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { SAVE_STEPS } from '../../../src/system/save-step.ts';
import { aCooldown } from '../a-cooldown.ts';
import type { Outcome, Stage } from './stage.ts';
import { roomFor } from './stage.ts';

/** A writer is killed at each step of a write. A reader then finds the old state or the new, and a writer goes on. */
export async function killedAtStep(stage: Stage): Promise<Outcome> {
  const room = roomFor(stage, 'killed-at-step');
  const breaches: string[] = [];
  let [slowest, old] = [0, 0];
  for (const step of SAVE_STEPS) {
    const home = join(room, step);
    const store = openCooldowns({
      home,
      clock: systemClock,
      waitAtMost: durationMs(5_000),
      report: ({ message }) => breaches.push(`${step}: ${message}`),
    });
    await store.record(cooldownOf('before'));
    const before = readFileSync(join(home, 'cooldowns.json'), 'utf8');
    const writer = stage.start({
      type: 'record',
      home,
      seat: 'killed',
      waitAtMost: 1_000,
      step,
      signal: 'SIGKILL',
    });
    const [, signal] = (await once(writer.process, 'exit')) as [number | null, string | null];
    if (signal !== 'SIGKILL') breaches.push(`${step}: was never reached`);

    const seats = (await store.read()).map(({ target }) => (target.type === 'seat' ? target.seat : ''));
    const isNew = seats.includes(seatId('killed'));
    if (!isNew) old += 1;
    if (!seats.includes(seatId('before')) || seats.length !== (isNew ? 2 : 1))
      breaches.push(`${step}: neither old nor new`);
    if (!isNew && readFileSync(join(home, 'cooldowns.json'), 'utf8') !== before)
      breaches.push(`${step}: torn`);

    const started = performance.now();
    const next = await store.record(cooldownOf('after'));
    slowest = Math.max(slowest, performance.now() - started);
    if (!next.ok) breaches.push(`${step}: ${next.error.message}`);
    if ((await store.read()).length !== seats.length + 1)
      breaches.push(`${step}: the next write lost something`);
    await sweepsUp(stage, home, step, breaches);
  }
  if (slowest > 1_000) breaches.push('the next writer waited more than 1 s');
  return {
    figures: {
      steps: SAVE_STEPS.length,
      old,
      new: SAVE_STEPS.length - old,
      'slowest next write': `${slowest.toFixed(1)} ms`,
    },
    breaches,
  };
}

/** A process that starts later removes what the dead one left. */
async function sweepsUp(stage: Stage, home: string, step: string, breaches: string[]): Promise<void> {
  const later = stage.start({ type: 'record', home, seat: 'later', waitAtMost: 1_000, signal: 'SIGKILL' });
  await later.hears('recorded');
  await later.kill();
  const left = readdirSync(home).filter((name) => name !== 'cooldowns.json');
  if (left.length > 0) breaches.push(`${step}: left behind ${left.join(', ')}`);
}

/** A real file cut at every byte opens as the whole state, or is set aside and said. */
export async function truncated(stage: Stage, scale: { every: number }): Promise<Outcome> {
  const room = roomFor(stage, 'truncated');
  const whole = join(room, 'whole');
  const writer = openCooldowns({ home: whole, clock: systemClock, report: () => undefined });
  for (const seat of ['one', 'zwei']) await writer.record(cooldownOf(seat));
  const bytes = readFileSync(join(whole, 'cooldowns.json'));
  const breaches: string[] = [];
  let [intact, aside, cuts] = [0, 0, 0];
  for (
    let length = 0;
    length <= bytes.length;
    length += length + scale.every > bytes.length ? 1 : scale.every
  ) {
    const home = join(room, String(length));
    mkdirSync(home);
    writeFileSync(join(home, 'cooldowns.json'), bytes.subarray(0, length));
    const said: string[] = [];
    const store = openCooldowns({ home, clock: systemClock, report: ({ message }) => said.push(message) });
    const found = (await store.read()).length;
    const moved = readdirSync(home).filter((name) => name.startsWith('cooldowns.json.damaged-'));
    cuts += 1;
    if (found === 2 && said.length === 0 && moved.length === 0) intact += 1;
    else if (found === 0 && said.length === 1 && moved.length === 1) aside += 1;
    else
      breaches.push(
        `cut at ${String(length)}: ${String(found)} cooldowns, ${String(moved.length)} set aside`,
      );
    const kept = moved[0] === undefined ? undefined : readFileSync(join(home, moved[0]));
    if (kept?.equals(bytes.subarray(0, length)) === false)
      breaches.push(`cut at ${String(length)}: not kept as it was`);
    if (!(await store.record(cooldownOf('next'))).ok)
      breaches.push(`cut at ${String(length)}: no more writes`);
  }
  return { figures: { cuts, intact, 'set aside': aside }, breaches };
}

function cooldownOf(seat: string) {
  return aCooldown({ target: { type: 'seat', seat: seatId(seat) }, until: undefined });
}
