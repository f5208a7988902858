import type { Worker } from '../../core/worker.ts';
import type { Adapter, Assignment, Command } from '../adapter.ts';
import { claudeLogin } from '../logins/claude.ts';
import { promptBy } from '../prompt.ts';
import { claudeQuota } from '../quota/claude.ts';
import { ClaudeReader } from '../readers/claude.ts';

/** Claude Code in print mode. Flags: code.claude.com, "Run Claude Code programmatically", read autumn 2026; 2.1.197. */
export const claude: Adapter = {
  name: 'claude',
  title: 'Claude Code',
  program: 'claude',
  install: 'npm install -g @anthropic-ai/claude-code',
  login: 'claude auth login',
  logins: claudeLogin,
  quota: claudeQuota,
  permissions: {
    // These tools are refused whatever the user's own settings allow; what else would ask is refused in print mode.
    read: ['--permission-mode', 'default', '--disallowedTools', 'Bash,Edit,Write,NotebookEdit'],
    edit: ['--permission-mode', 'acceptEdits'],
    full: ['--permission-mode', 'bypassPermissions'],
  },
  command,
  reader: (context) => new ClaudeReader(context),
  conversations: {
    home: (env, home) => env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`,
    // `<working directory>/<id>.jsonl`. The name of the folder is the real path with `-` for all but letters and digits,
    // cut at 200 characters and then with a hash (2.1.197): the same in every home, so nobody has to work it out.
    files: { folder: 'projects', isOf: (path, id) => path.split('/').slice(1).join('/') === `${id}.jsonl` },
  },
};

function command(task: Assignment, worker: Worker): Command {
  const model = task.model ?? worker.model;
  const { args, stdin } = promptBy(task.prompt, { argument: (text) => ['--', text], viaStdin: [] });
  return {
    program: claude.program,
    args: [
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...claude.permissions[task.permissions],
      ...(model === undefined ? [] : ['--model', model]),
      ...(task.resume === undefined ? [] : ['--resume', task.resume]),
      ...worker.args,
      ...task.extraArgs,
      ...args,
    ],
    // "in -p the key is always used when present" (same page): it would bill a subscription's work to the API.
    env:
      worker.billing === 'subscription'
        ? { ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: undefined }
        : {},
    stdin,
  };
}
