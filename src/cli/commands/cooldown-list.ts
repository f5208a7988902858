import type { Cooldown } from '../../core/cooldown.ts';
import { jsonText } from '../../core/harmless.ts';
import type { EpochMs } from '../../core/time.ts';
import { between, formatDuration, toIso } from '../../core/time.ts';
import { isActive } from '../../fleet/gate.ts';
import { cooldownsOf } from '../../library/cooldowns.ts';
import { EXIT } from '../exit-codes.ts';
import { instantFormatter } from '../format.ts';
import type { Io } from '../io.ts';
import { restWords } from '../kind-words.ts';
import { textTable } from '../table.ts';

/** `cooldown list`: who rests, soonest back first. */
export async function listCooldowns(io: Io, { json }: { readonly json?: boolean }): Promise<number> {
  const now = io.clock.now();
  const active = (await cooldownsOf(io).read())
    .filter((cooldown) => isActive(cooldown, now))
    .sort(soonestFirst);
  if (json === true) sayRows(io, active, now);
  else if (active.length === 0) io.terminal.out('Nobody rests.\n');
  else io.terminal.out(table(active, now, io));
  return EXIT.done;
}

/** The same as JSON. */
export function sayRows(io: Io, cooldowns: readonly Cooldown[], now: EpochMs): void {
  const rows = cooldowns.map((one) => row(one, now));
  io.terminal.out(`${jsonText(rows, 2)}\n`);
}

function soonestFirst(a: Cooldown, b: Cooldown): number {
  return (a.until ?? Infinity) - (b.until ?? Infinity);
}

function row(cooldown: Cooldown, now: EpochMs): Record<string, unknown> {
  const { target, worker, kind, since, until, source, reason, evidence } = cooldown;
  return {
    worker,
    seat: target.type === 'workspace' ? null : target.seat,
    model: target.type === 'model' ? target.model : null,
    ...(target.type === 'workspace' ? { workspace: target.workspace } : {}),
    kind,
    since: toIso(since),
    until: until === undefined ? null : toIso(until),
    remainingMs: until === undefined ? null : between(now, until),
    ...{ source, reason, evidence },
  };
}

function table(cooldowns: readonly Cooldown[], now: EpochMs, io: Io): string {
  const moment = instantFormatter(now, io.wallTime ?? io.zone);
  const rows = cooldowns.map(({ worker, target, kind, until, source, reason }) => [
    worker,
    restsWhat(target),
    // By hand it is of the kind that was asked for, or of the usual one: it met none.
    source === 'operator' && kind === 'rate-limit' ? '-' : kind,
    until === undefined ? 'until cleared' : moment(until),
    until === undefined ? '' : `in ${formatDuration(between(now, until))}`,
    source === 'operator' ? restWords(kind, reason, true) : `${reason} (${source})`,
  ]);
  return textTable(['WORKER', 'RESTS', 'KIND', 'UNTIL', '', 'WHY'], rows, {
    columns: io.terminal.outColumns,
  });
}

export function restsWhat(target: Cooldown['target']): string {
  switch (target.type) {
    case 'seat':
      return `seat ${target.seat}`;
    case 'model':
      return `${target.model} on ${target.seat}`;
    case 'workspace':
      return `workspace ${target.workspace}`;
  }
}
