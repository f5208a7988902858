import type { Worker } from '../../core/worker.ts';
import type { Adapter, Assignment, Command } from '../adapter.ts';
import { geminiLogin } from '../logins/gemini.ts';
import { promptBy } from '../prompt.ts';
import { GeminiReader } from '../readers/gemini.ts';

/** Gemini CLI in headless mode. Flags: google-gemini/gemini-cli `packages/cli/src/config/config.ts`, 0.61.0. */
export const gemini: Adapter = {
  name: 'gemini',
  title: 'Gemini CLI',
  program: 'gemini',
  install: 'npm install -g @google/gemini-cli',
  login: 'gemini (and choose a login), or set GEMINI_API_KEY',
  logins: geminiLogin,
  permissions: {
    // Headless, what would ask is not offered to the model at all.
    read: ['--approval-mode', 'default'],
    edit: ['--approval-mode', 'auto_edit'],
    full: ['--approval-mode', 'yolo'],
  },
  command,
  reader: (context) => new GeminiReader(context),
  // `tmp/<project>/chats/session-<time>-<id>.jsonl`, where each home gives the project a name of its own (`projects.json`,
  // `.project_root`, 0.61.0): what is found in one home has no sure place in another.
  conversations: { home: (env, home) => env['GEMINI_CLI_HOME'] ?? home },
};

function command(task: Assignment, worker: Worker): Command {
  const model = task.model ?? worker.model;
  const { args, stdin } = promptBy(task.prompt, {
    argument: (text) => [`--prompt=${text}`],
    viaStdin: [],
  });
  return {
    program: gemini.program,
    args: [
      ...['--output-format', 'stream-json'],
      // Headless it exits with 55 in a folder it was not told to trust; whoever names the folder has said so.
      '--skip-trust',
      ...gemini.permissions[task.permissions],
      ...(model === undefined ? [] : ['--model', model]),
      ...(task.resume === undefined ? [] : ['--resume', task.resume]),
      ...worker.args,
      ...task.extraArgs,
      ...args,
    ],
    // With a revoked login it would ask on stdout and wait for ever; so it exits with 41 (0.61.0).
    env: { NO_BROWSER: 'true' },
    stdin,
  };
}
