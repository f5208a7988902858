import type { SeatId } from '../core/ids.ts';
import { seatId, workerId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';
import { err, ok } from '../core/result.ts';
import type { Worker } from '../core/worker.ts';
import type { WorkerConfig } from '../store/config.ts';

export interface RosterSources {
  /** The workers of the operator's configuration; `undefined` when it names none. */
  readonly configured: readonly WorkerConfig[] | undefined;
  /** Every adapter's name, in the default order. */
  readonly adapters: readonly string[];
  /** Whether an adapter's program is on PATH. */
  readonly isInstalled: (adapter: string) => boolean;
  /** Workers asked for by name, in order; `undefined` when nobody asked. */
  readonly asked: readonly string[] | undefined;
}

export interface UnknownWorker {
  readonly name: string;
  readonly known: readonly string[];
}

/**
 * The fleet: those asked for by name, else those configured, else every CLI that is installed. An adapter's name is
 * also the name of a plain worker of it, unless the configuration gives that name to another.
 */
export function roster(sources: RosterSources): Result<readonly Worker[], UnknownWorker> {
  const { configured, adapters, isInstalled, asked } = sources;
  const unwilling = new Set((configured ?? []).filter((one) => one.shareTranscripts === false).map(seatOf));
  const own = (configured ?? []).map((config) => fromConfig(config, !unwilling.has(seatOf(config))));
  const plain = adapters.filter((name) => !own.some(({ id }) => id === workerId(name))).map(plainWorker);
  if (asked === undefined) {
    if (configured !== undefined) return ok(own);
    const installed = plain.filter(({ adapter }) => isInstalled(adapter));
    // With none installed all are named, so that whoever reads the refusal learns how to install each.
    return ok(installed.length > 0 ? installed : plain);
  }
  const known = [...own, ...plain];
  const fleet: Worker[] = [];
  for (const name of new Set(asked)) {
    const worker = known.find(({ id }) => id === workerId(name));
    if (worker === undefined) return err({ name, known: known.map(({ id }) => id) });
    fleet.push(worker);
  }
  return ok(fleet);
}

function seatOf({ id, seat }: WorkerConfig): SeatId {
  return seatId(seat ?? id);
}

/** What one worker says of sharing it says for its seat. */
function fromConfig(config: WorkerConfig, shareTranscripts: boolean): Worker {
  const { adapter, workspace, model, command, args = [], env = {}, billing, maxConcurrent, balance } = config;
  return {
    ...{ id: workerId(config.id), adapter, seat: seatOf(config) },
    ...{ workspace, model, command, args, env, billing, maxConcurrent, balance, shareTranscripts },
  };
}

function plainWorker(name: string): Worker {
  return {
    ...{ id: workerId(name), adapter: name, seat: seatId(name), workspace: undefined, model: undefined },
    ...{
      command: undefined,
      args: [],
      env: {},
      billing: undefined,
      maxConcurrent: undefined,
      shareTranscripts: true,
    },
  };
}
