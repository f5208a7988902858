import { toIso } from '../../core/time.ts';
import { EXIT } from '../exit-codes.ts';
import { harmlessLine, jsonText } from '../../core/harmless.ts';
import { formatUntil } from '../format.ts';
import type { Io } from '../io.ts';
import { refuse } from '../io.ts';
import type { Polled } from '../../library/polling.ts';
import { POLL_WAIT, pollAll } from '../../library/polling.ts';
import { percentWords } from '../quota-view.ts';
import { planOf } from '../../library/plan.ts';
import { stoppable } from '../stoppable.ts';
import { wrap } from '../wrap.ts';

/** `quota poll`: asks every seat once how full its windows are. No tokens are spent, and no answer changes who rests. */
export async function pollQuota(io: Io, { json }: { readonly json?: boolean }): Promise<number> {
  const plan = await planOf(io, {});
  if (!plan.ok) return refuse(io, plan.error);
  return stoppable(async (signal) => {
    const options = { every: undefined, waitAtMost: POLL_WAIT, signal };
    const polled = await pollAll(io, plan.value, options);
    if (!polled.ok) return refuse(io, { reason: 'failed', message: polled.error });
    const { terminal } = io;
    if (json === true) terminal.out(`${jsonText(polled.value.map(asJson), 2)}\n`);
    else if (polled.value.length === 0) terminal.out('No CLI is installed; there is nobody to ask.\n');
    else {
      const told = polled.value.flatMap((one) => wrap(words(one, io), terminal.outColumns ?? Infinity, 2));
      terminal.out(told.map((line) => `${line}\n`).join(''));
    }
    return EXIT.done;
  });
}

function words(polled: Polled, { clock, zone }: Io): string {
  const who = `seat ${polled.worker.seat}`;
  switch (polled.type) {
    case 'seen': {
      const windows = polled.readings.map(({ window, usedPercent }) =>
        harmlessLine(`${window} ${usedPercent === undefined ? 'unknown' : percentWords(usedPercent)}`),
      );
      return `${who}: ${windows.length === 0 ? 'it has no windows' : windows.join(', ')}`;
    }
    case 'unknown': {
      const later =
        polled.until === undefined
          ? ''
          : `; it is left alone ${formatUntil(polled.until, clock.now(), zone)}`;
      return `${who}: unknown, as ${harmlessLine(polled.why)}${later}`;
    }
    case 'paused':
      return `${who}: not asked ${formatUntil(polled.until, clock.now(), zone)}, as ${harmlessLine(polled.why)}`;
    case 'recent':
      return `${who}: asked a moment ago`;
    case 'cannot':
      return `${who}: unknown, as ${polled.worker.adapter} has no free way to say`;
  }
}

function asJson(polled: Polled): Record<string, unknown> {
  const { worker, type } = polled;
  const windows = polled.type === 'seen' ? polled.readings : [];
  return {
    ...{ worker: worker.id, seat: worker.seat, result: type },
    windows: windows.map(({ window, usedPercent, resetAt }) => ({
      ...{ window, usedPercent: usedPercent ?? null },
      resetAt: resetAt === undefined ? null : toIso(resetAt),
    })),
    why: 'why' in polled ? polled.why : null,
    until: 'until' in polled && polled.until !== undefined ? toIso(polled.until) : null,
  };
}
