import type { RestLengths } from '../core/policy.ts';
import type { EpochMs } from '../core/time.ts';
import { fromIso, toIso } from '../core/time.ts';
import type { Worker } from '../core/worker.ts';
import type { Renewal } from '../fleet/renewal.ts';
import { renewalOf } from '../fleet/renewal.ts';
import type { CooldownStore } from '../store/cooldowns.ts';
import type { Probes } from '../store/probes.ts';
import { childStarter } from '../system/child.ts';
import { fingerprint } from '../system/fingerprint.ts';
import { getJson } from '../system/http.ts';
import type { QuotaAnswer } from '../workers/quota-answer.ts';
import { readAnswer, savedAnswer } from '../workers/quota-answer.ts';
import { isRecord } from '../workers/json-lines.ts';
import { askQuota } from '../workers/quota-probe.ts';
import type { Host } from './host.ts';
import type { LoginLook } from './login-recheck.ts';
import type { Plan } from './plan.ts';
import { adapterOf } from './plan.ts';

/** A free look at one worker's quota, and what was written because of it. */
export interface LivenessLook {
  readonly answer: QuotaAnswer;
  readonly renewal: Renewal;
}

export interface LivenessTools {
  readonly store: CooldownStore;
  readonly probes: Probes;
  readonly login: LoginLook;
}

/**
 * Asks how much of a worker's quota is left, and writes what follows: one process at a time for one worker, and seconds
 * later the same answer serves. Its own failures never touch the seat.
 */
export async function lookAlive(
  host: Host,
  plan: Pick<Plan, 'adapters' | 'directory'> & { readonly policy: { readonly rests: RestLengths } },
  worker: Worker,
  { store, probes, login }: LivenessTools,
): Promise<LivenessLook> {
  const { clock, env, home } = host;
  const effects = { clock, env, home, startChild: childStarter(clock), getJson };
  const credentials = login.credentials(worker);
  const key = `quota-${worker.id}-${fingerprint([...(worker.command ?? []), ...worker.args, credentials])}`;
  const { answer, askedAt } = await probes.once(key, readLook, async () => {
    const began = clock.now();
    const told = await askQuota(adapterOf(plan, worker), worker, plan.directory, effects);
    return { answer: told, askedAt: began, saved: { answer: savedAnswer(told), askedAt: toIso(began) } };
  });
  const { rests } = plan.policy;
  const known = await store.readFor([worker]);
  const renewal = renewalOf(worker, answer, known, { askedAt, now: clock.now(), rests });
  // The new rest stands before the old one goes: nobody may start between them.
  for (const cooldown of renewal.cooldowns) await store.record(cooldown);
  for (const clearance of renewal.clearances) await store.clear(clearance);
  return { answer, renewal };
}

/** What another process saw, and when it asked. */
function readLook(saved: unknown): { readonly answer: QuotaAnswer; readonly askedAt: EpochMs } | undefined {
  if (!isRecord(saved) || !isRecord(saved['saved'])) return undefined;
  const { answer, askedAt } = saved['saved'];
  const [read, at] = [readAnswer(answer), typeof askedAt === 'string' ? fromIso(askedAt) : undefined];
  return read === undefined || at === undefined ? undefined : { answer: read, askedAt: at };
}
