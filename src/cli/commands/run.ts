import type { Event } from '../../core/event.ts';
import type { SessionId } from '../../core/ids.ts';
import { sessionId } from '../../core/ids.ts';
import type { OnQuota } from '../../core/policy.ts';
import type { Result } from '../../core/result.ts';
import { err, ok } from '../../core/result.ts';
import type { DurationMs, EpochMs } from '../../core/time.ts';
import { toIso } from '../../core/time.ts';
import type { Permissions, Worker } from '../../core/worker.ts';
import { dispatch } from '../../fleet/dispatch.ts';
import { roster } from '../../fleet/roster.ts';
import { absolutePath, isDirectory } from '../../system/input.ts';
import type { StopSignal } from '../../system/process.ts';
import { exitNow, onStopSignals, STOP_SIGNALS } from '../../system/process.ts';
import { findProgram } from '../../system/which.ts';
import { ADAPTER_NAMES, loadAdapter } from '../../workers/registry.ts';
import type { RunPlan } from '../run-plan.ts';
import { adapterOf } from '../run-plan.ts';
import { effectsOf, endAbandoned } from '../effects.ts';
import { ending } from '../endings.ts';
import { eventLine } from '../event-json.ts';
import { EXIT } from '../exit-codes.ts';
import type { Io, Refusal } from '../io.ts';
import { refuse } from '../io.ts';
import { createReport } from '../report.ts';
import type { Settings } from '../settings.ts';
import { askedFor, commaList, permissionsOf, policyOf, readSettings } from '../settings.ts';
import { style } from '../style.ts';
import { readTask } from '../task.ts';
import { dryRun } from './dry-run.ts';

export interface RunFlags {
  readonly workers?: string;
  readonly cd?: string;
  readonly model?: string;
  readonly permissions?: Permissions;
  readonly onQuota?: OnQuota;
  readonly maxWait?: DurationMs;
  readonly hold?: DurationMs;
  readonly patience?: DurationMs;
  readonly timeout?: DurationMs;
  readonly idleTimeout?: DurationMs;
  readonly file?: string;
  readonly ignoreCooldown?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** `secondwind run`: one task, from its first attempt to its last. Returns the exit code. */
export async function run(
  io: Io,
  words: readonly string[],
  flags: RunFlags,
  extraArgs: readonly string[],
): Promise<number> {
  const plan = await planRun(io, flags, extraArgs);
  if (!plan.ok) return refuse(io, plan.error);
  const task = await readTask(words, flags.file);
  if (!task.ok) return refuse(io, task.error);
  if (flags.dryRun === true) return dryRun(io, plan.value, task.value, flags.json === true);

  const stop = new AbortController();
  let stoppedBy: StopSignal | undefined;
  const takeOff = onStopSignals(
    (signal) => {
      stoppedBy = signal;
      stop.abort(signal);
    },
    (signal) => exitNow(STOP_SIGNALS[signal]),
  );
  if (flags.timeout !== undefined) {
    const { timeout } = flags;
    void io.clock.sleep(timeout, stop.signal).then(() => {
      stop.abort('timeout');
    });
  }
  // A refusal in the small hours must find the code that records it, whatever was upgraded meanwhile.
  await Promise.all([import('../../store/state-update.ts'), import('../../store/cooldown-schema.ts')]);
  const left = await endAbandoned(io);
  if (left > 0)
    io.terminal.err(
      `secondwind: ended what ${String(left)} earlier attempt${left === 1 ? '' : 's'} had left running.\n`,
    );
  const emit = emitter(io, flags, newSessionId(io.clock.now()), plan.value.fleet);
  const order = { task: task.value, ...plan.value };
  const outcome = await dispatch(order, effectsOf(io, plan.value, stop.signal, emit));
  takeOff();
  // Lets a sleeping --timeout go.
  stop.abort('over');

  if (outcome.type === 'done' && flags.json !== true) io.terminal.out(withLineBreak(outcome.text));
  const { code, message } = ending(outcome, {
    ...{ now: io.clock.now(), zone: io.zone, onQuota: plan.value.policy.onQuota },
    setUp: (name) => adapterOf(plan.value, { adapter: name }),
  });
  if (message !== '') io.terminal.err(`secondwind: ${message}\n`);
  return stoppedBy === undefined ? code : STOP_SIGNALS[stoppedBy];
}

async function planRun(
  io: Io,
  flags: RunFlags,
  extraArgs: readonly string[],
): Promise<Result<RunPlan, Refusal>> {
  const directory = absolutePath(flags.cd ?? '.', io.directory);
  if (!isDirectory(directory)) {
    return err({ code: EXIT.usage, message: `--cd: there is no directory ${directory}.` });
  }
  const settings = readSettings(io.stateHome, directory);
  if (!settings.ok) return settings;
  const policy = policyOf(settings.value, flags, io.env);
  if (!policy.ok) return policy;
  const fleet = fleetOf(io, settings.value, flags);
  if (!fleet.ok) return fleet;
  const names = [...new Set(fleet.value.map(({ adapter }) => adapter))];
  const adapters = new Map(
    await Promise.all(names.map(async (name) => [name, await loadAdapter(name)] as const)),
  );
  return ok({
    ...{ fleet: fleet.value, adapters, policy: policy.value, directory, extraArgs },
    ...{
      permissions: permissionsOf(settings.value, flags.permissions),
      model: flags.model,
      idleMs: flags.idleTimeout,
    },
  });
}

function fleetOf(io: Io, settings: Settings, flags: RunFlags): Result<readonly Worker[], Refusal> {
  const { names, by } = askedFor(
    settings,
    flags.workers === undefined ? undefined : commaList(flags.workers),
    io.env,
  );
  const code = by === '--workers' ? EXIT.usage : EXIT.configuration;
  if (names?.length === 0)
    return err({ code, message: `${by}: expected the names of workers, comma separated, and found none.` });
  const fleet = roster({
    ...{ configured: settings.user.workers, adapters: ADAPTER_NAMES, asked: names },
    // Every adapter's program has its adapter's name; `adapter.program` is what runs.
    isInstalled: (name) => findProgram(name, io.env['PATH'] ?? '', io.directory).type === 'found',
  });
  if (fleet.ok) return fleet;
  const { name, known } = fleet.error;
  return err({ code, message: `${by}: there is no worker '${name}'; there are ${known.join(', ')}.` });
}

function emitter(
  io: Io,
  { json, quiet }: RunFlags,
  session: SessionId,
  fleet: readonly Worker[],
): (event: Event) => void {
  const { terminal, zone, clock } = io;
  const now = (): EpochMs => clock.now();
  if (json === true) {
    return (event) => {
      terminal.out(eventLine(event, now(), session));
    };
  }
  const nameWidth = Math.max(...fleet.map(({ id }) => id.length));
  return createReport({
    terminal,
    style: style(terminal.colors.err),
    zone,
    now,
    quiet: quiet === true,
    nameWidth,
  });
}

/** Sorts by time, and is a name for files and branches. */
function newSessionId(now: EpochMs): SessionId {
  const [day = '', time = ''] = toIso(now).replace(/[-:]/g, '').split('T');
  const nonce = Math.floor(Math.random() * 36 ** 4).toString(36);
  return sessionId(`${day}-${time.slice(0, 6)}-${nonce.padStart(4, '0')}`);
}

function withLineBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
