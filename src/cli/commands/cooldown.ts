import type { Cooldown, CooldownTarget } from '../../core/cooldown.ts';
import { targetKey } from '../../core/cooldown.ts';
import { workerId } from '../../core/ids.ts';
import type { Result } from '../../core/result.ts';
import { err, ok } from '../../core/result.ts';
import type { CooldownKind } from '../../core/signal.ts';
import type { DurationMs, EpochMs } from '../../core/time.ts';
import { after, fromIso } from '../../core/time.ts';
import type { Worker } from '../../core/worker.ts';
import { gate, isActive, rests } from '../../fleet/gate.ts';
import type { CooldownStore } from '../../store/cooldowns.ts';
import { cooldownsOf } from '../../library/cooldowns.ts';
import { EXIT } from '../exit-codes.ts';
import { harmlessLine } from '../../core/harmless.ts';
import { formatUntil } from '../format.ts';
import type { Io } from '../io.ts';
import type { Refusal } from '../../library/host.ts';
import { refuse } from '../io.ts';
import { BY_HAND } from '../kind-words.ts';
import { restsWhat, sayRows } from './cooldown-list.ts';

/** `cooldown clear [worker]`: ends everything the gate reads for that worker, or for all. */
export async function clearCooldowns(
  io: Io,
  name: string | undefined,
  { kind, json }: { readonly kind?: CooldownKind; readonly json?: boolean },
): Promise<number> {
  const store = cooldownsOf(io);
  const at = io.clock.now();
  const targets = name === undefined ? ok([undefined]) : await targetsFor(io, name, await store.read());
  if (!targets.ok) return refuse(io, targets.error);
  const ended: Cooldown[] = [];
  for (const target of targets.value) {
    const cleared = await store.clear({ target, kind, at, by: 'operator' });
    if (!cleared.ok) return refuse(io, { reason: 'failed', message: cleared.error.message });
    ended.push(...cleared.value.filter((cooldown) => isActive(cooldown, at)));
  }
  if (json === true) {
    sayRows(io, ended, at);
    return EXIT.done;
  }
  if (ended.length === 0) {
    const who = name === undefined ? 'Nobody was' : `Worker ${name} was not`;
    const why = kind === undefined ? '' : ` for ${kind}`;
    io.terminal.out(`${who} resting${why}; there is nothing to clear.\n`);
  }
  const lines = ended.map(
    ({ worker, target, kind: of, source }) =>
      `Cleared: ${worker}, ${source === 'operator' ? BY_HAND : of} (${restsWhat(target)}).`,
  );
  // Two sources may have closed the same thing for the same reason.
  for (const line of new Set(lines)) io.terminal.out(`${harmlessLine(line)}\n`);
  return EXIT.done;
}

/** What the gate reads for a worker of the configuration; for a name that is only on record, what is on record for it. */
async function targetsFor(
  io: Io,
  name: string,
  known: readonly Cooldown[],
): Promise<Result<readonly CooldownTarget[], Refusal>> {
  const { findWorker } = await import('../find-worker.ts');
  const worker = await findWorker(io, name);
  const concerned = known.filter((cooldown) =>
    worker.ok ? rests(cooldown, worker.value, worker.value.model) : cooldown.worker === workerId(name),
  );
  if (!worker.ok && concerned.length === 0) return worker;
  const targets = new Map(concerned.map(({ target }) => [targetKey(target), target]));
  return ok([...targets.values()]);
}

export interface AddFlags {
  readonly for?: DurationMs;
  readonly until?: string;
  readonly kind?: CooldownKind;
  readonly reason?: string;
  readonly json?: boolean;
}

/** `cooldown add`: an operator rests a worker's seat by hand. */
export async function addCooldown(io: Io, name: string, flags: AddFlags): Promise<number> {
  const { findWorker } = await import('../find-worker.ts');
  const worker = await findWorker(io, name);
  if (!worker.ok) return refuse(io, worker.error);
  const since = io.clock.now();
  const until = await endOf(io, flags, since);
  if (!until.ok) return refuse(io, { reason: 'usage', message: until.error });
  const { id, seat } = worker.value;
  const cooldown: Cooldown = {
    ...{
      target: { type: 'seat', seat },
      worker: id,
      kind: flags.kind ?? 'rate-limit',
      since,
      until: until.value,
    },
    ...{ source: 'operator', reason: flags.reason ?? BY_HAND, evidence: '' },
  };
  const store = cooldownsOf(io);
  const recorded = await store.record(cooldown);
  if (!recorded.ok) return refuse(io, { reason: 'failed', message: recorded.error.message });
  if (flags.json === true) sayRows(io, [cooldown], since);
  else
    io.terminal.out(
      `Worker ${id}: seat ${seat} ${await restsUntil(io, worker.value, store, until.value)}.\n`,
    );
  return EXIT.done;
}

/** A rest only lengthens: when it was longer before, that is what is true of the worker. */
async function restsUntil(io: Io, worker: Worker, store: CooldownStore, asked: EpochMs): Promise<string> {
  const now = io.clock.now();
  const answer = gate(worker, await store.readFor([worker]), now);
  const until = answer.type === 'resting' ? answer.until : asked;
  const longer =
    until === undefined || until > asked ? ', as it did already; secondwind cooldown clear ends that' : '';
  return `rests ${formatUntil(until, now, io.zone)}${longer}`;
}

async function endOf(io: Io, flags: AddFlags, now: EpochMs): Promise<Result<EpochMs, string>> {
  if ((flags.for === undefined) === (flags.until === undefined)) {
    return err('expected one of --for, such as --for 2h, and --until, such as --until 6:30pm.');
  }
  if (flags.for !== undefined) {
    return flags.for > 0 ? ok(after(now, flags.for)) : err('--for: expected a length of time above zero.');
  }
  const text = flags.until ?? '';
  const until =
    fromIso(text) ?? (await import('../../signals/reset.ts')).readReset(`resets ${text}`, now, io.zone);
  if (until === undefined) {
    return err(
      `--until: expected a time to come, such as 2026-12-24T18:30:00Z, 6:30pm or 'Mon 9am', but found '${text}'.`,
    );
  }
  return until > now ? ok(until) : err(`--until: ${text} has passed already.`);
}
