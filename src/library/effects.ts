import type { Cooldown } from '../core/cooldown.ts';
import type { Event } from '../core/event.ts';
import type { WorkerId } from '../core/ids.ts';
import type { AttemptProgress } from '../core/session.ts';
import { err, ok } from '../core/result.ts';
import type { EpochMs } from '../core/time.ts';
import { durationMs } from '../core/time.ts';
import { withCommitPoint } from '../fleet/commit-point.ts';
import type { DispatchEffects } from '../fleet/dispatch.ts';
import { openProbes } from '../store/probes.ts';
import { childStarter } from '../system/child.ts';
import { endFamily } from '../system/family.ts';
import { workTreeFingerprint } from '../system/git.ts';
import type { Lease } from '../system/lease-folder.ts';
import { abandonedAttempts } from '../system/lease-folder.ts';
import { newestRecord } from '../system/newest-record.ts';
import { findProgram } from '../system/which.ts';
import type { AttemptEffects } from '../workers/attempt.ts';
import { attempt } from '../workers/attempt.ts';
import { expandHome } from '../workers/child-environment.ts';
import type { Worker } from '../core/worker.ts';
import type { Plan } from './plan.ts';
import { adapterOf } from './plan.ts';
import { cooldownsOf } from './cooldowns.ts';
import { distrust } from './distrust.ts';
import { handoverEffects } from './handover-effects.ts';
import { healthOf } from './health.ts';
import type { Host } from './host.ts';
import { leasesIn, placesOf } from './places.ts';
import { loginLook, loginRecheck } from './login-recheck.ts';

/** Everything a session does to the world, wired to the real one. */
export function effectsOf(
  host: Host,
  plan: Plan,
  abort: AbortSignal,
  emit: (event: Event) => void,
  unrecorded: Cooldown[],
): Omit<DispatchEffects, 'saveSession' | 'sessionSaved'> {
  const { policy } = plan;
  const store = cooldownsOf(host);
  const places = placesOf(host);
  const start = attemptEffects(host, places.lease);
  const { clock, env, home } = host;
  const probes = openProbes({ home: host.stateHome, clock });
  // Not with the lease of an attempt: what is asked is no attempt.
  const look = loginLook(plan, { clock, env, home, startChild: childStarter(clock) }, probes);
  const now = () => host.clock.now();
  const recheck = loginRecheck(plan.fleet, look, { store, emit, now });
  const health = healthOf(host);
  /** With which credentials each worker's last attempt began: those are the ones that were refused, if they were. */
  const used = new Map<WorkerId, () => string>();
  return {
    ...{ clock: host.clock, random: Math.random, abort, emit },
    readCooldowns: async () =>
      policy.cooldowns ? [...(await recheck(await store.readFor(plan.fleet))), ...unrecorded] : [],
    recordCooldown: async (cooldown) => {
      const credentials = cooldown.kind === 'auth-failure' ? used.get(cooldown.worker)?.() : undefined;
      const recorded = await store.record(
        credentials === undefined ? cooldown : { ...cooldown, credentials },
      );
      if (recorded.ok) return ok(undefined);
      unrecorded.push(cooldown);
      return err(recorded.error.message);
    },
    clearCooldowns: async (clearance) => {
      const cleared = await store.clear(clearance);
      return cleared.ok ? cleared : err(cleared.error.message);
    },
    readHealth: () => health.read(),
    noteHealth: health.note,
    missing: () => missing(host, plan),
    ...distrust(host, plan, { store, probes, login: look }, emit),
    ...{ loads: places.loads, reserve: places.reserve, giveBack: places.giveBack },
    ...handoverEffects(host, plan),
    attempt: (worker, { prompt, resume, how }, session) => {
      used.set(worker.id, look.credentialsNow(worker));
      const { permissions, model, extraArgs, directory, idleMs } = plan;
      const { patienceMs } = policy;
      const holdMs = durationMs(Math.max(0, policy.holdMs - session.heldMs));
      const order = {
        ...{ adapter: adapterOf(plan, worker), worker, directory, idleMs, abort },
        ...{
          assignment: { prompt, resume, permissions, model, extraArgs },
          patience: { patienceMs, holdMs },
          lastResort: session.isLastResort,
          onProgress: (progress: AttemptProgress) => {
            session.progressed(progress);
            if (progress.committed) places.lease().prove();
          },
        },
      };
      // In a conversation that was moved here the readings of the other seat's windows came along.
      const effects = how === 'transcript' ? withReadingsSince(now(), start) : start;
      return withCommitPoint(
        () => attempt(order, effects, emit),
        () => workTreeFingerprint(directory, host),
      );
    },
  };
}

/** Ends what secondwinds that were killed have left running. Returns how many attempts that were. */
export async function endAbandoned({ stateHome, clock }: Host): Promise<number> {
  const ended = await Promise.all(
    abandonedAttempts(leasesIn(stateHome)).map(async ({ family, forget }) => {
      const wasThere = await endFamily(family, clock);
      forget();
      return wasThere;
    }),
  );
  return ended.filter(Boolean).length;
}

function attemptEffects(host: Host, lease: () => Lease): AttemptEffects {
  const { clock, env, home } = host;
  return {
    ...{ clock, env, home, startChild: childStarter(clock, lease) },
    get zone() {
      return host.zone;
    },
    newestReading: ({ matches, read }, folder) => newestRecord({ folder, matches, read }),
  };
}

function withReadingsSince(since: EpochMs, effects: AttemptEffects): AttemptEffects {
  return {
    ...effects,
    newestReading: (files, folder) => {
      const newest = effects.newestReading(files, folder);
      return newest !== undefined && newest.observedAt >= since ? newest : undefined;
    },
  };
}

/** Why a worker's program cannot be run at this moment, of those for which that is so. */
export function missing(
  host: Host,
  plan: Pick<Plan, 'fleet' | 'adapters' | 'directory'>,
): ReadonlyMap<WorkerId, string> {
  const reasons = new Map<WorkerId, string>();
  for (const worker of plan.fleet) {
    const program = expandHome(worker.command?.[0] ?? adapterOf(plan, worker).program, host.home);
    const found = findProgram(program, worker.env['PATH'] ?? host.env['PATH'] ?? '', plan.directory);
    if (found.type === 'missing') reasons.set(worker.id, notInstalled(program, worker));
    if (found.type === 'not-executable') reasons.set(worker.id, `${found.path} is not executable`);
  }
  return reasons;
}

/** Behind the name of its worker, a program of the same name is not named again. */
export function notInstalled(program: string, { id }: Pick<Worker, 'id'>): string {
  return program === (id as string) ? 'not installed' : `${program} is not installed`;
}
