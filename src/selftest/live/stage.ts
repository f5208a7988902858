import type { Worker } from '../../core/worker.ts';
import { roster } from '../../fleet/roster.ts';
import type { WorkerConfig } from '../../store/config.ts';
import { makeFolder } from '../../system/folder.ts';
import { packageRoot } from '../../system/package-root.ts';
import { nodeProgram } from '../../system/process.ts';
import { writeScratchFile } from '../../system/scratch.ts';
import { privateEnvironment } from './environment.ts';
import { ENVIRONMENT_FILE, launcher } from './launcher.ts';
import type { LiveCase } from './live-case.ts';
import type { LiveCli } from './wiring.ts';
import { WIRING } from './wiring.ts';

/** A CLI that is installed here, and how it is started. */
export interface Target {
  /** What it is called in reports: its adapter's name, or that of the worker whose command it is. */
  readonly id: string;
  readonly cli: LiveCli;
  readonly command: readonly [string, ...string[]];
}

/** A place of its own for one case: a home for the CLI, one for secondwind, a folder to work in, and nothing else. */
export interface Stage {
  readonly home: string;
  readonly work: string;
  readonly worker: Worker;
  /** The whole environment of the product, from which the CLI's is made. */
  readonly env: Readonly<Record<string, string>>;
  /** Every variable that the CLI may find: ours, the worker's, and what secondwind itself adds. */
  readonly given: ReadonlySet<string>;
  /** Where the launcher notes the environment that the CLI was really given. */
  readonly environmentFile: string;
}

export interface StageOptions {
  readonly folder: string;
  readonly target: Target;
  readonly one: Pick<LiveCase, 'login' | 'model' | 'env'>;
  readonly url: string;
  readonly proxy: string;
  readonly path: string;
}

export const SPARE = 'spare';

/** What secondwind adds to a child's environment: its own mark, and what the adapters need (Gemini's NO_BROWSER). */
const ADDED = ['SECONDWIND_HOME', 'SECONDWIND_ATTEMPT', 'NO_BROWSER'];

export function setStage({ folder, target, one, url, proxy, path }: StageOptions): Stage {
  const [home, work, tmp, state] = ['home', 'work', 'tmp', 'state'].map((name) => `${folder}/${name}`) as [
    string,
    string,
    string,
    string,
  ];
  const wiring = WIRING[target.cli](url, home, one.login === undefined ? {} : { login: one.login });
  for (const each of [home, work, tmp, state]) mustMake(each);
  for (const [name, text] of Object.entries(wiring.files)) {
    mustMake(`${home}/${name.split('/').slice(0, -1).join('/')}`);
    writeScratchFile(`${home}/${name}`, text);
  }
  const model = one.model ?? wiring.model;
  const config = {
    ...{ id: target.id, adapter: target.cli, command: [...target.command] as [string, ...string[]] },
    ...{ env: { ...wiring.env, ...one.env }, args: [...wiring.args] },
    ...(model === undefined ? {} : { model }),
  };
  const launched = { ...config, command: [...launcher(folder), ...target.command] };
  writeScratchFile(`${state}/config.json`, JSON.stringify({ workers: [launched, spare()] }));
  const env = { ...privateEnvironment({ path, home, tmp, zone: 'UTC', proxy }), SECONDWIND_HOME: state };
  return {
    ...{ home, work, worker: workerOf(config), env, environmentFile: `${folder}/${ENVIRONMENT_FILE}` },
    given: new Set([...Object.keys(env), ...Object.keys(config.env), ...ADDED]),
  };
}

function workerOf(config: WorkerConfig): Worker {
  const fleet = roster({ configured: [config], adapters: [], isInstalled: () => false, asked: undefined });
  const [worker] = fleet.ok ? fleet.value : [];
  if (worker === undefined) throw new Error('Internal error: a configured worker is in no fleet');
  return worker;
}

/** The worker that takes over: a recorded child that answers with what it was told. */
function spare() {
  return {
    ...{ id: SPARE, adapter: 'claude' },
    command: [nodeProgram(), `${packageRoot()}/fixtures/children/echo.js`],
  };
}

function mustMake(folder: string): void {
  const made = makeFolder(folder);
  if (!made.ok) throw new Error(`Internal error: no private folder ${folder}: ${made.error}`);
}
