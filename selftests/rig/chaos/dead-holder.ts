import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor, Outcome, Stage } from './stage.ts';
import { nanoseconds, overlaps, roomFor } from './stage.ts';

/** In nanoseconds: enough for the last contender to have been told. */
const SOON = 8e6;

/** Contenders are let loose, all at the same instant, on a lock whose holder was killed. Again and again. */
export async function deadHolder(
  stage: Stage,
  scale: { contenders: number; rounds: number },
): Promise<Outcome> {
  // A round is mostly waiting, so two locks have half of the rounds each, and contenders of their own.
  const half = { ...scale, rounds: Math.ceil(scale.rounds / 2) };
  const played = await Promise.all(
    ['dead-holder-a', 'dead-holder-b'].map((name) => playRounds(stage.forScenario(name), name, half)),
  );
  const sum = (figure: keyof Played): number => played.reduce((all, one) => all + one[figure], 0);
  const slowest = Math.max(...played.map((one) => one.slowest));
  return {
    figures: {
      rounds: sum('rounds'),
      contenders: scale.contenders,
      overlaps: sum('overlapping'),
      'rounds without a winner': sum('withoutWinner'),
      'slowest first winner': `${slowest.toFixed(1)} ms`,
    },
    breaches: [
      ...(sum('overlapping') > 0 ? ['two processes held the lock at once'] : []),
      ...(sum('withoutWinner') > 0 ? ['a dead holder was not replaced within 1 s'] : []),
      ...(sum('failures') > 0 ? [`${String(sum('failures'))} contenders never got the lock`] : []),
    ],
  };
}

interface Played {
  readonly rounds: number;
  readonly overlapping: number;
  readonly withoutWinner: number;
  readonly failures: number;
  /** In milliseconds, until the first contender of a round had the lock. */
  readonly slowest: number;
}

async function playRounds(
  stage: Stage,
  name: string,
  scale: { contenders: number; rounds: number },
): Promise<Played> {
  const room = roomFor(stage, name);
  const file = join(room, 'state.json');
  const contenders = Array.from({ length: scale.contenders }, () => stage.start());
  let [overlapping, withoutWinner, failures, slowest] = [0, 0, 0, 0];
  for (let round = 0; round < scale.rounds; round += 1) {
    // Every now and then a process really is killed in the lock; between, what it left is put back.
    if (round % 25 === 0) await killHolder(stage, file, join(room, 'left-behind'));
    plant(join(room, 'left-behind'), file, stage.random);
    const at = nanoseconds() + SOON;
    const hold = stage.random() < 0.5 ? 0 : stage.random() * 2;
    const results = await Promise.all(
      contenders.map((contender) => contend(contender, { file, round, at, hold, waitAtMost: 10_000 })),
    );
    const winners = results.filter(({ problem }) => problem === undefined);
    // From the first attempt: on a busy machine even that may come late.
    const began = Math.min(...results.map((result) => result.began));
    const first = (Math.min(...winners.map(({ entered }) => entered)) - began) / 1e6;
    slowest = Math.max(slowest, first);
    failures += results.length - winners.length;
    overlapping += overlaps(winners);
    if (winners.length === 0 || first > 1_000) withoutWinner += 1;
  }
  await Promise.all(contenders.map((contender) => contender.kill()));
  return { rounds: scale.rounds, overlapping, withoutWinner, failures, slowest };
}

function contend(
  contender: Actor,
  order: { file: string; round: number; at: number; hold: number; waitAtMost: number },
) {
  contender.tell({ type: 'contend', ...order });
  return contender.hears('contended');
}

/** A holder is killed in the lock, and what it leaves there is kept aside. */
async function killHolder(stage: Stage, file: string, leftBehind: string): Promise<void> {
  const holder = stage.start({ type: 'hold', file });
  await holder.hears('holding');
  await holder.kill();
  rmSync(leftBehind, { recursive: true, force: true });
  renameSync(`${file}.lock`, leftBehind);
}

/** The dead holder's lock once more, under a new nonce as each acquisition has. */
function plant(leftBehind: string, file: string, random: () => number): void {
  const [entry = ''] = readdirSync(leftBehind);
  const nonce = Math.floor(random() * 2 ** 52)
    .toString(16)
    .padStart(16, '0');
  mkdirSync(`${file}.planted`);
  copyFileSync(join(leftBehind, entry), join(`${file}.planted`, entry.slice(0, -16) + nonce));
  renameSync(`${file}.planted`, `${file}.lock`);
}
