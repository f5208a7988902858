import { harmlessLine } from '../core/harmless.ts';
import type { Worker } from '../core/worker.ts';
import type { Plan } from '../library/plan.ts';
import { adapterOf } from '../library/plan.ts';
import type { Adapter } from '../workers/adapter.ts';
import type { SetUp } from './endings.ts';
import { shellPath } from './shell-word.ts';

/** What a person types to log in as a worker: a seat with a home of its own is logged in to there, not in the usual one. */
export function loginCommand({ login, logins }: Adapter, { env }: Pick<Worker, 'env'>): string {
  const home = env[logins.homeVariable];
  return home === undefined ? login : `${logins.homeVariable}=${shellPath(harmlessLine(home))} ${login}`;
}

/** How each worker of a plan is set up, for whoever has to do it. */
export function setUpOf(plan: Plan): (worker: Pick<Worker, 'id' | 'adapter'>) => SetUp {
  return ({ id, adapter: name }) => {
    const adapter = adapterOf(plan, { adapter: name });
    const { title, install } = adapter;
    const worker = plan.fleet.find((one) => one.id === id);
    return { title, install, login: worker === undefined ? adapter.login : loginCommand(adapter, worker) };
  };
}
