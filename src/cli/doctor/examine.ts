import type { Cooldown } from '../../core/cooldown.ts';
import { unhealthy } from '../../core/health.ts';
import type { RestLengths } from '../../core/policy.ts';
import { DEFAULT_RESTS } from '../../core/policy.ts';
import type { Result } from '../../core/result.ts';
import type { EpochMs } from '../../core/time.ts';
import type { Worker } from '../../core/worker.ts';
import { gate } from '../../fleet/gate.ts';
import { roster } from '../../fleet/roster.ts';
import { openProbes } from '../../store/probes.ts';
import { childStarter } from '../../system/child.ts';
import { coveredVersions } from '../../selftest/versions.ts';
import { nodeProgram, nodeVersion } from '../../system/process.ts';
import { surveyState } from '../../system/state-survey.ts';
import { findProgram } from '../../system/which.ts';
import { expandHome } from '../../workers/child-environment.ts';
import type { QuotaAnswer } from '../../workers/quota-answer.ts';
import { canBeAsked } from '../../workers/quota-probe.ts';
import { ADAPTER_NAMES, loadAdapter } from '../../workers/registry.ts';
import { cooldownsOf } from '../../library/cooldowns.ts';
import { notInstalled } from '../../library/effects.ts';
import { healthOf } from '../../library/health.ts';
import type { Io } from '../io.ts';
import type { Refusal } from '../../library/host.ts';
import { lookAlive } from '../../library/liveness.ts';
import { loginLook, loginRecheck } from '../../library/login-recheck.ts';
import type { Plan } from '../../library/plan.ts';
import { adapterOf, planOf } from '../../library/plan.ts';
import { readSettings } from '../../library/settings.ts';
import { configFindings } from './config-report.ts';
import type { Finding } from './finding.ts';
import { red } from './finding.ts';
import { clockFindings, nodeFindings, stateFindings } from './place-report.ts';
import type { WorkerFacts, WorkerReport } from './worker-report.ts';
import { reportOn } from './worker-report.ts';

/** All that the doctor has to say. */
export interface Examination {
  readonly at: EpochMs;
  readonly configurationIsWrong: boolean;
  readonly workers: readonly WorkerReport[];
  readonly configuration: readonly Finding[];
  readonly state: readonly Finding[];
  readonly clock: readonly Finding[];
  readonly node: readonly Finding[];
}

/** Looks at everything; with `liveness` also asks providers, free of tokens, all at once and each for twenty seconds at most. */
export async function examine(io: Io, liveness: boolean): Promise<Examination> {
  const { clock, env, home, stateHome, zone } = io;
  const planned = await planOf(io, {});
  const plan: LookPlan = planned.ok ? planned.value : await planWithoutConfiguration(io);
  const store = cooldownsOf(io);
  const probes = openProbes({ home: stateHome, clock });
  const login = loginLook(plan, { clock, env, home, startChild: childStarter(clock) }, probes);
  const found = await Promise.all(
    plan.fleet.map(async (worker) => {
      const program = programAt(io, plan, worker);
      const check = 'path' in program ? await login.check(worker) : undefined;
      const asks = liveness && check?.starts === true && canBeAsked(adapterOf(plan, worker), worker);
      const quota: QuotaAnswer | undefined = asks
        ? (await lookAlive(io, plan, worker, { store, probes, login })).answer
        : undefined;
      return { worker, program, check, quota };
    }),
  );
  const recheck = loginRecheck(plan.fleet, login, { store, emit: () => undefined, now: () => clock.now() });
  const cooldowns: readonly Cooldown[] = await recheck(await store.read());
  const health = await healthOf(io).read();
  const now = clock.now();
  const workers = found.map(({ worker, ...rest }): WorkerReport => {
    const answer = gate(worker, cooldowns, now);
    const facts: WorkerFacts = {
      ...{
        worker,
        ...rest,
        adapter: adapterOf(plan, worker),
        captured: coveredVersions({ name: worker.adapter }),
      },
      cooldown: answer.type === 'resting' ? answer.cooldown : undefined,
      health: unhealthy(
        health.find((one) => one.worker === worker.id),
        now,
      ),
    };
    return reportOn(facts, now, zone);
  });
  return {
    ...{ at: now, configurationIsWrong: !planned.ok, workers },
    configuration: await configuration(io, planned),
    state: stateFindings(surveyState(stateHome), now),
    clock: clockFindings(now, zone, cooldowns),
    node: nodeFindings(nodeVersion(), nodeProgram()),
  };
}

async function configuration(io: Io, planned: Result<Plan, Refusal>): Promise<readonly Finding[]> {
  const settings = await readSettings(io.stateHome, io.directory);
  const findings = configFindings(settings, `${io.stateHome}/config.json`, io.env);
  // The files may be right and what they say together wrong: a name that nobody has, a variable that is no duration.
  return planned.ok || !settings.ok
    ? findings
    : [...findings, red(planned.error.message, 'correct that; until then nothing runs')];
}

/** As much of a plan as looking takes. */
type LookPlan = Pick<Plan, 'fleet' | 'adapters' | 'directory'> & {
  readonly policy: { readonly rests: RestLengths };
};

/** What would run if nothing were configured: the doctor looks at that where the configuration cannot be read. */
async function planWithoutConfiguration(io: Io): Promise<LookPlan> {
  const isInstalled = (name: string): boolean =>
    findProgram(name, io.env['PATH'] ?? '', io.directory).type === 'found';
  const fleet = roster({ configured: undefined, adapters: ADAPTER_NAMES, asked: undefined, isInstalled });
  const workers = fleet.ok ? fleet.value : [];
  const loaded = workers.map(async ({ adapter }) => [adapter, await loadAdapter(adapter)] as const);
  const adapters = new Map(await Promise.all(loaded));
  return { fleet: workers, adapters, directory: io.directory, policy: { rests: DEFAULT_RESTS } };
}

function programAt(io: Io, plan: LookPlan, worker: Worker): WorkerFacts['program'] {
  const program = expandHome(worker.command?.[0] ?? adapterOf(plan, worker).program, io.home);
  const found = findProgram(program, worker.env['PATH'] ?? io.env['PATH'] ?? '', plan.directory);
  switch (found.type) {
    case 'found':
      return { path: found.path };
    case 'missing':
      return { missing: notInstalled(program, worker) };
    case 'not-executable':
      return { missing: `${found.path} is not executable` };
  }
}
