import { toIso } from '../../core/time.ts';
import { choose } from '../../fleet/choose.ts';
import { order } from '../../fleet/order.ts';
import type { RunPlan } from '../run-plan.ts';
import { cooldownsOf } from '../cooldowns.ts';
import { healthOf } from '../health.ts';
import { missing } from '../effects.ts';
import { adapterOf } from '../run-plan.ts';
import { ending } from '../endings.ts';
import { EXIT } from '../exit-codes.ts';
import { formatUntil } from '../format.ts';
import type { Io } from '../io.ts';
import { seatLoads } from '../places.ts';

/** `run --dry-run`: who would be tried, in which order and with which command; nothing is spawned or written. */
export async function dryRun(io: Io, plan: RunPlan, task: string, json: boolean): Promise<number> {
  const { fleet, policy, model, permissions, extraArgs } = plan;
  const now = io.clock.now();
  const situation = {
    ...{ fleet, now, model, onQuota: policy.onQuota, ignoreCooldowns: policy.ignoreCooldowns },
    ...{
      cooldowns: policy.cooldowns ? await cooldownsOf(io).read() : [],
      health: await healthOf(io).read(),
      missing: missing(io, plan),
      ...{ spent: new Map(), loads: seatLoads(io.stateHome), spread: false },
    },
  };
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
    io.terminal.out(`${JSON.stringify({ candidates: tried, skipped: left })}\n`);
  } else {
    for (const [index, { worker, command }] of tried.entries()) {
      io.terminal.out(`${String(index + 1)}. ${worker}: ${command.map(quoted).join(' ')}\n`);
    }
    for (const { worker, reason, until } of skipped) {
      const when = until === undefined ? '' : `, ${formatUntil(until, now, io.zone)}`;
      io.terminal.out(`-  ${worker.id}: skipped, ${reason}${when}\n`);
    }
  }
  const choice = choose(situation, undefined);
  // Whose seat is busy is waited for.
  if (choice.type === 'worker' || choice.type === 'busy') return EXIT.done;
  const outcome =
    choice.type === 'nobody'
      ? ({ ...choice, type: 'unavailable' } as const)
      : ({ ...choice, type: 'exhausted' } as const);
  const { code, message } = ending(outcome, {
    ...{ now, zone: io.zone, onQuota: policy.onQuota, session: undefined },
    setUp: (name) => adapterOf(plan, { adapter: name }),
  });
  io.terminal.err(`secondwind: ${message}\n`);
  return code;
}

/** As one would type it in a shell. */
function quoted(word: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
