import { readRollout } from '../../signals/rollout.ts';
import type { Worker } from '../../core/worker.ts';
import type { Adapter, Assignment, Command } from '../adapter.ts';
import { codexLogin } from '../logins/codex.ts';
import { promptBy } from '../prompt.ts';
import { codexQuota } from '../quota/codex.ts';
import { CodexReader } from '../readers/codex.ts';

/** Codex CLI in exec mode. Flags: openai/codex `codex-rs/exec/src/cli.rs`, 0.171.0. */
export const codex: Adapter = {
  name: 'codex',
  title: 'Codex CLI',
  program: 'codex',
  install: 'npm install -g @openai/codex',
  login: 'codex login',
  logins: codexLogin,
  quota: codexQuota,
  permissions: {
    read: ['--sandbox', 'read-only'],
    edit: ['--sandbox', 'workspace-write'],
    full: ['--sandbox', 'danger-full-access'],
  },
  command,
  reader: (context) => new CodexReader(context),
  conversations: {
    home: codexHome,
    // `YYYY/MM/DD/rollout-<time>-<id>.jsonl` (codex-rs/rollout/src/recorder.rs); its sqlite files are made from these.
    files: {
      folder: 'sessions',
      isOf: (path, id) => /(^|\/)rollout-[^/]*$/.test(path) && path.endsWith(`-${id}.jsonl`),
    },
  },
  readings: {
    // `rollout-YYYY-MM-DDThh-mm-ss-<id>.jsonl` in folders by day: the newest sorts last (codex-rs/rollout/src/recorder.rs).
    folder: (env, home) => `${codexHome(env, home)}/sessions`,
    matches: (path) => /(^|\/)rollout-[^/]*\.jsonl$/.test(path),
    read: readRollout,
  },
};

/** An empty variable is none to Codex (codex-rs/utils/home-dir). */
function codexHome(env: Readonly<Record<string, string | undefined>>, home: string): string {
  const named = env['CODEX_HOME'];
  return named === undefined || named === '' ? `${home}/.codex` : named;
}

function command(task: Assignment, worker: Worker): Command {
  const model = task.model ?? worker.model;
  const { args, stdin } = promptBy(task.prompt, { argument: (text) => ['--', text], viaStdin: ['-'] });
  const resume = task.resume === undefined ? [] : ['resume', task.resume];
  return {
    program: codex.program,
    args: [
      'exec',
      ...codex.permissions[task.permissions],
      // `--cd` names the directory to work in; Codex would refuse any that is not a git repository it knows.
      ...['--json', '--skip-git-repo-check'],
      ...(model === undefined ? [] : ['--model', model]),
      ...worker.args,
      ...task.extraArgs,
      // Last, as only few options are known after it.
      ...resume,
      ...args,
    ],
    env: {},
    stdin,
  };
}
