import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SaveStep } from '../../../src/system/save-step.ts';
import type { Outcome, Stage } from './stage.ts';
import { overlaps, roomFor, stateOf, until } from './stage.ts';

const INSIDE: readonly SaveStep[] = ['locked', 'created', 'written', 'synced', 'renamed'];

/** A process is stopped in the middle of its write. The others wait, or give up and say for whom; none goes past it. */
export async function pausedHolder(stage: Stage, scale: { pause: number }): Promise<Outcome> {
  const room = roomFor(stage, 'paused-holder');
  const home = join(room, 'home');
  const step = INSIDE[Math.floor(stage.random() * INSIDE.length)] ?? 'written';
  const holder = stage.start({
    type: 'record',
    home,
    seat: 'holder',
    waitAtMost: 1_000,
    step,
    signal: 'SIGSTOP',
  });
  await until(() => stateOf(holder.pid) === 'T', 10_000, 'the holder to stop');

  const record = { type: 'record', home, signal: 'SIGSTOP' } as const;
  const patient = ['a', 'b', 'c', 'd'].map((seat) =>
    stage.start({ ...record, seat, waitAtMost: scale.pause + 20_000 }),
  );
  const impatient = stage.start({ ...record, seat: 'impatient', waitAtMost: scale.pause / 3 });
  const { problem } = await impatient.hears('recorded');
  await new Promise((resolve) => setTimeout(resolve, scale.pause * (2 / 3)));
  const early = patient.filter(({ reports }) => reports.some(({ type }) => type === 'recorded')).length;

  holder.process.kill('SIGCONT');
  const recorded = await Promise.all([holder, ...patient].map((actor) => actor.hears('recorded')));
  const saved = readFileSync(join(home, 'cooldowns.json'), 'utf8');
  const lost = recorded.filter(({ seat }) => !saved.includes(`"${seat}"`)).length;
  const failed = recorded.filter((one) => one.problem !== undefined).length;
  const overlapping = overlaps(recorded);
  await Promise.all([holder, impatient, ...patient].map((actor) => actor.kill()));
  return {
    figures: {
      'stopped at': step,
      pause: `${String(scale.pause)} ms`,
      lost,
      overlaps: overlapping,
      'went past it': early,
    },
    breaches: [
      ...(lost > 0 ? ['acknowledged updates were lost'] : []),
      ...(overlapping > 0 || early > 0 ? ['a paused holder was robbed'] : []),
      ...(failed > 0 ? ['a patient process did not get its turn'] : []),
      ...(problem?.includes(`process ${String(holder.pid)}`) === true
        ? []
        : [`giving up did not name the holder: ${problem ?? 'it recorded'}`]),
    ],
  };
}
