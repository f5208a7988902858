import { toIso } from '../../core/time.ts';
import { choose } from '../../fleet/choose.ts';
import { order } from '../../fleet/order.ts';
import type { Plan } from '../../library/plan.ts';
import { adapterOf } from '../../library/plan.ts';
import { nobodyStarts } from '../endings.ts';
import { EXIT } from '../exit-codes.ts';
import { harmless, jsonText } from '../../core/harmless.ts';
import { formatUntil } from '../format.ts';
import type { Io } from '../io.ts';
import { shellWord } from '../shell-word.ts';
import { setUpOf } from '../login-command.ts';
import { skippedWords } from '../standing-words.ts';
import { situationOf } from '../../library/situation.ts';

/** `run --dry-run`: who would be tried, in which order and with which command; nothing is spawned or written. */
export async function dryRun(io: Io, plan: Plan, task: string, json: boolean): Promise<number> {
  const { policy, model, permissions, extraArgs } = plan;
  const situation = await situationOf(io, plan);
  const { now } = situation;
  const { candidates, skipped } = order(situation);
  const tried = candidates.map((worker) => {
    const command = adapterOf(plan, worker).command(
      { prompt: task, permissions, model, extraArgs, resume: undefined },
      worker,
    );
    const [program, ...leading] = worker.command ?? [command.program];
    return { worker: worker.id, command: [program, ...leading, ...command.args] };
  });
  if (json) {
    const left = skipped.map(({ worker, kind, reason, until }) => ({
      worker: worker.id,
      kind,
      reason,
      ...(until === undefined ? {} : { until: toIso(until) }),
    }));
    io.terminal.out(`${jsonText({ candidates: tried, skipped: left })}\n`);
  } else {
    for (const [index, { worker, command }] of tried.entries()) {
      io.terminal.out(`${String(index + 1)}. ${worker}: ${harmless(command.map(shellWord).join(' '))}\n`);
    }
    for (const one of skipped) {
      const { worker, until } = one;
      const when = until === undefined ? '' : `, ${formatUntil(until, now, io.zone)}`;
      io.terminal.out(`-  ${worker.id}: skipped, ${skippedWords(one)}${when}\n`);
    }
  }
  // Whose seat is busy is waited for.
  const { type } = choose(situation, undefined);
  if (type === 'worker' || type === 'busy') return EXIT.done;
  const { code, message } = nobodyStarts(situation, {
    ...{ now, zone: io.zone, onQuota: policy.onQuota, session: undefined },
    setUp: setUpOf(plan),
  });
  io.terminal.err(`secondwind: ${message}\n`);
  return code;
}
