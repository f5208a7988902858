import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { childFixture, eventually, writeScript } from './children.ts';
import { killAll, processesWith } from './live-processes.ts';
import { tempFolder } from './temp-folder.ts';

/** The built product. */
const SECONDWIND = join(import.meta.dirname, '../../bin/secondwind.js');

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Written and closed; without it stdin is empty. */
  readonly stdin?: string;
  readonly cwd?: string;
  /** How many files it may have open at once; without it as many as we. */
  readonly openFiles?: number;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of stdout, where `--json` was asked for. */
  readonly events: readonly JsonEvent[];
}

export type JsonEvent = Readonly<Record<string, unknown>> & {
  readonly type: string;
  readonly at: string;
  readonly session: string;
};

export interface Running {
  readonly pid: number;
  readonly finished: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when stderr holds `text`. */
  says(text: string): Promise<void>;
}

/** A machine of the test's own: a home, a folder to work in, a PATH with Node and whatever the test puts there. */
export interface Stage {
  readonly folder: string;
  readonly home: string;
  readonly stateHome: string;
  readonly project: string;
  readonly bin: string;
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Finished>;
  readonly start: (args: readonly string[], options?: RunOptions) => Running;
  /** Puts a CLI on the PATH that is this shell script. */
  fake(name: string, script: string): void;
  /** Puts an executable of `fixtures/children/` on the PATH under this name. */
  link(name: string, fixture: string): void;
  /** `config.json`: an object, or text as it is. */
  configure(config: unknown): void;
  /** `cooldowns.json` as it lies on the disk. */
  cooldowns(): readonly SavedCooldown[];
  /** Whom of the children are alive. */
  alive(): readonly { readonly pid: number; readonly command: string }[];
}

export interface SavedCooldown {
  readonly worker: string;
  readonly kind: string;
  readonly since: string;
  readonly until: string | null;
  readonly source: string;
  readonly evidence: string;
}

export function aStage(): Stage {
  const folder = tempFolder();
  const [bin, home, project] = ['bin', 'home', 'project'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const stateHome = join(home, '.secondwind');
  for (const path of [bin, home, project]) mkdirSync(path);
  symlinkSync(process.execPath, join(bin, 'node'));
  onTestFinished(() => {
    killAll(processesWith(folder));
  });
  const environment = { PATH: bin, HOME: home, SECONDWIND_HOME: stateHome, TZ: 'UTC' };
  const start = (args: readonly string[], options: RunOptions = {}): Running =>
    launch(args, { cwd: project, ...options, env: { ...environment, ...options.env } });
  return {
    ...{ folder, home, stateHome, project, bin, start },
    run: (args, options) => start(args, options).finished,
    fake: (name, script) => {
      writeScript(join(bin, name), `PATH=/usr/bin:/bin\n${script}`);
    },
    link: (name, fixture) => {
      symlinkSync(childFixture(fixture), join(bin, name));
    },
    configure: (config) => {
      mkdirSync(stateHome, { recursive: true });
      const text = typeof config === 'string' ? config : JSON.stringify(config);
      writeFileSync(join(stateHome, 'config.json'), text);
    },
    cooldowns: () => {
      const file = join(stateHome, 'cooldowns.json');
      if (!existsSync(file)) return [];
      return (JSON.parse(readFileSync(file, 'utf8')) as { cooldowns: SavedCooldown[] }).cooldowns;
    },
    alive: () => processesWith(folder),
  };
}

/** A worker of `config.json` that plays a capture: `playing('claude', 'seat-exhausted-sleeps')`. */
export function playing(adapter: string, capture: string, id = adapter) {
  return {
    ...{ id, adapter, command: [process.execPath, childFixture('play.js')] },
    env: { PLAY_CAPTURE: childFixture(`../${adapter}/${capture}`), PLAY_LONGEST_GAP_MS: '20' },
  };
}

function launch(args: readonly string[], { cwd, env, stdin, openFiles }: RunOptions): Running {
  const command = [process.execPath, SECONDWIND, ...args];
  const [program = '', ...rest] =
    openFiles === undefined
      ? command
      : ['/bin/sh', '-c', `ulimit -n ${String(openFiles)}; exec "$0" "$@"`, ...command];
  const child = spawn(program, rest, {
    ...{ cwd, env },
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const channel of ['stdout', 'stderr'] as const) {
    child[channel]?.setEncoding('utf8').on('data', (text: string) => {
      said[channel] += text;
    });
  }
  child.stdin?.end(stdin);
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ ...said, code, events: args.includes('--json') ? eventsIn(said.stdout) : [] });
    });
  });
  return {
    pid: child.pid ?? 0,
    finished,
    kill: (signal) => child.kill(signal),
    says: (text) => eventually(`stderr says '${text}'`, () => said.stderr.includes(text)),
  };
}

/** Lines that are no JSON object fail the test that looks at `events`; other JSON (`cooldown list`) has none. */
function eventsIn(stdout: string): readonly JsonEvent[] {
  if (!stdout.startsWith('{"type"')) return [];
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as JsonEvent);
}
